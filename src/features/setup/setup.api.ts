import * as z from 'zod/mini';
import type { StoredSite } from '#src/core/settings/site-form.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { setupForm, type Setup } from './setup.ts';

export const getSetup = endpoint<Setup>()({
	method: 'GET',
	path: '/api/admin/setup',
	input: z.object({}),
});

/** Saves the answers as one step of the site's history. `undo` takes all of it back. */
export const finishSetup = endpoint<StoredSite & { undo: string | null }>()({
	method: 'PUT',
	path: '/api/admin/setup',
	input: setupForm,
});

/** The set-up no longer asks by itself. */
export const skipSetup = endpoint<{ isDue: false }>()({
	method: 'DELETE',
	path: '/api/admin/setup',
	input: z.object({}),
});
