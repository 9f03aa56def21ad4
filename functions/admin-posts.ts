import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/posts/editing.api.ts';
import { listAdminPosts } from '#src/features/posts/editing.server.ts';
import { createPost } from '#src/features/posts/saving.server.ts';
import { ADMIN_BODY_BYTES, on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { publishChange, actorOf } from './lib/writing.ts';

export default serveAdmin(
	on(api.listAdminPosts, (query) => listAdminPosts(getDb(), query, new Date())),
	on(
		api.createPost,
		async (form, request, context) =>
			publishChange(await createPost(getDb(), form, actorOf(request)), context),
		{ maxBody: ADMIN_BODY_BYTES },
	),
);

export const config: Config = { path: '/api/admin/posts' };
