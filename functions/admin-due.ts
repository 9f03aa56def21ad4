import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/due/due.api.ts';
import { getDue } from '#src/features/due/due.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(on(api.getDue, () => getDue(getDb(), new Date())));

export const config: Config = { path: '/api/admin/due' };
