import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import { siteForm, type StoredSite } from './site-form.ts';

/** The site's name, looks and links, with the version of what is stored. */
export const getSite = endpoint<StoredSite>()('GET /api/admin/site', nothing);

/**
 * Missing fields keep their values. An outdated `version` is a `conflict` that carries what is stored; without a version
 * the save wins. `undo` takes the save back, and is null where nothing changed.
 */
export const updateSite = endpoint<StoredSite & { undo: string | null }>()(
	'PUT /api/admin/site',
	z.extend(z.partial(siteForm), { version: z.optional(z.coerce.number()) }),
);
