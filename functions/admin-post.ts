import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/posts/editing.api.ts';
import { getEditedPost } from '#src/features/posts/editing.server.ts';
import { deletePost, updatePost } from '#src/features/posts/saving.server.ts';
import { ADMIN_BODY_BYTES, on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { publishChange, actorOf } from './lib/writing.ts';

export default serveAdmin(
	on(api.getEditedPost, ({ id }) => getEditedPost(getDb(), id, new Date())),
	on(
		api.updatePost,
		async ({ id, ...change }, request, context) =>
			publishChange(await updatePost(getDb(), id, change, actorOf(request)), context),
		{ maxBody: ADMIN_BODY_BYTES },
	),
	on(api.deletePost, async ({ id }, request, context) =>
		publishChange(await deletePost(getDb(), id, actorOf(request)), context),
	),
);

export const config: Config = { path: '/api/admin/posts/:id' };
