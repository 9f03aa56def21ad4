import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/comments/moderation.api.ts';
import { deleteComments } from '#src/features/comments/moderation.server.ts';
import { publishModeration } from './lib/moderation.ts';
import { on } from './lib/http.ts';
import { adminEmailOf, serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(
		api.deleteComments,
		async ({ ids }, request, context) => {
			const { postIds, ...deleted } = await deleteComments(
				getDb(),
				ids,
				adminEmailOf(request),
				new Date(),
			);
			publishModeration(postIds, context);
			return deleted;
		},
		{ status: 200 },
	),
);

export const config: Config = { path: '/api/admin/comments/delete' };
