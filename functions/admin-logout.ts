import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/core/session/session.api.ts';
import { logout } from '#src/core/session/session.server.ts';
import { Answer, on, serve } from './lib/http.ts';
import { sessionCookie, sessionIdFrom } from './lib/session.ts';

export default serve(
	on(
		api.logout,
		async (_input, request) => {
			const id = sessionIdFrom(request);
			if (id) await logout(getDb(), id, new Date());
			return new Answer({ isAuthenticated: false as const }, { 'Set-Cookie': sessionCookie() });
		},
		{ status: 200 },
	),
);

export const config: Config = { path: '/api/admin/logout' };
