import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/posts/bulk.api.ts';
import { bulkPosts } from '#src/features/posts/bulk.server.ts';
import { ADMIN_BODY_BYTES, on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf, publishChange } from './lib/writing.ts';

export default serveAdmin(
	on(
		api.bulkPosts,
		async (input, request, context) =>
			publishChange(await bulkPosts(getDb(), input, actorOf(request)), context),
		{ status: 200, maxBody: ADMIN_BODY_BYTES },
	),
);

export const config: Config = { path: '/api/admin/posts/bulk' };
