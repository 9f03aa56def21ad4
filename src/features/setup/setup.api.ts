import type { StoredSite } from '#src/core/settings/site-form.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import { setupForm, type Setup } from './setup.ts';

export const getSetup = endpoint<Setup>()('GET /api/admin/setup', nothing);

/** Saves the answers as one step of the site's history. `undo` takes all of it back. */
export const finishSetup = endpoint<StoredSite & { undo: string | null }>()(
	'PUT /api/admin/setup',
	setupForm,
);

/** The set-up no longer asks by itself. */
export const skipSetup = endpoint<{ isDue: false }>()('DELETE /api/admin/setup', nothing);
