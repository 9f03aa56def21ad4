import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/core/session/passkeys.api.ts';
import { removePasskey } from '#src/core/session/second-factor.server.ts';
import { REMOVAL_MINUTES } from '#src/core/session/session.ts';
import { deliverNow } from './lib/deliver.ts';
import { on } from './lib/http.ts';
import { sensitive, serveAdmin, signedInAdmin } from './lib/session.ts';

export default serveAdmin(
	sensitive(
		on(api.removePasskey, async ({ id }, request, context) => {
			const gone = await removePasskey(getDb(), signedInAdmin(request), id, new Date());
			context.waitUntil(deliverNow());
			return gone;
		}),
		{ minutes: REMOVAL_MINUTES },
	),
);

export const config: Config = { path: '/api/admin/passkeys/:id' };
