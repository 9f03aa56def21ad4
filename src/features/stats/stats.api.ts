import { endpoint } from '#src/lib/endpoint.ts';
import { statsQuery, type Stats } from './stats.ts';

/** Readers' activity in the last days, in real figures. */
export const getStats = endpoint<Stats>()({
	method: 'GET',
	path: '/api/admin/numbers',
	input: statsQuery,
});
