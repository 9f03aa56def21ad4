import type { StoredSite } from '#src/core/settings/site-form.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { setupForm } from './setup.ts';

/**
 * Saves the answers as one step of the site's history. `undo` takes all of it back. Apart from what each start of the
 * desk asks for: its rules need a parser of SVG.
 */
export const finishSetup = endpoint<StoredSite & { undo: string | null }>()(
	'PUT /api/admin/setup',
	setupForm,
);
