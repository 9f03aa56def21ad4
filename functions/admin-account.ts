import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { consumeAttempt, clearAttempts, passwordChanges } from '#src/core/limits/limits.server.ts';
import { changeAddress } from '#src/core/session/new-password.server.ts';
import * as api from '#src/core/session/session.api.ts';
import { getSecret } from '#src/lib/env.ts';
import { deliverNow } from './lib/deliver.ts';
import { on } from './lib/http.ts';
import {
	adminEmailOf,
	readDevice,
	serveAdmin,
	signedIn,
	signedInAdmin,
	visitOf,
} from './lib/session.ts';

export default serveAdmin(
	on(api.getAccount, async (_input, request) => ({ email: adminEmailOf(request) })),
	on(api.changeAddress, async (input, request, context) => {
		const [db, now, admin] = [getDb(), new Date(), signedInAdmin(request)];
		const device = readDevice(request, admin.email);
		await consumeAttempt(db, passwordChanges, getSecret(), admin.id, now);
		const { userAgent } = visitOf(request, device);
		const session = await changeAddress(db, admin, input, userAgent, now);
		await clearAttempts(db, passwordChanges, getSecret(), admin.id);
		context.waitUntil(deliverNow());
		return signedIn({ ...admin, email: input.email }, session, device);
	}),
);

export const config: Config = { path: '/api/admin/account' };
