import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import type { SiteFacts } from './facts.ts';
import { settingsChange, type StoredSettings } from './setting.ts';

export const getSettings = endpoint<StoredSettings>()('GET /api/admin/settings', nothing);

/**
 * Missing fields keep their values. An outdated `version` is a `conflict` that carries what is stored; without a version
 * the save wins.
 */
export const changeSettings = endpoint<StoredSettings>()(
	'PUT /api/admin/settings',
	z.extend(settingsChange, { version: z.optional(z.coerce.number()) }),
);

export const getFacts = endpoint<SiteFacts>()('GET /api/admin/facts', nothing);
