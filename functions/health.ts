import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/core/builds/builds.api.ts';
import { getHealth } from '#src/core/builds/health.server.ts';
import { on, serve } from './lib/http.ts';

export default serve(on(api.getHealth, () => getHealth(getDb()), { open: true }));

export const config: Config = { path: '/api/health' };
