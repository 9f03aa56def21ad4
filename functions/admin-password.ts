import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import * as api from '#src/core/session/session.api.ts';
import { changePassword } from '#src/core/session/new-password.server.ts';
import { clearAttempts, passwordChanges, consumeAttempt } from '#src/core/limits/limits.server.ts';
import { getSecret } from '#src/lib/env.ts';
import { deliverNow } from './lib/deliver.ts';
import { ResponseWith } from './lib/response.ts';
import { on } from './lib/http.ts';
import { signedInAdmin, serveAdmin, setSessionCookie } from './lib/session.ts';

export default serveAdmin(
	on(api.changePassword, async (input, request, context) => {
		const db = getDb();
		const now = new Date();
		const admin = signedInAdmin(request);
		const userAgent = (request.headers.get('User-Agent') ?? '').slice(0, 300);
		await consumeAttempt(db, passwordChanges, getSecret(), admin.id, now);
		const session = await changePassword(db, admin, input, userAgent, now);
		await clearAttempts(db, passwordChanges, getSecret(), admin.id);
		context.waitUntil(deliverNow());
		return new ResponseWith({ email: admin.email }, {}, [setSessionCookie(session)]);
	}),
);

export const config: Config = { path: '/api/admin/password' };
