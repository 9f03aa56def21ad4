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

/** Counts a view or a share. The response reveals nothing. */
export const countEvent = endpoint<Record<string, never>>()({
	method: 'POST',
	path: '/api/posts/:id/events',
	input: z.object({
		id: z.string(),
		kind: z.enum(['view', 'share'], { error: 'kind must be view or share' }),
		/** Name of the letter whose link led to it. */
		letter: z.optional(z.string().check(z.maxLength(64))),
	}),
});
