import type { Config } from '@netlify/functions';
import { formsPerAddress } from '#src/core/limits/limits.server.ts';
import * as api from '#src/features/newsletter/newsletter.api.ts';
import { subscribe } from '#src/features/newsletter/newsletter.server.ts';
import { signupForm, SUBSCRIBED } from '#src/features/newsletter/subscriber.ts';
import { answerAsked } from './lib/ask-first.ts';
import { purge } from './lib/cache.ts';
import { deliverNow } from './lib/deliver.ts';
import { serve } from './lib/http.ts';
import { publicForm } from './lib/public-form.ts';
import { countRequest, pageOf } from './lib/visitor.ts';

export default serve(
	publicForm(
		api.subscribe,
		{
			form: signupForm,
			limit: formsPerAddress,
			pretend: () => ({ success: true, message: SUBSCRIBED }),
		},
		async (db, { email, source, topics, cadence }, now, context, request) => {
			const asked = await answerAsked(
				request,
				context,
				'newsletter',
				{ email, source, topics, cadence },
				now,
			);
			if (asked) return asked;
			const answer = await subscribe(db, { email, source, topics, cadence }, now);
			await countRequest(request, context, 'signup', `${pageOf(request)}#${source ?? ''}`);
			context.waitUntil(Promise.all([purge('subscribers'), deliverNow()]));
			return answer;
		},
	),
);

export const config: Config = {
	path: '/api/subscribers',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 60 },
};
