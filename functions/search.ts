import type { Config } from '@netlify/functions';
import { getReadDb } from '#db/client.ts';
import * as api from '#src/features/search/search.api.ts';
import { searchEverything } from '#src/features/search/search.server.ts';
import { on, serve } from './lib/http.ts';

export default serve(
	on(api.searchEverything, (search) => searchEverything(getReadDb(), search, new Date()), {
		cache: ['posts', 'categories', 'states'],
	}),
);

export const config: Config = { path: '/api/search' };
