import type { Config } from '@netlify/functions';
import { transportKind } from '#src/core/outbox/transport.server.ts';
import * as api from '#src/features/mail/mail.api.ts';
import { getEnv } from '#src/lib/env.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.getTransport, async () => ({ transport: transportKind(getEnv()) })),
);

export const config: Config = { path: '/api/admin/mail/transport' };
