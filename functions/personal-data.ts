import type { Config } from '@netlify/functions';
import { formsPerAddress } from '#src/core/limits/limits.server.ts';
import * as api from '#src/features/privacy/privacy.api.ts';
import { requestData } from '#src/features/privacy/privacy.server.ts';
import { DATA_REQUESTED, dataForm } from '#src/features/privacy/privacy.ts';
import { deliverNow } from './lib/deliver.ts';
import { serve } from './lib/http.ts';
import { publicForm } from './lib/public-form.ts';

export default serve(
	publicForm(
		api.requestData,
		{
			form: dataForm,
			limit: formsPerAddress,
			pretend: () => ({ success: true, message: DATA_REQUESTED }),
		},
		async (db, { email }, now, context) => {
			const answer = await requestData(db, email, now);
			context.waitUntil(deliverNow());
			return answer;
		},
	),
);

export const config: Config = {
	path: '/api/personal-data',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 60 },
};
