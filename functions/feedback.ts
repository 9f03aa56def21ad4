import type { Config } from '@netlify/functions';
import * as api from '#src/features/feedback/feedback.api.ts';
import { storeFeedback } from '#src/features/feedback/feedback.server.ts';
import { feedbackForm } from '#src/features/feedback/feedback.ts';
import { formsPerAddress } from '#src/core/limits/limits.server.ts';
import { serve } from './lib/http.ts';
import { publicForm } from './lib/public-form.ts';
import { countRequest } from './lib/visitor.ts';

export default serve(
	publicForm(
		api.sendFeedback,
		{ form: feedbackForm, limit: formsPerAddress, pretend: () => ({ success: true }) },
		async (db, input, now, context, request) => {
			const stored = await storeFeedback(db, input, now);
			if (input.answer) {
				await countRequest(request, context, 'answered', input.postId);
				if (input.answer === 'yes') await countRequest(request, context, 'helped', input.postId);
			}
			return stored;
		},
	),
);

export const config: Config = {
	path: '/api/feedback',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 60 },
};
