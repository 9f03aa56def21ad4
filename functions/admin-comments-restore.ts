import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/comments/moderation.api.ts';
import { restoreComments } from '#src/features/comments/moderation.server.ts';
import { publishModeration } from './lib/moderation.ts';
import { ADMIN_BODY_BYTES, on } from './lib/http.ts';
import { adminEmailOf, serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(
		api.restoreComments,
		async ({ comments }, request, context) => {
			const { restored, postIds } = await restoreComments(
				getDb(),
				comments,
				adminEmailOf(request),
				new Date(),
			);
			publishModeration(postIds, context);
			return { restored };
		},
		{ status: 200, maxBody: ADMIN_BODY_BYTES },
	),
);

export const config: Config = { path: '/api/admin/comments/restore' };
