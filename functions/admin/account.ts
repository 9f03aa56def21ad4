import { getDb } from '#db/client.ts';
import { deliverNow } from '#functions/lib/deliver.ts';
import { on } from '#functions/lib/http.ts';
import { ResponseWith } from '#functions/lib/response.ts';
import {
	adminEmailOf,
	readDevice,
	signedIn,
	signedInAdmin,
	visitOf,
	sensitive,
	setSessionCookie,
	readSessionId,
} from '#functions/lib/session.ts';
import { consumeAttempt, clearAttempts, passwordChanges } from '#src/core/limits/limits.server.ts';
import { changeAddress, changePassword } from '#src/core/session/new-password.server.ts';
import * as passkeys from '#src/core/session/passkeys.api.ts';
import { offerPasskey } from '#src/core/session/passkeys.server.ts';
import * as secondFactor from '#src/core/session/second-factor.api.ts';
import {
	removePasskey,
	renamePasskey,
	addPasskey,
	getSecondFactor,
	offerSecondFactor,
	turnOnSecondFactor,
	renewRecoveryCodes,
	turnOffSecondFactor,
} from '#src/core/session/second-factor.server.ts';
import * as api from '#src/core/session/session.api.ts';
import { endSessions, listSessions } from '#src/core/session/session.server.ts';
import { REMOVAL_MINUTES } from '#src/core/session/session.ts';
import { getSecret } from '#src/lib/env.ts';

export const accountRoutes = [
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
	sensitive(on(api.checkRecentSignIn, async () => ({ isRecent: true as const }))),
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
	on(passkeys.renamePasskey, (input, request) =>
		renamePasskey(getDb(), signedInAdmin(request), input, new Date()),
	),
	sensitive(
		on(passkeys.removePasskey, async ({ id }, request, context) => {
			const gone = await removePasskey(getDb(), signedInAdmin(request), id, new Date());
			context.waitUntil(deliverNow());
			return gone;
		}),
		{ minutes: REMOVAL_MINUTES },
	),
	sensitive(
		on(
			passkeys.offerPasskey,
			(_input, request) => offerPasskey(getDb(), signedInAdmin(request), new Date()),
			{ status: 200 },
		),
	),
	sensitive(
		on(passkeys.addPasskey, async (input, request, context) => {
			const here = { admin: signedInAdmin(request), sessionId: readSessionId(request)! };
			const added = await addPasskey(getDb(), here, input, new Date());
			context.waitUntil(deliverNow());
			return added;
		}),
	),
	on(secondFactor.getSecondFactor, (_input, request) =>
		getSecondFactor(getDb(), signedInAdmin(request)),
	),
	sensitive(
		on(
			secondFactor.offerSecondFactor,
			async (_input, request) => offerSecondFactor(signedInAdmin(request)),
			{ status: 200 },
		),
	),
	sensitive(
		on(secondFactor.turnOnSecondFactor, async (input, request, context) => {
			const who = { admin: signedInAdmin(request), sessionId: readSessionId(request)! };
			const made = await turnOnSecondFactor(getDb(), who, input, new Date());
			context.waitUntil(deliverNow());
			return made;
		}),
	),
	sensitive(
		on(
			secondFactor.renewRecoveryCodes,
			async (_input, request, context) => {
				const answer = await renewRecoveryCodes(getDb(), signedInAdmin(request), new Date());
				context.waitUntil(deliverNow());
				return answer;
			},
			{ status: 200 },
		),
		{ minutes: REMOVAL_MINUTES },
	),
	sensitive(
		on(
			secondFactor.turnOffSecondFactor,
			async (_input, request, context) => {
				const answer = await turnOffSecondFactor(getDb(), signedInAdmin(request), new Date());
				context.waitUntil(deliverNow());
				return answer;
			},
			{ status: 200 },
		),
		{ minutes: REMOVAL_MINUTES },
	),
	on(api.endSession, ({ id }, request) => {
		const who = { admin: signedInAdmin(request), sessionId: readSessionId(request)!, id };
		return endSessions(getDb(), who, new Date());
	}),
	on(api.listSessions, (_input, request) => {
		const who = { userId: signedInAdmin(request).id, sessionId: readSessionId(request)! };
		return listSessions(getDb(), who, new Date());
	}),
	on(api.endOtherSessions, (_input, request) => {
		const who = { admin: signedInAdmin(request), sessionId: readSessionId(request)! };
		return endSessions(getDb(), who, new Date());
	}),
];
