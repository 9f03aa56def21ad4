import type {
	PublicKeyCredentialCreationOptionsJSON,
	PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import { newPasskey } from './passkeys.ts';

/** A challenge that a passkey signs within five minutes. Stores nothing. */
export const getChallenge = endpoint<PublicKeyCredentialRequestOptionsJSON>()(
	'GET /api/admin/login/passkey',
	nothing,
);

/** Options with which a device makes a passkey. Stores nothing. */
export const offerPasskey = endpoint<PublicKeyCredentialCreationOptionsJSON>()(
	'POST /api/admin/passkeys',
	nothing,
);

/** Returns recovery codes with the first passkey of an account that has none; they are never shown again. */
export const addPasskey = endpoint<{ codes: string[] }>()('PUT /api/admin/passkeys', newPasskey);

/** Gives a passkey another name. It signs in as before. */
export const renamePasskey = endpoint<{ renamed: number }>()(
	'PUT /api/admin/passkeys/:id',
	z.object({ id: z.string().check(z.maxLength(1400)), name: newPasskey.shape.name }),
);

export const removePasskey = endpoint<{ removed: number }>()(
	'DELETE /api/admin/passkeys/:id',
	z.object({ id: z.string().check(z.maxLength(1400)) }),
);
