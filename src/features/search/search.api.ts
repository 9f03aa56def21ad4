import * as z from 'zod/mini';
import type { RelatedPost } from '#src/features/posts/post.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { QUERY_MAX } from './search.ts';

/** A post in the results. */
export type SearchResult = RelatedPost & {
	/** A passage of its text with the words. */
	passage: string;
	/** Words and phrases to mark in title and passage. */
	marks: string[];
	/** The question as understood, if a word of it occurs in no article. */
	corrected?: string;
	/** No article has all words of the question; these have most of them. */
	partial?: true;
};

export const searchPosts = endpoint<SearchResult[]>()({
	method: 'GET',
	path: '/api/posts/search',
	input: z.object({
		q: z.optional(
			z.string().check(z.trim(), z.maxLength(QUERY_MAX, 'Use 200 characters or fewer')),
		),
		/** Slug of the only category to search. */
		category: z.optional(z.string().check(z.maxLength(100, 'Use 100 characters or fewer'))),
	}),
});

/** The results page for browsers without JavaScript. A question that is too long is cut. */
export const searchResults = endpoint<string>()({
	method: 'GET',
	path: '/search/results',
	input: z.object({ q: z.optional(z.string()), category: z.optional(z.string()) }),
});
