import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import { assertion } from './passkeys.ts';
import {
	addressChange,
	credentials,
	passwordChange,
	reset,
	resetRequest,
	type OpenSession,
} from './session.ts';

/**
 * Always responds 200, so that a page can ask without an error in the console. Says nothing of the account: whoever asks may
 * be anybody.
 */
export const getStatus = endpoint<{
	isAuthenticated: boolean;
	/** This browser was signed in, and is not any more. */
	hasEnded?: true;
}>()('GET /api/admin/status', nothing);

export const login = endpoint<{ isAuthenticated: true; email: string }>()(
	'POST /api/admin/login',
	credentials,
);

/** A passkey stands for the password and the code, as the device asked for a finger, a face or a PIN. */
export const loginWithPasskey = endpoint<{ isAuthenticated: true; email: string }>()(
	'POST /api/admin/login/passkey',
	z.object({ passkey: assertion }),
);

/** Fails unless the last sign-in is recent, so that a download can ask before it begins. */
export const checkRecentSignIn = endpoint<{ isRecent: true }>()(
	'GET /api/admin/login/recent',
	nothing,
);

/** Sends a link to a new password by email. The answer is the same for every address. */
export const requestReset = endpoint<{ minutes: number }>()('POST /api/admin/reset', resetRequest);

/** Sets a new password with a mailed link, which works once, and ends all sessions. */
export const resetPassword = endpoint<{ isReset: true }>()('PUT /api/admin/reset', reset);

export const logout = endpoint<{ isAuthenticated: false }>()('POST /api/admin/logout', nothing);

/** Open sessions: the current one first, then the newest. */
export const listSessions = endpoint<OpenSession[]>()('GET /api/admin/sessions', nothing);

/** Ends all sessions but the current one. */
export const endOtherSessions = endpoint<{ ended: number }>()(
	'DELETE /api/admin/sessions',
	nothing,
);

export const endSession = endpoint<{ ended: number }>()(
	'DELETE /api/admin/sessions/:id',
	z.object({ id: z.string().check(z.maxLength(100)) }),
);

/** The account that is signed in. */
export const getAccount = endpoint<{ email: string }>()('GET /api/admin/account', nothing);

/** Gives the account another address: for signing in, and for all notices. Ends all other sessions. */
export const changeAddress = endpoint<{ email: string }>()('PUT /api/admin/account', addressChange);

/** Ends all sessions and opens a new one for this browser. */
export const changePassword = endpoint<{ email: string }>()(
	'PUT /api/admin/password',
	passwordChange,
);
