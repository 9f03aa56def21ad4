import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/counts/counts.api.ts';
import { countEvent } from '#src/features/counts/counts.server.ts';
import { eventsPerAddress, consumeAttempt } from '#src/core/limits/limits.server.ts';
import { getSecret } from '#src/lib/env.ts';
import { on, serve } from './lib/http.ts';
import { limitSubjectOf } from './lib/public-form.ts';

export default serve(
	on(
		api.countEvent,
		async ({ id, kind, letter }, { headers }, { ip }) => {
			const [db, secret, now] = [getDb(), getSecret(), new Date()];
			const address = limitSubjectOf(ip);
			await consumeAttempt(db, eventsPerAddress, secret, address, now);
			const visitor = { address, userAgent: headers.get('User-Agent') ?? '' };
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
