import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import type { ArticleChange } from './changes.ts';
import type { Post, PostSummary, RelatedPost } from './post.ts';

const LIMIT = 'limit must be a whole number from 1 to 100';
const limit = z.coerce
	.number({ error: LIMIT })
	.check(z.int({ error: LIMIT }), z.gte(1, LIMIT), z.lte(100, LIMIT));

export const listPosts = endpoint<PostSummary[]>()({
	method: 'GET',
	path: '/api/posts',
	input: z.object({ limit: z.optional(limit) }),
});

export const listFeatured = endpoint<PostSummary[]>()({
	method: 'GET',
	path: '/api/posts/featured',
	input: z.object({}),
});

export const getPost = endpoint<Post>()({
	method: 'GET',
	path: '/api/posts/:slug',
	input: z.object({ slug: z.string() }),
});

/** An article as Markdown, with its page's metadata as front matter. */
export const getPostMarkdown = endpoint<string>()({
	method: 'GET',
	path: '/blog/:slug.md',
	input: z.object({ slug: z.string() }),
});

/** The updates and corrections of an article, newest first. */
export const listChanges = endpoint<ArticleChange[]>()({
	method: 'GET',
	path: '/api/posts/:slug/changes',
	input: z.object({ slug: z.string() }),
});

export const listRelated = endpoint<RelatedPost[]>()({
	method: 'GET',
	path: '/api/posts/:id/related',
	input: z.object({
		id: z.string(),
		categoryId: z.optional(z.string()),
		/** Ids, slugs or names; the key may be repeated. */
		tags: z.optional(
			z.pipe(
				z.transform((tags) => [tags].flat()),
				z.array(z.string()).check(z.maxLength(50, 'Use 50 tags or fewer')),
			),
		),
		limit: z.optional(limit),
	}),
});
