import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/stats/stats.api.ts';
import { countWaiting } from '#src/features/stats/stats.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(on(api.countWaiting, () => countWaiting(getDb())));

export const config: Config = { path: '/api/admin/waiting' };
