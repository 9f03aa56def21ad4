import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { credentials, passwordChange, type OpenSession } from './session.ts';

/** Always responds 200, so that a page can ask without an error in the console. */
export const getStatus = endpoint<{ isAuthenticated: boolean }>()({
	method: 'GET',
	path: '/api/admin/status',
	input: z.object({}),
});

export const login = endpoint<{ isAuthenticated: true; email: string }>()({
	method: 'POST',
	path: '/api/admin/login',
	input: credentials,
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

/** Ends all sessions and opens a new one for this browser. */
export const changePassword = endpoint<{ email: string }>()({
	method: 'PUT',
	path: '/api/admin/password',
	input: passwordChange,
});
