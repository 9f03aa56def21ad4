import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/posts/editing.api.ts';
import { getRevision } from '#src/features/posts/revisions.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.getRevision, ({ id, revision }) => getRevision(getDb(), id, revision)),
);

export const config: Config = { path: '/api/admin/posts/:id/revisions/:revision' };
