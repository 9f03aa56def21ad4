import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { clicksPerAddress } from '#src/core/limits/limits.server.ts';
import * as api from '#src/features/newsletter/letters.api.ts';
import {
	approveByLink,
	readApprovalToken,
	showApproval,
} from '#src/features/newsletter/next-issue.server.ts';
import { on, serve } from './lib/http.ts';
import { linkPage } from './lib/link-page.ts';
import { consumePerAddress } from './lib/public-form.ts';

export default serve(
	on(api.showApproval, ({ token }) =>
		linkPage(api.showApproval.path, async () => {
			const now = new Date();
			const date = readApprovalToken(token, now);
			return { screen: await showApproval(getDb(), date, now), token };
		}),
	),
	on(
		api.approveByLink,
		({ token }, _request, context) =>
			linkPage(api.approveByLink.path, async () => {
				const now = new Date();
				const date = readApprovalToken(token, now);
				await consumePerAddress(getDb(), clicksPerAddress, context, now);
				return { screen: await approveByLink(getDb(), date, now), token };
			}),
		{ anyOrigin: true, status: 200 },
	),
);

export const config: Config = {
	path: '/letters/approve',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 600 },
};
