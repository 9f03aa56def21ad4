import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/features/admin/admin.api.ts';
import { login } from '#src/features/admin/admin.server.ts';
import {
	forget,
	loginsPerAccount,
	loginsPerAddress,
	take,
} from '#src/features/limits/limits.server.ts';
import { getSecret } from '#src/lib/env.ts';
import { Answer, on, serve } from './lib/http.ts';
import { subjectOf } from './lib/public-form.ts';
import { sessionCookie } from './lib/session.ts';

export default serve(
	on(
		api.login,
		async (input, _request, { ip }) => {
			const db = getDb();
			const secret = getSecret();
			const now = new Date();
			// Counted before the password is tried, so that simultaneous tries cannot pass together.
			await take(db, loginsPerAddress, secret, subjectOf(ip), now);
			await take(db, loginsPerAccount, secret, input.email, now);
			const { admin, session } = await login(db, input, now);
			await forget(db, loginsPerAccount, secret, input.email);
			await forget(db, loginsPerAddress, secret, subjectOf(ip));
			const answer = { isAuthenticated: true as const, email: admin.email };
			return new Answer(answer, { 'Set-Cookie': sessionCookie(session) });
		},
		{ status: 200 },
	),
);

export const config: Config = { path: '/api/admin/login' };
