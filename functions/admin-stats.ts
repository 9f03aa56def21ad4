import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/stats/stats.api.ts';
import { getStats } from '#src/features/stats/stats.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(on(api.getStats, ({ days }) => getStats(getDb(), days, new Date())));

export const config: Config = { path: '/api/admin/numbers' };
