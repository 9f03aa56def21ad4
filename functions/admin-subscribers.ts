import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/newsletter/subscribers.api.ts';
import { listSubscribers, setActive } from '#src/features/newsletter/subscribers.server.ts';
import { purge } from './lib/cache.ts';
import { on } from './lib/http.ts';
import { adminEmailOf, serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.listSubscribers, (query) => listSubscribers(getDb(), query)),
	on(api.activateSubscribers, async (input, request, context) => {
		const done = await setActive(getDb(), input, adminEmailOf(request), new Date());
		context.waitUntil(purge('subscribers'));
		return done;
	}),
);

export const config: Config = { path: '/api/admin/subscribers' };
