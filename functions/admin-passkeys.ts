import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/core/session/passkeys.api.ts';
import { offerPasskey } from '#src/core/session/passkeys.server.ts';
import { addPasskey } from '#src/core/session/second-factor.server.ts';
import { deliverNow } from './lib/deliver.ts';
import { on } from './lib/http.ts';
import { readSessionId, sensitive, serveAdmin, signedInAdmin } from './lib/session.ts';

export default serveAdmin(
	sensitive(
		on(
			api.offerPasskey,
			(_input, request) => offerPasskey(getDb(), signedInAdmin(request), new Date()),
			{ status: 200 },
		),
	),
	sensitive(
		on(api.addPasskey, async (input, request, context) => {
			const here = { admin: signedInAdmin(request), sessionId: readSessionId(request)! };
			const added = await addPasskey(getDb(), here, input, new Date());
			context.waitUntil(deliverNow());
			return added;
		}),
	),
);

export const config: Config = { path: '/api/admin/passkeys' };
