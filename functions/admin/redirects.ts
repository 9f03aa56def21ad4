import { getDb } from '#db/client.ts';
import { ADMIN_BODY_BYTES, on } from '#functions/lib/http.ts';
import { actorOf, afterChange } from '#functions/lib/writing.ts';
import { getBuilder } from '#src/core/builds/builder.server.ts';
import * as api from '#src/features/redirects/redirects.api.ts';
import {
	deleteRedirect,
	importRedirects,
	listRedirects,
	saveRedirect,
} from '#src/features/redirects/redirects.server.ts';
import { getEnv } from '#src/lib/env.ts';

export const redirectsRoutes = [
	on(api.listRedirects, (query) =>
		// Where no server of ours runs, the host leads on by itself.
		listRedirects(getDb(), query, getBuilder() !== undefined),
	),
	on(api.saveRedirect, async (redirect, request, context) =>
		afterChange(
			[],
			context,
			await saveRedirect(getDb(), redirect, getEnv().SITE_URL, actorOf(request)),
		),
	),
	on(api.deleteRedirect, async ({ from }, request, context) =>
		afterChange(
			[],
			context,
			await deleteRedirect(getDb(), from, getEnv().SITE_URL, actorOf(request)),
		),
	),
	on(
		api.importRedirects,
		async (file, request, context) =>
			afterChange(
				[],
				context,
				await importRedirects(getDb(), file, getEnv().SITE_URL, actorOf(request)),
			),
		{ status: 200, maxBody: ADMIN_BODY_BYTES },
	),
];
