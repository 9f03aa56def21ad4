import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/core/session/second-factor.api.ts';
import {
	getSecondFactor,
	offerSecondFactor,
	turnOnSecondFactor,
} from '#src/core/session/second-factor.server.ts';
import { on } from './lib/http.ts';
import { readSessionId, serveAdmin, signedInAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.getSecondFactor, (_input, request) => getSecondFactor(getDb(), signedInAdmin(request))),
	on(api.offerSecondFactor, async (_input, request) => offerSecondFactor(signedInAdmin(request)), {
		status: 200,
	}),
	on(api.turnOnSecondFactor, (input, request) => {
		const who = { admin: signedInAdmin(request), sessionId: readSessionId(request)! };
		return turnOnSecondFactor(getDb(), who, input, new Date());
	}),
);

export const config: Config = { path: '/api/admin/second-factor' };
