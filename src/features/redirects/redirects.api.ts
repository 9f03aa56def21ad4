import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import type { Paged } from '#src/lib/paging.ts';
import { MAX_FILE, redirectsQuery, type Origin, type RedirectRow } from './redirect.ts';

export type Redirects = Paged<RedirectRow> & {
	counts: Record<Origin, number>;
	/** True where this host counts how often each redirect is used. */
	areCounted: boolean;
};

/** Former addresses with what they lead to: the admin's own, and those that imports and new addresses made. */
export const listRedirects = endpoint<Redirects>()('GET /api/admin/redirects', redirectsQuery);

const address = z.string().check(z.trim(), z.minLength(1, 'Write an address'), z.maxLength(2000));

/** Leads a former address to another one; one that the admin made before leads there from now on. */
export const saveRedirect = endpoint<RedirectRow & { undo: string | null }>()(
	'POST /api/admin/redirects',
	z.object({ from: address, to: address }),
);

/** Takes away where a former address leads, whoever made it. */
export const deleteRedirect = endpoint<{ from: string; undo: string }>()(
	'DELETE /api/admin/redirects',
	z.object({ from: address }),
);

/** Line of a file that became no redirect, and why. */
export type RefusedLine = { line: number; from: string; reason: string };
export type ImportedRedirects = {
	saved: number;
	/** Those that were there as they are. */
	known: number;
	refused: RefusedLine[];
	undo: string | null;
};

/** Saves one for each line of a file; a line that cannot be one keeps no other from it. A `preview` saves nothing. */
export const importRedirects = endpoint<ImportedRedirects>()(
	'POST /api/admin/redirects/import',
	z.object({
		text: z.string().check(z.maxLength(MAX_FILE, 'The file is larger than 500 KB')),
		preview: z._default(z.boolean(), false),
	}),
);
