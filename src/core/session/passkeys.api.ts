import type {
	PublicKeyCredentialCreationOptionsJSON,
	PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { newPasskey } from './passkeys.ts';

/** A challenge that a passkey signs within five minutes. Stores nothing. */
export const getChallenge = endpoint<PublicKeyCredentialRequestOptionsJSON>()({
	method: 'GET',
	path: '/api/admin/login/passkey',
	input: z.object({}),
});

/** Options with which a device makes a passkey. Stores nothing. */
export const offerPasskey = endpoint<PublicKeyCredentialCreationOptionsJSON>()({
	method: 'POST',
	path: '/api/admin/passkeys',
	input: z.object({}),
});

/** Returns recovery codes with the first passkey of an account that has none; they are never shown again. */
export const addPasskey = endpoint<{ codes: string[] }>()({
	method: 'PUT',
	path: '/api/admin/passkeys',
	input: newPasskey,
});

export const removePasskey = endpoint<{ removed: number }>()({
	method: 'DELETE',
	path: '/api/admin/passkeys/:id',
	input: z.object({ id: z.string().check(z.maxLength(1400)) }),
});
