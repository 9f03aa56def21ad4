import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { clicksPerAddress } from '#src/core/limits/limits.server.ts';
import * as api from '#src/features/confirmation/confirmation.api.ts';
import {
	confirm,
	readConfirmation,
	requestOfToken,
} from '#src/features/confirmation/confirmation.server.ts';
import { confirmedScreen, confirmScreen } from '#src/features/confirmation/confirmation.ts';
import type { Signup } from '#src/features/newsletter/subscriber.ts';
import { subscribedCookie } from '#src/features/newsletter/subscribed-cookie.ts';
import { getEnv } from '#src/lib/env.ts';
import { purge } from './lib/cache.ts';
import { deliverNow } from './lib/deliver.ts';
import { on, serve } from './lib/http.ts';
import { linkPage } from './lib/link-page.ts';
import { consumePerAddress } from './lib/public-form.ts';
import { countRequest } from './lib/visitor.ts';

export default serve(
	on(api.showConfirmation, ({ token }) =>
		linkPage(api.showConfirmation.path, async () => {
			const id = requestOfToken(token);
			const { words, isConfirmed } = await readConfirmation(getDb(), id, new Date());
			return { screen: isConfirmed ? confirmedScreen(words) : confirmScreen(words), token };
		}),
	),
	on(
		api.confirm,
		async ({ token }, request, context) => {
			const now = new Date();
			let isSubscribed = false;
			const page = await linkPage(api.confirm.path, async () => {
				const id = requestOfToken(token);
				await consumePerAddress(getDb(), clicksPerAddress, context, now);
				const { words, made } = await confirm(getDb(), id, now);
				if (made?.wish === 'newsletter') {
					isSubscribed = true;
					const place = `${made.page}#${(made.details as Partial<Signup>).source ?? ''}`;
					await countRequest(request, context, 'signup', place);
				} else if (made && made.wish !== 'course') {
					await countRequest(request, context, 'asked', made.wish);
				}
				context.waitUntil(Promise.all([purge('subscribers'), deliverNow()]));
				return { screen: confirmedScreen(words), token };
			});
			if (isSubscribed)
				page.headers.append(
					'Set-Cookie',
					subscribedCookie(true, getEnv().SITE_URL.startsWith('https:')),
				);
			return page;
		},
		{ anyOrigin: true, status: 200 },
	),
);

export const config: Config = {
	path: '/confirm',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 600 },
};
