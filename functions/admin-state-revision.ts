import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/states/editing.api.ts';
import { getStateRevision } from '#src/features/states/editing.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.getStateRevision, ({ slug, version }) => getStateRevision(getDb(), slug, version)),
);

export const config: Config = { path: '/api/admin/states/:slug/revisions/:version' };
