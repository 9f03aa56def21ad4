import type { Config } from '@netlify/functions';
import * as api from '#src/features/media/media.api.ts';
import { fetchPicture } from '#src/features/media/fetch.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(on(api.fetchPicture, ({ url }) => fetchPicture(url), { status: 200 }));

export const config: Config = { path: '/api/admin/media/fetch' };
