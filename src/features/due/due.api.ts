import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import type { Due } from './due.ts';

/** Work that is due: sources that answer no more, old figures, code to be run again, and what readers miss. */
export const getDue = endpoint<Due>()('GET /api/admin/due', nothing);
