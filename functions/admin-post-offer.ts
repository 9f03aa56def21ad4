import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/posts/editing.api.ts';
import { settleOffer } from '#src/features/posts/offers.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';
import { actorOf } from './lib/writing.ts';

export default serveAdmin(
	on(api.settleOffer, ({ id }, request) => settleOffer(getDb(), id, actorOf(request))),
);

export const config: Config = { path: '/api/admin/posts/:id/offer' };
