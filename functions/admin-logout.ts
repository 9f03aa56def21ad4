import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/core/session/session.api.ts';
import { logout } from '#src/core/session/session.server.ts';
import { ResponseWith } from './lib/response.ts';
import { on, serve } from './lib/http.ts';
import { readSessionId, removeSessionCookies } from './lib/session.ts';

export default serve(
	on(
		api.logout,
		async (_input, request) => {
			const id = readSessionId(request);
			if (id) await logout(getDb(), id, new Date());
			return new ResponseWith({ isAuthenticated: false as const }, {}, removeSessionCookies());
		},
		{ status: 200 },
	),
);

export const config: Config = { path: '/api/admin/logout' };
