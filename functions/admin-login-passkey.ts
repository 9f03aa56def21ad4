import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { clearAttempts, consumeAttempt, loginsPerAddress } from '#src/core/limits/limits.server.ts';
import * as passkeys from '#src/core/session/passkeys.api.ts';
import { offerChallenge } from '#src/core/session/passkeys.server.ts';
import * as api from '#src/core/session/session.api.ts';
import { loginWithPasskey } from '#src/core/session/sign-in.server.ts';
import { getSecret } from '#src/lib/env.ts';
import { deliverNow } from './lib/deliver.ts';
import { on, serve } from './lib/http.ts';
import { limitSubjectOf } from './lib/public-form.ts';
import { readDevice, signedIn, visitOf } from './lib/session.ts';

export default serve(
	on(passkeys.getChallenge, () => offerChallenge(new Date())),
	on(
		api.loginWithPasskey,
		async ({ passkey }, request, context) => {
			const [db, secret, now] = [getDb(), getSecret(), new Date()];
			const subject = limitSubjectOf(context.ip);
			await consumeAttempt(db, loginsPerAddress, secret, subject, now);
			const visit = (email: string) => visitOf(request, readDevice(request, email));
			const { admin, session } = await loginWithPasskey(db, passkey, visit, now);
			await clearAttempts(db, loginsPerAddress, secret, subject);
			const device = readDevice(request, admin.email);
			if (!device) context.waitUntil(deliverNow());
			return signedIn(admin, session, device);
		},
		{ status: 200 },
	),
);

export const config: Config = {
	path: '/api/admin/login/passkey',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 60 },
};
