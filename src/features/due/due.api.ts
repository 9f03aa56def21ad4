import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import type { Due } from './due.ts';

/** Work that is due: sources that answer no more, old figures, and code to be run again. */
export const getDue = endpoint<Due>()({
	method: 'GET',
	path: '/api/admin/due',
	input: z.object({}),
});
