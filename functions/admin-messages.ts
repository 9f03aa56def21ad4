import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/contact/messages.api.ts';
import { listMessages } from '#src/features/contact/messages.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(on(api.listMessages, (query) => listMessages(getDb(), query)));

export const config: Config = { path: '/api/admin/messages' };
