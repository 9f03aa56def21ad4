import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import type { Screen } from '#src/core/screen.ts';
import * as api from '#src/features/comments/moderation.api.ts';
import { readConversationToken } from '#src/features/comments/links.server.ts';
import { clicksPerAddress } from '#src/core/limits/limits.server.ts';
import { stopNotices } from '#src/features/comments/notices.server.ts';
import { on, serve } from './lib/http.ts';
import { linkPage } from './lib/link-page.ts';
import { consumePerAddress } from './lib/public-form.ts';

const ASKED: Screen = {
	title: 'Emails about your comment',
	sections: [
		{
			text: 'You asked for an email when your comment is approved or answered.',
			choices: [{ value: '', label: 'Stop these emails' }],
		},
	],
};
const STOPPED: Screen = {
	title: 'No more emails about this article',
	sections: [{ text: 'Your comments on it stay, and nothing else has changed.', choices: [] }],
};

export default serve(
	on(api.showConversation, ({ token }) =>
		linkPage(api.showConversation.path, async () => {
			readConversationToken(token);
			return { screen: ASKED, token };
		}),
	),
	on(
		api.leaveConversation,
		({ token }, _request, context) =>
			linkPage(api.leaveConversation.path, async () => {
				const id = readConversationToken(token);
				await consumePerAddress(getDb(), clicksPerAddress, context, new Date());
				await stopNotices(getDb(), id);
				return { screen: STOPPED, token };
			}),
		{ anyOrigin: true, status: 200 },
	),
);

export const config: Config = {
	path: '/conversation',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 600 },
};
