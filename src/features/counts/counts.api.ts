import * as z from 'zod/mini';
import type { PostSummary } from '#src/features/posts/post.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';

export const listTrending = endpoint<PostSummary[]>()('GET /api/posts/trending', nothing);

export const listMostShared = endpoint<PostSummary[]>()('GET /api/posts/most-shared', nothing);

/** Counts a view or a share. The response reveals nothing. */
export const countEvent = endpoint<Record<string, never>>()(
	'POST /api/posts/:id/events',
	z.object({
		id: z.string(),
		kind: z.enum(['view', 'share'], { error: 'kind must be view or share' }),
		/** Name of the letter whose link led to it. */
		letter: z.optional(z.string().check(z.maxLength(64))),
	}),
);
