import { getDb } from '#db/client.ts';
import { ADMIN_BODY_BYTES, on } from '#functions/lib/http.ts';
import { recordRoutes } from '#functions/lib/record-routes.ts';
import { actorOf, afterChange } from '#functions/lib/writing.ts';
import * as api from '#src/features/pages/editing.api.ts';
import * as editing from '#src/features/pages/editing.server.ts';

export const pagesRoutes = [
	...recordRoutes('page', api, { ...editing.pageStore, list: editing.listPages }),
	on(
		api.createPage,
		async (page, request, context) =>
			afterChange([], context, await editing.createPage(getDb(), page, actorOf(request))),
		{ maxBody: ADMIN_BODY_BYTES },
	),
	on(api.deletePage, async ({ page }, request, context) =>
		afterChange([], context, await editing.deletePage(getDb(), page, actorOf(request))),
	),
];
