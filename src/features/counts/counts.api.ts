import * as z from 'zod/mini';
import type { PostSummary } from '#src/features/posts/post.ts';
import { endpoint } from '#src/lib/endpoint.ts';

export const listTrending = endpoint<PostSummary[]>()({
	method: 'GET',
	path: '/api/posts/trending',
	input: z.object({}),
});

export const listMostShared = endpoint<PostSummary[]>()({
	method: 'GET',
	path: '/api/posts/most-shared',
	input: z.object({}),
});
