import type { Config } from '@netlify/functions';
import * as api from '#src/features/downloads/downloads.api.ts';
import { requestUpgrade } from '#src/features/downloads/downloads.server.ts';
import { REQUESTED, upgradeForm } from '#src/features/downloads/download.ts';
import { formsPerAddress } from '#src/core/limits/limits.server.ts';
import { answerAsked } from './lib/ask-first.ts';
import { deliverNow } from './lib/deliver.ts';
import { serve } from './lib/http.ts';
import { publicForm } from './lib/public-form.ts';
import { countRequest } from './lib/visitor.ts';

export default serve(
	publicForm(
		api.requestUpgrade,
		{
			form: upgradeForm,
			limit: formsPerAddress,
			pretend: () => ({ success: true, message: REQUESTED }),
		},
		async (db, input, now, context, request) => {
			const { email, postId, upgradeType } = input;
			const asked = await answerAsked(request, context, upgradeType, { email, postId }, now);
			if (asked) return asked;
			const answer = await requestUpgrade(db, input, now);
			await countRequest(request, context, 'asked', input.upgradeType);
			context.waitUntil(deliverNow());
			return answer;
		},
	),
);

export const config: Config = {
	path: '/api/content-upgrade',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 60 },
};
