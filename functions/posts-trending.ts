import type { Config } from '@netlify/functions';
import { getReadDb } from '#db/client.ts';
import * as api from '#src/features/counts/counts.api.ts';
import { listTrending } from '#src/features/counts/counts.server.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { on, serve } from './lib/http.ts';

export default serve(
	on(api.listTrending, () => listTrending(getReadDb(), new Date()), {
		cache: ['posts'],
		cacheMs: MINUTE,
	}),
);

export const config: Config = { path: '/api/posts/trending' };
