import * as z from 'zod/mini';
import type { RelatedPost } from '#src/features/posts/post.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { KINDS, QUERY_MAX, type Kind } from './search.ts';

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

const question = z.optional(
	z.string().check(z.trim(), z.maxLength(QUERY_MAX, 'Use 200 characters or fewer')),
);
/** Slug of the only category to search. */
const category = z.optional(z.string().check(z.maxLength(100, 'Use 100 characters or fewer')));

export const searchPosts = endpoint<SearchResult[]>()(
	'GET /api/posts/search',
	z.object({ q: question, category }),
);

/** Something that was found. */
export type Found = {
	kind: Kind;
	title: string;
	/** Address with the place where the words stand: the heading's id and a text fragment. */
	url: string;
	/** A passage of its text with the words. */
	snippet: string;
	/** How it was found: by words of the question, or because it means something near. */
	by: 'words' | 'meaning';
	/** An article's category, date and length. */
	note: string;
	/** Words and phrases to mark in title and snippet. */
	marks: string[];
	/** It is much less close than the best, and shown because few are close. */
	less?: true;
};

export type Findings = {
	/** Best first. */
	results: Found[];
	/** How many are close, with those that the limit left out. */
	total: number;
	/** There is more than was ranked. */
	more?: true;
	/** Every kind that has something for this question. */
	kinds: Kind[];
	/** The question as understood, if a word of it occurs nowhere. */
	corrected?: string;
	/** Nothing has all words of the question; these have most of them. */
	partial?: true;
};

const LIMIT = 'limit must be a whole number from 1 to 50';

export const searchEverything = endpoint<Findings>()(
	'GET /api/search',
	z.object({
		q: question,
		kind: z.optional(
			z.enum(Object.keys(KINDS) as Kind[], {
				error: `kind must be one of ${Object.keys(KINDS).join(', ')}`,
			}),
		),
		category,
		limit: z.optional(
			z.coerce
				.number({ error: LIMIT })
				.check(z.int({ error: LIMIT }), z.gte(1, LIMIT), z.lte(50, LIMIT)),
		),
	}),
);

/** The results page for browsers without JavaScript. A question that is too long is cut. */
export const searchResults = endpoint<string>()(
	'GET /search/results',
	z.object({
		q: z.optional(z.string()),
		category: z.optional(z.string()),
		kind: z.optional(z.string()),
		/** The page that sends a browser on, whose address has the question. */
		from: z.optional(z.string()),
	}),
);
