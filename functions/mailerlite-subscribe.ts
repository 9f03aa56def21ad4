import type { Config } from '@netlify/functions';
import { formsPerAddress } from '#src/core/limits/limits.server.ts';
import * as api from '#src/features/newsletter/mail-list.api.ts';
import { toSignup, type MailListInput } from '#src/features/newsletter/mail-list.ts';
import { subscribe } from '#src/features/newsletter/newsletter.server.ts';
import { signupForm, SUBSCRIBED } from '#src/features/newsletter/subscriber.ts';
import { answerAsked } from './lib/ask-first.ts';
import { purge } from './lib/cache.ts';
import { deliverNow } from './lib/deliver.ts';
import { serve } from './lib/http.ts';
import { publicForm } from './lib/public-form.ts';
import { ResponseWith } from './lib/response.ts';
import { countRequest, pageOf } from './lib/visitor.ts';

const responseFor = ({ email }: MailListInput) => ({
	success: true as const,
	message: SUBSCRIBED,
	data: { email, status: 'active' as const },
});

export default serve(
	publicForm(
		api.subscribeToList,
		{ form: signupForm, limit: formsPerAddress, pretend: responseFor },
		async (db, input, now, context, request) => {
			const signup = toSignup(input);
			const asked = await answerAsked(request, context, 'newsletter', signup, now);
			if (asked) {
				const data = { email: signup.email, status: 'unconfirmed' as const };
				return new ResponseWith({ ...asked.body, data }, {}, [], asked.thanks);
			}
			await subscribe(db, signup, now);
			await countRequest(request, context, 'signup', `${pageOf(request)}#${signup.source ?? ''}`);
			context.waitUntil(Promise.all([purge('subscribers'), deliverNow()]));
			return responseFor(input);
		},
	),
);

export const config: Config = {
	path: '/api/mailerlite/subscribe',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 60 },
};
