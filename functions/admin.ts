import type { Config } from '@netlify/functions';
import { serveAdmin } from './lib/session.ts';

/** Catches every other admin address: 404, or 401 without a session. */
export default serveAdmin();

export const config: Config = { path: ['/api/admin', '/api/admin/*'] };
