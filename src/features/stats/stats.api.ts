import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { statsQuery, type Stats } from './stats.ts';

/** Readers' activity in the last days, in real figures. */
export const getStats = endpoint<Stats>()({
	method: 'GET',
	path: '/api/admin/numbers',
	input: statsQuery,
});

/** How many comments wait for a decision, and how many messages are unread. */
export const countWaiting = endpoint<{ comments: number; messages: number }>()({
	method: 'GET',
	path: '/api/admin/waiting',
	input: z.object({}),
});
