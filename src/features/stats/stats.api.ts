import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import { statsQuery, type Stats } from './stats.ts';

/** Readers' activity in the last days, in real figures. */
export const getStats = endpoint<Stats>()('GET /api/admin/numbers', statsQuery);

/** How many comments wait for a decision, and how many messages are unread. */
export const countWaiting = endpoint<{ comments: number; messages: number }>()(
	'GET /api/admin/waiting',
	nothing,
);
