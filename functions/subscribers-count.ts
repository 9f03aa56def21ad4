import type { Config } from '@netlify/functions';
import { getReadDb } from '#db/client.ts';
import * as api from '#src/features/newsletter/newsletter.api.ts';
import { countSubscribers } from '#src/features/newsletter/newsletter.server.ts';
import { on, serve } from './lib/http.ts';

export default serve(
	on(api.countSubscribers, () => countSubscribers(getReadDb()), { cache: ['subscribers'] }),
);

export const config: Config = { path: '/api/subscribers/count' };
