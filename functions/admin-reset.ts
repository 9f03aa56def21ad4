import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import {
	consumeAttempt,
	resetsPerAccount,
	resetsPerAddress,
} from '#src/core/limits/limits.server.ts';
import { resetPassword } from '#src/core/session/new-password.server.ts';
import { requestReset } from '#src/core/session/reset.server.ts';
import * as api from '#src/core/session/session.api.ts';
import { RESET_MINUTES } from '#src/core/session/session.ts';
import { getSecret } from '#src/lib/env.ts';
import { deliverNow } from './lib/deliver.ts';
import { on, serve } from './lib/http.ts';
import { consumePerAddress } from './lib/public-form.ts';
import { ResponseWith } from './lib/response.ts';
import { knownDevice } from './lib/session.ts';

export default serve(
	on(
		api.requestReset,
		async ({ email }, _request, context) => {
			const [db, now] = [getDb(), new Date()];
			await consumePerAddress(db, resetsPerAddress, context, now);
			await consumeAttempt(db, resetsPerAccount, getSecret(), email, now);
			await requestReset(db, email, now);
			context.waitUntil(deliverNow());
			return { minutes: RESET_MINUTES };
		},
		{ status: 200 },
	),
	on(api.resetPassword, async (input, _request, context) => {
		const [db, now] = [getDb(), new Date()];
		await consumePerAddress(db, resetsPerAddress, context, now);
		const { email } = await resetPassword(db, input, now);
		context.waitUntil(deliverNow());
		return new ResponseWith({ isReset: true as const }, {}, [knownDevice(email)]);
	}),
);

export const config: Config = {
	path: '/api/admin/reset',
	rateLimit: { aggregateBy: ['ip', 'domain'], windowSize: 60, windowLimit: 30 },
};
