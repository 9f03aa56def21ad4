import type { Config } from '@netlify/functions';
import { getReadDb } from '#db/client.ts';
import * as api from '#src/features/search/search.api.ts';
import { ask } from '#src/features/search/asking.server.ts';
import { on, serve } from './lib/http.ts';

export default serve(
	on(api.searchEverything, (search) => ask('everything', getReadDb(), search, new Date()), {
		cache: ['posts', 'categories', 'states'],
	}),
);

export const config: Config = { path: '/api/search' };
