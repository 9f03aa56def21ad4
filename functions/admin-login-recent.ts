import type { Config } from '@netlify/functions';
import * as api from '#src/core/session/session.api.ts';
import { on } from './lib/http.ts';
import { sensitive, serveAdmin } from './lib/session.ts';

export default serveAdmin(
	sensitive(on(api.checkRecentSignIn, async () => ({ isRecent: true as const }))),
);

export const config: Config = { path: '/api/admin/login/recent' };
