import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { confirmation, type Offer, type SecondFactor } from './second-factor.ts';

export const getSecondFactor = endpoint<SecondFactor>()({
	method: 'GET',
	path: '/api/admin/second-factor',
	input: z.object({}),
});

/** Stores nothing: the key counts once `turnOnSecondFactor` brings a code of the app. */
export const offerSecondFactor = endpoint<Offer>()({
	method: 'POST',
	path: '/api/admin/second-factor',
	input: z.object({}),
});

/** Ends all other sessions. Returns the recovery codes, which are never shown again. */
export const turnOnSecondFactor = endpoint<{ codes: string[] }>()({
	method: 'PUT',
	path: '/api/admin/second-factor',
	input: confirmation,
});

/** Replaces the recovery codes. Returns the new ones, which are never shown again. */
export const renewRecoveryCodes = endpoint<{ codes: string[] }>()({
	method: 'POST',
	path: '/api/admin/second-factor/codes',
	input: z.object({}),
});

export const turnOffSecondFactor = endpoint<SecondFactor>()({
	method: 'POST',
	path: '/api/admin/second-factor/removal',
	input: z.object({}),
});
