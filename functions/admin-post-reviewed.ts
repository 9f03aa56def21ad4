import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/posts/editing.api.ts';
import { recordReview } from '#src/features/posts/saving.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { publishChange, actorOf } from './lib/writing.ts';

export default serveAdmin(
	on(
		api.recordReview,
		async ({ id }, request, context) =>
			publishChange(await recordReview(getDb(), id, actorOf(request)), context),
		{ status: 200 },
	),
);

export const config: Config = { path: '/api/admin/posts/:id/reviewed' };
