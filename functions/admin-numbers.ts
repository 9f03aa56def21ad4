import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/numbers/numbers.api.ts';
import { getNumbers } from '#src/features/numbers/numbers.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(on(api.getNumbers, ({ days }) => getNumbers(getDb(), days, new Date())));

export const config: Config = { path: '/api/admin/numbers' };
