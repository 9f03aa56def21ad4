import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/admin/admin.api.ts';
import { listAllPosts } from '#src/features/admin/admin.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(on(api.listAllPosts, () => listAllPosts(getDb())));

export const config: Config = { path: '/api/admin/posts' };
