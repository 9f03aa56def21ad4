import type { Config } from '@netlify/functions';
import * as api from '#src/core/session/session.api.ts';
import { on, serve } from './lib/http.ts';
import { findSignedInAdmin } from './lib/session.ts';

export default serve(
	on(api.getStatus, async (_input, request) => ({
		isAuthenticated: (await findSignedInAdmin(request)) !== null,
	})),
);

export const config: Config = { path: '/api/admin/status' };
