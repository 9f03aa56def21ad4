import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/newsletter/letters.api.ts';
import { getLetter } from '#src/features/newsletter/letters.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(on(api.getLetter, ({ id }) => getLetter(getDb(), id, new Date())));

export const config: Config = { path: '/api/admin/letters/:id' };
