import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/media/media.api.ts';
import { deleteUnused } from '#src/features/media/media.server.ts';
import { purge } from './lib/cache.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf } from './lib/writing.ts';

export default serveAdmin(
	on(
		api.deleteUnused,
		async ({ ids }, request, context) => {
			const answer = await deleteUnused(getDb(), ids, actorOf(request));
			if (answer.undo) context.waitUntil(purge('media'));
			return answer;
		},
		{ status: 200 },
	),
);

export const config: Config = { path: '/api/admin/media/delete-unused' };
