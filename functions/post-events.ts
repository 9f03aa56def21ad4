import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/counts/counts.api.ts';
import { countEvent } from '#src/features/counts/counts.server.ts';
import { eventsPerAddress, consumeAttempt } from '#src/core/limits/limits.server.ts';
import { getSecret } from '#src/lib/env.ts';
import { on, serve } from './lib/http.ts';
import { visitorOf } from './lib/visitor.ts';

export default serve(
	on(
		api.countEvent,
		async ({ id, kind, letter }, request, context) => {
			const [db, secret, now] = [getDb(), getSecret(), new Date()];
			const visitor = visitorOf(request, context);
			await consumeAttempt(db, eventsPerAddress, secret, visitor.address, now);
			const event = { postId: id, kind, letter };
			return (await countEvent(db, event, visitor, secret, now)) ? {} : null;
		},
		{ status: 200 },
	),
);

export const config: Config = {
	path: '/api/posts/:id/events',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 600 },
};
