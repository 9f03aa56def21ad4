import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/pages/editing.api.ts';
import { getPageRevision } from '#src/features/pages/editing.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.getPageRevision, ({ page, version }) => getPageRevision(getDb(), page, version)),
);

export const config: Config = { path: '/api/admin/pages/:page/revisions/:version' };
