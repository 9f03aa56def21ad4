import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/newsletter/subscribers.api.ts';
import { importSubscribers } from '#src/features/newsletter/subscribers.server.ts';
import { purge } from './lib/cache.ts';
import { ADMIN_BODY_BYTES, on } from './lib/http.ts';
import { adminEmailOf, sensitive, serveAdmin } from './lib/session.ts';

export default serveAdmin(
	sensitive(
		on(
			api.importSubscribers,
			async (input, request, context) => {
				const done = await importSubscribers(getDb(), input, adminEmailOf(request), new Date());
				context.waitUntil(purge('subscribers'));
				return done;
			},
			{ status: 200, maxBody: ADMIN_BODY_BYTES },
		),
		{ hasPreviews: true },
	),
);

export const config: Config = { path: '/api/admin/subscribers/import' };
