import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/core/session/second-factor.api.ts';
import { turnOffSecondFactor } from '#src/core/session/second-factor.server.ts';
import { REMOVAL_MINUTES } from '#src/core/session/session.ts';
import { deliverNow } from './lib/deliver.ts';
import { on } from './lib/http.ts';
import { sensitive, serveAdmin, signedInAdmin } from './lib/session.ts';

export default serveAdmin(
	sensitive(
		on(
			api.turnOffSecondFactor,
			async (_input, request, context) => {
				const answer = await turnOffSecondFactor(getDb(), signedInAdmin(request), new Date());
				context.waitUntil(deliverNow());
				return answer;
			},
			{ status: 200 },
		),
		{ minutes: REMOVAL_MINUTES },
	),
);

export const config: Config = { path: '/api/admin/second-factor/removal' };
