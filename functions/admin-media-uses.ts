import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/media/uses.api.ts';
import { listUses } from '#src/features/media/uses.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(on(api.listUses, ({ ids }) => listUses(getDb(), ids.split(','))));

export const config: Config = { path: '/api/admin/media-uses' };
