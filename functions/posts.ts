import type { Config } from '@netlify/functions';
import { getReadDb } from '#db/client.ts';
import * as api from '#src/features/posts/posts.api.ts';
import { listPosts } from '#src/features/posts/posts.server.ts';
import { wholeList } from '#src/features/posts/whole-list.server.ts';
import { on, serve } from './lib/http.ts';
import { wholeListResponse } from './lib/whole-list.ts';

export default serve(
	on(
		api.listPosts,
		async ({ limit }, request) =>
			limit === undefined
				? wholeListResponse(await wholeList(getReadDb(), new Date()), request, 'posts')
				: listPosts(getReadDb(), new Date(), limit),
		{ cache: ['posts'] },
	),
);

export const config: Config = { path: '/api/posts' };
