import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import type { Setup } from './setup.ts';

export const getSetup = endpoint<Setup>()('GET /api/admin/setup', nothing);

/** The set-up no longer asks by itself. */
export const skipSetup = endpoint<{ isDue: false }>()('DELETE /api/admin/setup', nothing);
