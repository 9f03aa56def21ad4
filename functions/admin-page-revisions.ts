import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/pages/editing.api.ts';
import { listPageRevisions } from '#src/features/pages/editing.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.listPageRevisions, ({ page }) => listPageRevisions(getDb(), page)),
);

export const config: Config = { path: '/api/admin/pages/:page/revisions' };
