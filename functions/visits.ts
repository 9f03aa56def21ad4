import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { consumeAttempt, eventsPerAddress } from '#src/core/limits/limits.server.ts';
import { isCountable } from '#src/features/counts/counts.server.ts';
import * as api from '#src/features/visits/visits.api.ts';
import { countVisit } from '#src/features/visits/visits.server.ts';
import { getSecret } from '#src/lib/env.ts';
import { on, serve } from './lib/http.ts';
import { visitorOf } from './lib/visitor.ts';

export default serve(
	on(
		api.countVisit,
		async (input, request, context) => {
			const [db, secret, now] = [getDb(), getSecret(), new Date()];
			const visitor = visitorOf(request, context);
			await consumeAttempt(db, eventsPerAddress, secret, visitor.address, now);
			if (isCountable(visitor)) await countVisit(db, input, visitor, secret, now);
			return {};
		},
		{ status: 200 },
	),
);

export const config: Config = {
	path: '/api/visits',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 600 },
};
