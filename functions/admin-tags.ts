import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/posts/editing.api.ts';
import { completeTags } from '#src/features/posts/tags.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(on(api.completeTags, ({ q }) => completeTags(getDb(), q)));

export const config: Config = { path: '/api/admin/tags' };
