import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { credentials } from './admin.ts';

/** Always answers 200, so that a page can ask without an error in the console. */
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
