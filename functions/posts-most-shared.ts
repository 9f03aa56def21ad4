import type { Config } from '@netlify/functions';
import { getReadDb } from '#db/client.ts';
import * as api from '#src/features/counts/counts.api.ts';
import { listMostShared } from '#src/features/counts/counts.server.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { on, serve } from './lib/http.ts';

export default serve(
	on(api.listMostShared, () => listMostShared(getReadDb(), new Date()), {
		cache: ['posts'],
		cacheMs: 5 * MINUTE,
	}),
);

export const config: Config = { path: '/api/posts/most-shared' };
