import { getDb } from '#db/client.ts';
import { ADMIN_BODY_BYTES, on } from '#functions/lib/http.ts';
import { actorOf, afterChange } from '#functions/lib/writing.ts';
import * as api from '#src/features/pages/editing.api.ts';
import {
	createPage,
	listEditedPages,
	deletePage,
	getEditedPage,
	updatePage,
	getPageRevision,
	listPageRevisions,
} from '#src/features/pages/editing.server.ts';

export const pagesRoutes = [
	on(api.listEditedPages, () => listEditedPages(getDb())),
	on(
		api.createPage,
		async (page, request, context) =>
			afterChange([], context, await createPage(getDb(), page, actorOf(request))),
		{ maxBody: ADMIN_BODY_BYTES },
	),
	on(api.getEditedPage, ({ page }) => getEditedPage(getDb(), page)),
	on(
		api.updatePage,
		async ({ page, ...changes }, request, context) =>
			afterChange([], context, await updatePage(getDb(), page, changes, actorOf(request))),
		{ maxBody: ADMIN_BODY_BYTES },
	),
	on(api.deletePage, async ({ page }, request, context) =>
		afterChange([], context, await deletePage(getDb(), page, actorOf(request))),
	),
	on(api.getPageRevision, ({ page, version }) => getPageRevision(getDb(), page, version)),
	on(api.listPageRevisions, ({ page }) => listPageRevisions(getDb(), page)),
];
