import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/comments/moderation.api.ts';
import { pinComment } from '#src/features/comments/moderation.server.ts';
import { publishModeration } from './lib/moderation.ts';
import { on } from './lib/http.ts';
import { adminEmailOf, serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.pinComment, async (input, request, context) => {
		const { postIds, ...pins } = await pinComment(
			getDb(),
			input,
			adminEmailOf(request),
			new Date(),
		);
		publishModeration(postIds, context);
		return pins;
	}),
);

export const config: Config = { path: '/api/admin/comments/pin' };
