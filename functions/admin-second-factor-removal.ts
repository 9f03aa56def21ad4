import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/core/session/second-factor.api.ts';
import { turnOffSecondFactor } from '#src/core/session/second-factor.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin, signedInAdmin } from './lib/session.ts';

export default serveAdmin(
	on(
		api.turnOffSecondFactor,
		(proof, request) => turnOffSecondFactor(getDb(), signedInAdmin(request), proof, new Date()),
		{ status: 200 },
	),
);

export const config: Config = { path: '/api/admin/second-factor/removal' };
