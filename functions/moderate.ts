import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { decideByLink, showDecision } from '#src/features/comments/decisions.server.ts';
import { readModerationToken } from '#src/features/comments/links.server.ts';
import * as api from '#src/features/comments/moderation.api.ts';
import { clicksPerAddress } from '#src/core/limits/limits.server.ts';
import { on, serve } from './lib/http.ts';
import { linkPage } from './lib/link-page.ts';
import { afterModeration } from './lib/moderation.ts';
import { consumePerAddress } from './lib/public-form.ts';

export default serve(
	on(api.showDecision, ({ token }) =>
		linkPage(api.showDecision.path, () => {
			const link = readModerationToken(token, new Date());
			return showDecision(getDb(), link);
		}),
	),
	on(
		api.decideByLink,
		({ token }, _request, context) =>
			linkPage(api.decideByLink.path, async () => {
				const now = new Date();
				const link = readModerationToken(token, now);
				await consumePerAddress(getDb(), clicksPerAddress, context, now);
				const { postIds, ...answer } = await decideByLink(getDb(), link, now);
				afterModeration(postIds, context);
				return answer;
			}),
		{ anyOrigin: true, status: 200 },
	),
);

export const config: Config = {
	path: '/moderate',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 600 },
};
