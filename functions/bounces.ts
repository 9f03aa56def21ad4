import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/newsletter/newsletter.api.ts';
import { isSpent, spend } from '#src/core/session/tokens.server.ts';
import { readRefusals, recordRefusal } from '#src/features/newsletter/bounces.server.ts';
import { getEnv } from '#src/lib/env.ts';
import { purge } from './lib/cache.ts';
import { on, serve } from './lib/http.ts';

export default serve(
	on(
		api.reportRefusals,
		async (_, request, context) => {
			const { BOUNCES_SECRET: secret } = getEnv();
			if (!secret) return null;
			const now = new Date();
			const db = getDb();
			const { refusals, once } = readRefusals(request.headers, await request.text(), secret, now);
			if (once && (await isSpent(db, once.token))) return { recorded: 0 };
			for (const refusal of refusals) await recordRefusal(db, refusal, now);
			// Last, so that a report that could not be stored may come again.
			if (once && refusals.length > 0) await spend(db, once.token, once.expiresAt);
			if (refusals.length > 0) context.waitUntil(purge('subscribers'));
			return { recorded: refusals.length };
		},
		{ anyOrigin: true, forms: false, signed: true, status: 200 },
	),
);

export const config: Config = {
	path: '/api/bounces',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 900 },
};
