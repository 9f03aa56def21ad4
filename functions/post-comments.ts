import type { Config } from '@netlify/functions';
import { getFreshDb } from '#db/client.ts';
import * as api from '#src/features/comments/comments.api.ts';
import { COMMENTS_PAGE } from '#src/features/comments/comment.ts';
import { listComments, pageComments } from '#src/features/comments/comments.server.ts';
import { cached } from './lib/response.ts';
import { on, serve } from './lib/http.ts';

export default serve(
	on(
		api.listComments,
		async ({ id, limit, before }) => {
			const [db, now] = [getFreshDb(), new Date()];
			const list =
				limit === undefined && before === undefined
					? await listComments(db, id, now)
					: await pageComments(db, id, { limit: limit ?? COMMENTS_PAGE, before }, now);
			return cached(list, `comments-${id}`, 'posts');
		},
		{ open: true },
	),
);

export const config: Config = { path: '/api/posts/:id/comments' };
