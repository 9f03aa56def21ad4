import type { Config } from '@netlify/functions';
import * as api from '#src/core/settings/settings.api.ts';
import { siteFacts } from '#src/core/settings/facts.ts';
import { getEnv } from '#src/lib/env.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(on(api.getFacts, async () => siteFacts(getEnv())));

export const config: Config = { path: '/api/admin/facts' };
