import type { Config } from '@netlify/functions';
import { getReadDb } from '#db/client.ts';
import * as api from '#src/features/categories/categories.api.ts';
import { listCategoryPosts } from '#src/features/categories/categories.server.ts';
import { on, serve } from './lib/http.ts';

export default serve(
	on(api.listCategoryPosts, ({ slug }) => listCategoryPosts(getReadDb(), slug, new Date()), {
		cache: ['posts', 'categories'],
	}),
);

export const config: Config = { path: '/api/categories/:slug/posts' };
