import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/pages/editing.api.ts';
import { createPage, listEditedPages } from '#src/features/pages/editing.server.ts';
import { ADMIN_BODY_BYTES, on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf, publishPages } from './lib/writing.ts';

export default serveAdmin(
	on(api.listEditedPages, () => listEditedPages(getDb())),
	on(
		api.createPage,
		async (page, request, context) =>
			publishPages(await createPage(getDb(), page, actorOf(request)), context),
		{ maxBody: ADMIN_BODY_BYTES },
	),
);

export const config: Config = { path: '/api/admin/pages' };
