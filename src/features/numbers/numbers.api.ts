import { endpoint } from '#src/lib/endpoint.ts';
import { numbersQuery, type Numbers } from './numbers.ts';

/** What readers did in the last days, in real figures. */
export const getNumbers = endpoint<Numbers>()({
	method: 'GET',
	path: '/api/admin/numbers',
	input: numbersQuery,
});
