import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import type { SiteFacts } from './facts.ts';
import { settingsChange, type StoredSettings } from './setting.ts';

export const getSettings = endpoint<StoredSettings>()({
	method: 'GET',
	path: '/api/admin/settings',
	input: z.object({}),
});

/**
 * Missing fields keep their values. An outdated `version` is a `conflict` that carries what is stored; without a version
 * the save wins.
 */
export const changeSettings = endpoint<StoredSettings>()({
	method: 'PUT',
	path: '/api/admin/settings',
	input: z.extend(settingsChange, { version: z.optional(z.coerce.number()) }),
});

export const getFacts = endpoint<SiteFacts>()({
	method: 'GET',
	path: '/api/admin/facts',
	input: z.object({}),
});
