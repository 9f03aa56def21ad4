import * as z from 'zod/mini';
import type { PostSummary } from '#src/features/posts/post.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import type { Category } from './category.ts';

export const listCategories = endpoint<Category[]>()('GET /api/categories', nothing);

export const listCategoryPosts = endpoint<PostSummary[]>()(
	'GET /api/categories/:slug/posts',
	z.object({ slug: z.string() }),
);
