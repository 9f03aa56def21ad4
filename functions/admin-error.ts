import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/errors/errors.api.ts';
import { dismissPageError } from '#src/features/errors/errors.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(on(api.dismissPageError, ({ id }) => dismissPageError(getDb(), id)));

export const config: Config = { path: '/api/admin/errors/:id' };
