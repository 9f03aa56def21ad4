import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/posts/editing.api.ts';
import { restorePost } from '#src/features/posts/saving.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { afterChange, by } from './lib/writing.ts';

export default serveAdmin(
	on(
		api.restorePost,
		async ({ id }, request, context) =>
			afterChange(await restorePost(getDb(), id, by(request)), context),
		{ status: 200 },
	),
);

export const config: Config = { path: '/api/admin/posts/:id/restore' };
