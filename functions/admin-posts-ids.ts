import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/posts/bulk.api.ts';
import { listPostIds } from '#src/features/posts/editing.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(on(api.listPostIds, (query) => listPostIds(getDb(), query, new Date())));

export const config: Config = { path: '/api/admin/posts/ids' };
