import * as z from 'zod/mini';
import type { PostSummary } from '#src/features/posts/post.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import type { Category } from './category.ts';

export const listCategories = endpoint<Category[]>()({
	method: 'GET',
	path: '/api/categories',
	input: z.object({}),
});

export const listCategoryPosts = endpoint<PostSummary[]>()({
	method: 'GET',
	path: '/api/categories/:slug/posts',
	input: z.object({ slug: z.string() }),
});
