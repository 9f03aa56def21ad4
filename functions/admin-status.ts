import type { Config } from '@netlify/functions';
import * as api from '#src/features/admin/admin.api.ts';
import { on, serve } from './lib/http.ts';
import { adminFrom } from './lib/session.ts';

export default serve(
	on(api.getStatus, async (_input, request) => ({
		isAuthenticated: (await adminFrom(request)) !== null,
	})),
);

export const config: Config = { path: '/api/admin/status' };
