import type { Config } from '@netlify/functions';
import * as api from '#src/core/session/session.api.ts';
import { on, serve } from './lib/http.ts';
import { findSignedInAdmin, readSessionId } from './lib/session.ts';

export default serve(
	on(api.getStatus, async (_input, request) => {
		const isAuthenticated = (await findSignedInAdmin(request)) !== null;
		const hasEnded = !isAuthenticated && readSessionId(request) !== null;
		return { isAuthenticated, ...(hasEnded && { hasEnded }) };
	}),
);

export const config: Config = { path: '/api/admin/status' };
