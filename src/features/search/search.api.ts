import * as z from 'zod/mini';
import type { RelatedPost } from '#src/features/posts/post.ts';
import { endpoint } from '#src/lib/endpoint.ts';

export type SearchResult = RelatedPost;

export const searchPosts = endpoint<SearchResult[]>()({
	method: 'GET',
	path: '/api/posts/search',
	input: z.object({
		q: z.optional(z.string().check(z.trim(), z.maxLength(200, 'Use 200 characters or fewer'))),
	}),
});
