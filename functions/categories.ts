import type { Config } from '@netlify/functions';
import { getReadDb } from '#db/client.ts';
import * as api from '#src/features/categories/categories.api.ts';
import { listCategories } from '#src/features/categories/categories.server.ts';
import { on, serve } from './lib/http.ts';

export default serve(
	on(api.listCategories, () => listCategories(getReadDb(), new Date()), {
		cache: ['posts', 'categories'],
	}),
);

export const config: Config = { path: '/api/categories' };
