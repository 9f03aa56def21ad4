import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/posts/editing.api.ts';
import { findAlike } from '#src/features/posts/alike.server.ts';
import { on } from './lib/http.ts';
import { serveAdmin } from './lib/session.ts';

export default serveAdmin(
	on(api.findAlike, async (input) => ({ alike: await findAlike(getDb(), input, new Date()) }), {
		status: 200,
	}),
);

export const config: Config = { path: '/api/admin/alike' };
