import type { Config } from '@netlify/functions';
import { getFreshDb } from '#db/client.ts';
import * as api from '#src/features/comments/comments.api.ts';
import { listComments } from '#src/features/comments/comments.server.ts';
import { cached } from './lib/response.ts';
import { on, serve } from './lib/http.ts';

export default serve(
	on(
		api.listComments,
		async ({ id }) =>
			cached(await listComments(getFreshDb(), id, new Date()), `comments-${id}`, 'posts'),
		{ open: true },
	),
);

export const config: Config = { path: '/api/posts/:id/comments' };
