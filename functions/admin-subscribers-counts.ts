import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/newsletter/subscribers.api.ts';
import { countAll } from '#src/features/newsletter/subscribers.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(on(api.countAllSubscribers, () => countAll(getDb())));

export const config: Config = { path: '/api/admin/subscribers/counts' };
