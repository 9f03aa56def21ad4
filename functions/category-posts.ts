import type { Config } from '@netlify/functions';
import { getReadDb } from '#db/client.ts';
import * as api from '#src/features/categories/categories.api.ts';
import { isCategory } from '#src/features/categories/categories.server.ts';
import { UNCATEGORIZED } from '#src/features/posts/post.ts';
import { wholeList } from '#src/features/posts/whole-list.server.ts';
import { on, serve } from './lib/http.ts';
import { wholeListResponse } from './lib/whole-list.ts';

export default serve(
	on(
		api.listCategoryPosts,
		async ({ slug }, request) => {
			const isLeftOver = slug === UNCATEGORIZED.slug;
			if (!isLeftOver && !(await isCategory(getReadDb(), slug))) return null;
			const list = await wholeList(getReadDb(), new Date(), slug);
			if (isLeftOver && list.count === 0) return null;
			return wholeListResponse(list, request, 'posts', 'categories');
		},
		{ cache: ['posts', 'categories'] },
	),
);

export const config: Config = { path: '/api/categories/:slug/posts' };
