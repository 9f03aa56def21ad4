import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import { accountForm, NETWORKS, type NetworkView } from './networks.ts';

const path = '/api/admin/networks';

/** Networks with their accounts, and the latest posts there. */
export const listNetworks = endpoint<NetworkView[]>()(`GET ${path}`, nothing);

/** Signs in to an account and keeps it, sealed. */
export const connectNetwork = endpoint<NetworkView[]>()(`POST ${path}`, accountForm);

/** Forgets an account. Its posts stay. */
export const disconnectNetwork = endpoint<NetworkView[]>()(
	`DELETE ${path}/:network`,
	z.object({ network: z.enum(NETWORKS) }),
);

/** Keeps an article from being posted, or takes that back. What was posted stays. */
export const placeOnNetworks = endpoint<{ id: string; isIn: boolean }>()(
	`PUT ${path}/posts/:id`,
	z.object({ id: z.string().check(z.maxLength(64)), isIn: z.boolean() }),
);
