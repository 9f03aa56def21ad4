import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/core/session/second-factor.api.ts';
import {
	getSecondFactor,
	offerSecondFactor,
	turnOnSecondFactor,
} from '#src/core/session/second-factor.server.ts';
import { deliverNow } from './lib/deliver.ts';
import { on } from './lib/http.ts';
import { readSessionId, sensitive, serveAdmin, signedInAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.getSecondFactor, (_input, request) => getSecondFactor(getDb(), signedInAdmin(request))),
	sensitive(
		on(
			api.offerSecondFactor,
			async (_input, request) => offerSecondFactor(signedInAdmin(request)),
			{ status: 200 },
		),
	),
	sensitive(
		on(api.turnOnSecondFactor, async (input, request, context) => {
			const who = { admin: signedInAdmin(request), sessionId: readSessionId(request)! };
			const made = await turnOnSecondFactor(getDb(), who, input, new Date());
			context.waitUntil(deliverNow());
			return made;
		}),
	),
);

export const config: Config = { path: '/api/admin/second-factor' };
