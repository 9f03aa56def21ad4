import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/pages/editing.api.ts';
import { deletePage, getEditedPage, updatePage } from '#src/features/pages/editing.server.ts';
import { ADMIN_BODY_BYTES, on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf, publishPages } from './lib/writing.ts';

export default serveAdmin(
	on(api.getEditedPage, ({ page }) => getEditedPage(getDb(), page)),
	on(
		api.updatePage,
		async ({ page, ...changes }, request, context) =>
			publishPages(await updatePage(getDb(), page, changes, actorOf(request)), context),
		{ maxBody: ADMIN_BODY_BYTES },
	),
	on(api.deletePage, async ({ page }, request, context) =>
		publishPages(await deletePage(getDb(), page, actorOf(request)), context),
	),
);

export const config: Config = { path: '/api/admin/pages/:page' };
