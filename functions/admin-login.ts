import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/core/session/session.api.ts';
import { login, recordFailedLogin } from '#src/core/session/sign-in.server.ts';
import {
	clearAttempts,
	loginsPerAccount,
	loginsPerAddress,
	loginsPerDevice,
	loggedFailures,
	consumeAttempt,
	type Limit,
} from '#src/core/limits/limits.server.ts';
import { MINUTE, SECOND } from '#src/lib/dates.ts';
import { getSecret } from '#src/lib/env.ts';
import { AppError } from '#src/lib/errors.ts';
import { deliverNow } from './lib/deliver.ts';
import { on, serve } from './lib/http.ts';
import { limitSubjectOf } from './lib/public-form.ts';
import { readDevice, signedIn, visitOf } from './lib/session.ts';

export default serve(
	on(
		api.login,
		async (input, request, context) => {
			const db = getDb();
			const secret = getSecret();
			const now = new Date();
			const device = readDevice(request, input.email);
			const visit = visitOf(request, device);
			// A browser that has signed in before is counted separately, so that failures elsewhere do not lock
			// its owner out.
			const limits: [Limit, string][] = device
				? [[loginsPerDevice, device]]
				: [
						[loginsPerAddress, limitSubjectOf(context.ip)],
						[loginsPerAccount, input.email],
					];
			// Counted before the password is checked, so that simultaneous attempts cannot pass together.
			for (const [limit, subject] of limits)
				await consumeAttempt(db, limit, secret, subject, now).catch(sayHowLong);
			const { admin, session } = await login(db, input, visit, now).catch(
				async (error: unknown) => {
					const isAppError = error instanceof AppError;
					// The question for the second factor is no failure.
					const isAsking =
						isAppError && error.code === 'second_factor' && !input.code && !input.passkey;
					if (isAppError && !isAsking && (await isRecorded())) {
						const tried = { email: input.email, knewPassword: error.code !== 'unauthorized' };
						await recordFailedLogin(db, tried, visit.userAgent, now);
					}
					throw error;
				},
			);
			for (const [limit, subject] of limits) await clearAttempts(db, limit, secret, subject);
			if (!device) context.waitUntil(deliverNow());
			return signedIn(admin, session, device);

			function isRecorded(): Promise<boolean> {
				return consumeAttempt(db, loggedFailures, secret, 'all', now).then(
					() => true,
					() => false,
				);
			}
		},
		{ status: 200 },
	),
);

/** Throws what says how long a sign-in waits. */
function sayHowLong(error: unknown): never {
	if (!(error instanceof AppError) || error.retryAfter === undefined) throw error;
	const { retryAfter } = error;
	const minutes = Math.ceil((retryAfter * SECOND) / MINUTE);
	throw new AppError(
		error.code,
		`Too many attempts to sign in. Please try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
		{ retryAfter },
	);
}

export const config: Config = {
	path: '/api/admin/login',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 60 },
};
