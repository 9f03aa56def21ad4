import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { passphrase } from './passphrase.ts';

/** Everything that is stored in one file, as a stream; with a passphrase also the site's secret. */
export const makeArchive = endpoint<never>()(
	'POST /api/admin/archive',
	z.object({ passphrase: z.optional(passphrase) }),
);
