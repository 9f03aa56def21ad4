import * as z from 'zod/mini';
import type { RelatedPost } from '#src/features/posts/post.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { QUERY_MAX } from './search.ts';

/** A post that was found. */
export type SearchResult = RelatedPost & {
	/** A part of its text that holds the words. */
	passage: string;
	/** What to mark in title and passage: the words and phrases by which it was found. */
	marks: string[];
	/** The question as it was understood, where a word of it is in no article. */
	corrected?: string;
	/** No article has all words of the question: those that have most of them were taken. */
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

/** The page of results for browsers without JavaScript; a question that is too long is cut. */
export const searchResults = endpoint<string>()({
	method: 'GET',
	path: '/search/results',
	input: z.object({ q: z.optional(z.string()), category: z.optional(z.string()) }),
});
