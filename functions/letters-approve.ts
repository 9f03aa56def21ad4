import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { clicksPerAddress } from '#src/core/limits/limits.server.ts';
import * as api from '#src/features/newsletter/letters.api.ts';
import { approveByLink, showApproval } from '#src/features/newsletter/next-issue.server.ts';
import { deliverNow } from './lib/deliver.ts';
import { on, serve } from './lib/http.ts';
import { linkPage } from './lib/link-page.ts';
import { consumePerAddress } from './lib/public-form.ts';

export default serve(
	on(api.showApproval, ({ token }) =>
		linkPage(api.showApproval.path, async () => ({
			screen: await showApproval(getDb(), token, new Date()),
			token,
		})),
	),
	on(
		api.approveByLink,
		({ token }, _request, context) =>
			linkPage(api.approveByLink.path, async () => {
				const now = new Date();
				await consumePerAddress(getDb(), clicksPerAddress, context, now);
				const screen = await approveByLink(getDb(), token, now);
				context.waitUntil(deliverNow());
				return { screen, token };
			}),
		{ anyOrigin: true, status: 200 },
	),
);

export const config: Config = {
	path: '/letters/approve',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 600 },
};
