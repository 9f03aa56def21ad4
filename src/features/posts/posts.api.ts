import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import type { ArticleChange } from './changes.ts';
import type { Post, PostSummary, RelatedPost } from './post.ts';

const LIMIT = 'limit must be a whole number from 1 to 100';
const limit = z.coerce
	.number({ error: LIMIT })
	.check(z.int({ error: LIMIT }), z.gte(1, LIMIT), z.lte(100, LIMIT));

export const listPosts = endpoint<PostSummary[]>()(
	'GET /api/posts',
	z.object({ limit: z.optional(limit) }),
);

export const listFeatured = endpoint<PostSummary[]>()('GET /api/posts/featured', nothing);

export const getPost = endpoint<Post>()('GET /api/posts/:slug', z.object({ slug: z.string() }));

/** An article as Markdown, with its page's metadata as front matter. */
export const getPostMarkdown = endpoint<string>()(
	'GET /blog/:slug.md',
	z.object({ slug: z.string() }),
);

/** The updates and corrections of an article, newest first. */
export const listChanges = endpoint<ArticleChange[]>()(
	'GET /api/posts/:slug/changes',
	z.object({ slug: z.string() }),
);

export const listRelated = endpoint<RelatedPost[]>()(
	'GET /api/posts/:id/related',
	z.object({
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
);
