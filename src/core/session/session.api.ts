import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { assertion } from './passkeys.ts';
import {
	addressChange,
	credentials,
	passwordChange,
	reset,
	resetRequest,
	type OpenSession,
} from './session.ts';

/** Always responds 200, so that a page can ask without an error in the console. */
export const getStatus = endpoint<{
	isAuthenticated: boolean;
	/** This browser was signed in, and is not any more. */
	hasEnded?: true;
}>()({
	method: 'GET',
	path: '/api/admin/status',
	input: z.object({}),
});

export const login = endpoint<{ isAuthenticated: true; email: string }>()({
	method: 'POST',
	path: '/api/admin/login',
	input: credentials,
});

/** A passkey stands for the password and the code, as the device asked for a finger, a face or a PIN. */
export const loginWithPasskey = endpoint<{ isAuthenticated: true; email: string }>()({
	method: 'POST',
	path: '/api/admin/login/passkey',
	input: z.object({ passkey: assertion }),
});

/** Fails unless the last sign-in is recent, so that a download can ask before it begins. */
export const checkRecentSignIn = endpoint<{ isRecent: true }>()({
	method: 'GET',
	path: '/api/admin/login/recent',
	input: z.object({}),
});

/** Sends a link to a new password by email. The answer is the same for every address. */
export const requestReset = endpoint<{ minutes: number }>()({
	method: 'POST',
	path: '/api/admin/reset',
	input: resetRequest,
});

/** Sets a new password with a mailed link, which works once, and ends all sessions. */
export const resetPassword = endpoint<{ isReset: true }>()({
	method: 'PUT',
	path: '/api/admin/reset',
	input: reset,
});

export const logout = endpoint<{ isAuthenticated: false }>()({
	method: 'POST',
	path: '/api/admin/logout',
	input: z.object({}),
});

/** Open sessions: the current one first, then the newest. */
export const listSessions = endpoint<OpenSession[]>()({
	method: 'GET',
	path: '/api/admin/sessions',
	input: z.object({}),
});

/** Ends all sessions but the current one. */
export const endOtherSessions = endpoint<{ ended: number }>()({
	method: 'DELETE',
	path: '/api/admin/sessions',
	input: z.object({}),
});

export const endSession = endpoint<{ ended: number }>()({
	method: 'DELETE',
	path: '/api/admin/sessions/:id',
	input: z.object({ id: z.string().check(z.maxLength(100)) }),
});

/** The account that is signed in. */
export const getAccount = endpoint<{ email: string }>()({
	method: 'GET',
	path: '/api/admin/account',
	input: z.object({}),
});

/** Gives the account another address: for signing in, and for all notices. Ends all other sessions. */
export const changeAddress = endpoint<{ email: string }>()({
	method: 'PUT',
	path: '/api/admin/account',
	input: addressChange,
});

/** Ends all sessions and opens a new one for this browser. */
export const changePassword = endpoint<{ email: string }>()({
	method: 'PUT',
	path: '/api/admin/password',
	input: passwordChange,
});
