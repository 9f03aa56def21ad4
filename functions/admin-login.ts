import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/core/session/session.api.ts';
import { login, noteFailedLogin } from '#src/core/session/session.server.ts';
import {
	forget,
	loginsPerAccount,
	loginsPerAddress,
	loginsPerDevice,
	notedFailures,
	take,
	type Limit,
} from '#src/core/limits/limits.server.ts';
import { getSecret } from '#src/lib/env.ts';
import { AppError } from '#src/lib/errors.ts';
import { Answer, on, serve } from './lib/http.ts';
import { subjectOf } from './lib/public-form.ts';
import { deviceCookie, deviceFrom, sessionCookie } from './lib/session.ts';

export default serve(
	on(
		api.login,
		async (input, request, { ip }) => {
			const db = getDb();
			const secret = getSecret();
			const now = new Date();
			const userAgent = (request.headers.get('User-Agent') ?? '').slice(0, 300);
			const device = deviceFrom(request, input.email);
			// A browser that signed in before is counted by itself: failures elsewhere do not lock its owner out.
			const limits: [Limit, string][] = device
				? [[loginsPerDevice, device]]
				: [
						[loginsPerAddress, subjectOf(ip)],
						[loginsPerAccount, input.email],
					];
			// Counted before the password is tried, so that simultaneous tries cannot pass together.
			for (const [limit, subject] of limits) await take(db, limit, secret, subject, now);
			const { admin, session } = await login(db, input, userAgent, now).catch(
				async (error: unknown) => {
					if (error instanceof AppError && (await isNoted())) {
						await noteFailedLogin(db, input.email, userAgent, now);
					}
					throw error;
				},
			);
			for (const [limit, subject] of limits) await forget(db, limit, secret, subject);
			return new Answer({ isAuthenticated: true as const, email: admin.email }, {}, [
				sessionCookie(session),
				deviceCookie(device ?? crypto.randomUUID(), admin.email),
			]);

			function isNoted(): Promise<boolean> {
				return take(db, notedFailures, secret, 'all', now).then(
					() => true,
					() => false,
				);
			}
		},
		{ status: 200 },
	),
);

export const config: Config = {
	path: '/api/admin/login',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 60 },
};
