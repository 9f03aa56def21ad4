import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/states/editing.api.ts';
import { listStateRevisions } from '#src/features/states/editing.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.listStateRevisions, ({ slug }) => listStateRevisions(getDb(), slug)),
);

export const config: Config = { path: '/api/admin/states/:slug/revisions' };
