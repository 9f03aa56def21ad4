import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/posts/editing.api.ts';
import { restoreRevision } from '#src/features/posts/revisions.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf } from './lib/writing.ts';

export default serveAdmin(
	on(
		api.restoreRevision,
		({ id, revision }, request) => restoreRevision(getDb(), id, revision, actorOf(request)),
		{ status: 200 },
	),
);

export const config: Config = { path: '/api/admin/posts/:id/revisions/:revision/restore' };
