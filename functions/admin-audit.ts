import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/core/audit/audit.api.ts';
import { listAudit } from '#src/core/audit/audit.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(on(api.listAudit, (query) => listAudit(getDb(), query)));

export const config: Config = { path: '/api/admin/audit' };
