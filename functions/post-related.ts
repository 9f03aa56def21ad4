import type { Config } from '@netlify/functions';
import { getReadDb } from '#db/client.ts';
import * as api from '#src/features/posts/posts.api.ts';
import { listRelated } from '#src/features/posts/posts.server.ts';
import { AppError } from '#src/lib/errors.ts';
import { on, serve } from './lib/http.ts';

export default serve(
	on(
		api.listRelated,
		async (query) => {
			const related = await listRelated(getReadDb(), query, new Date());
			// The message of product.md section 7.
			if (!related) throw new AppError('not_found', 'Failed to fetch related posts');
			return related;
		},
		{ cache: ['posts'] },
	),
);

export const config: Config = { path: '/api/posts/:id/related' };
