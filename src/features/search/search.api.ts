import * as z from 'zod/mini';
import type { RelatedPost } from '#src/features/posts/post.ts';
import { endpoint } from '#src/lib/endpoint.ts';

/** A post that was found. */
export type SearchResult = RelatedPost & {
	/** A part of its text that holds the words. */
	passage: string;
	/** The query that found it, where the one that was typed finds nothing. */
	corrected?: string;
};

export const searchPosts = endpoint<SearchResult[]>()({
	method: 'GET',
	path: '/api/posts/search',
	input: z.object({
		q: z.optional(z.string().check(z.trim(), z.maxLength(200, 'Use 200 characters or fewer'))),
		/** Slug of the only category to search. */
		category: z.optional(z.string().check(z.maxLength(100, 'Use 100 characters or fewer'))),
	}),
});
