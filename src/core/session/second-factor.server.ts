import { randomInt } from 'node:crypto';
import { and, eq, lt, ne } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import type { Db } from '#db/client.ts';
import { authenticators, recoveryCodes, sessions, users } from '#db/schema.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import {
	clearAttempts,
	codesPerAccount,
	consumeAttempt,
	passwordChanges,
} from '#src/core/limits/limits.server.ts';
import { SECOND } from '#src/lib/dates.ts';
import { keyedHash } from '#src/lib/digest.ts';
import { getSecret } from '#src/lib/env.ts';
import { AppError } from '#src/lib/errors.ts';
import { seal, unseal } from '#src/lib/token.ts';
import { site } from '#src/site.ts';
import { verifyPassword } from './password.server.ts';
import {
	ASK_FOR_CODE,
	RECOVERY_CODES,
	TOO_MANY_CODES,
	USED_CODE,
	WRONG_CODE,
	type Confirmation,
	type Offer,
	type Proof,
	type SecondFactor,
} from './second-factor.ts';
import { WRONG_PASSWORD } from './session.ts';

type Admin = { id: string; email: string };

const STEP_MS = 30 * SECOND;
/** A clock may be a step behind or ahead. */
const WINDOW = 1;

export async function getSecondFactor(db: Db, admin: Pick<Admin, 'id'>): Promise<SecondFactor> {
	const [app] = await db
		.select({ createdAt: authenticators.createdAt })
		.from(authenticators)
		.where(eq(authenticators.userId, admin.id));
	if (!app) return { isOn: false };
	const codesLeft = await db.$count(recoveryCodes, eq(recoveryCodes.userId, admin.id));
	return { isOn: true, since: app.createdAt.toISOString(), codesLeft };
}

/** Returns a new key for an authenticator app. Nothing is stored. */
export function offerSecondFactor(admin: Admin): Offer {
	const secret = new Secret({ size: 20 });
	const app = new TOTP({ issuer: site.name, label: admin.email, secret });
	return { key: secret.base32, address: app.toString() };
}

/** Asks for codes from now on and ends all other sessions. Throws if the code does not belong to the key. */
export async function turnOnSecondFactor(
	db: Db,
	{ admin, sessionId }: { admin: Admin; sessionId: string },
	{ key, code, password }: Confirmation,
	now: Date,
): Promise<{ codes: string[] }> {
	await provePassword(db, admin, password, now);
	if (await db.$count(authenticators, eq(authenticators.userId, admin.id))) {
		throw new AppError('conflict', 'An authenticator app is set up already.');
	}
	const usedStep = stepOf(key, digitsOf(code), now);
	if (usedStep === null) throw refusal(WRONG_CODE);
	const made = makeRecoveryCodes(admin.id);
	await db.batch([
		db.insert(authenticators).values({
			userId: admin.id,
			key: seal(getSecret(), purposeOf(admin.id), key),
			usedStep,
			createdAt: now,
		}),
		db.delete(recoveryCodes).where(eq(recoveryCodes.userId, admin.id)),
		db.insert(recoveryCodes).values(made.rows),
		db.delete(sessions).where(and(eq(sessions.userId, admin.id), ne(sessions.id, sessionId))),
		auditOf(db, admin, 'set up an authenticator app', now),
	]);
	return { codes: made.codes };
}

/** Replaces the recovery codes. */
export async function renewRecoveryCodes(
	db: Db,
	admin: Admin,
	proof: Proof,
	now: Date,
): Promise<{ codes: string[] }> {
	await prove(db, admin, proof, now);
	const made = makeRecoveryCodes(admin.id);
	await db.batch([
		db.delete(recoveryCodes).where(eq(recoveryCodes.userId, admin.id)),
		db.insert(recoveryCodes).values(made.rows),
		auditOf(db, admin, 'made new recovery codes', now),
	]);
	return { codes: made.codes };
}

/** Makes the password enough again. */
export async function turnOffSecondFactor(
	db: Db,
	admin: Admin,
	proof: Proof,
	now: Date,
): Promise<SecondFactor> {
	await prove(db, admin, proof, now);
	await db.batch([
		...removalOfSecondFactor(db, admin.id),
		auditOf(db, admin, 'removed the authenticator app', now),
	]);
	return { isOn: false };
}

/** Returns the statements that remove an account's app and recovery codes. */
export const removalOfSecondFactor = (db: Db, userId: string) =>
	[
		db.delete(authenticators).where(eq(authenticators.userId, userId)),
		db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
	] as const;

/**
 * Does nothing for an account without an authenticator app. Otherwise throws `second_factor` with what is needed,
 * unless the code is that of the app or a recovery code; neither works twice.
 */
export async function requireSecondFactor(
	db: Db,
	userId: string,
	code: string | undefined,
	now: Date,
): Promise<void> {
	const [app] = await db.select().from(authenticators).where(eq(authenticators.userId, userId));
	if (!app) return;
	if (!code) throw refusal(ASK_FOR_CODE);
	const digits = digitsOf(code);
	// A recovery code is too long to be guessed, so it works also after others have tried all codes of a day.
	if (!/^\d{6}$/.test(digits)) {
		const used = await db
			.delete(recoveryCodes)
			.where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.hash, hashOf(userId, digits))))
			.returning({ hash: recoveryCodes.hash });
		if (used.length === 0) throw refusal(WRONG_CODE);
		return;
	}
	const secret = getSecret();
	// Counted before the code is checked, so that simultaneous attempts cannot pass together.
	await consumeAttempt(db, codesPerAccount, secret, userId, now).catch((error: unknown) => {
		if (!(error instanceof AppError)) throw error;
		throw new AppError(error.code, TOO_MANY_CODES, { retryAfter: error.retryAfter });
	});
	const key = unseal(secret, purposeOf(userId), app.key);
	if (key === null) {
		throw new AppError(
			'unavailable',
			'The SECRET of this site has changed, so no code can be checked: npm run admin -- --remove-second-factor',
		);
	}
	const step = stepOf(key, digits, now);
	if (step === null) throw refusal(WRONG_CODE);
	const accepted = await db
		.update(authenticators)
		.set({ usedStep: step })
		.where(and(eq(authenticators.userId, userId), lt(authenticators.usedStep, step)))
		.returning({ userId: authenticators.userId });
	if (accepted.length === 0) throw refusal(USED_CODE);
	await clearAttempts(db, codesPerAccount, secret, userId);
}

const refusal = (message: string) =>
	new AppError('second_factor', message, { fields: { code: message } });

/** Throws unless password and code are right. */
async function prove(db: Db, admin: Admin, { password, code }: Proof, now: Date): Promise<void> {
	await provePassword(db, admin, password, now);
	await requireSecondFactor(db, admin.id, code, now);
}

async function provePassword(db: Db, admin: Admin, password: string, now: Date): Promise<void> {
	await consumeAttempt(db, passwordChanges, getSecret(), admin.id, now);
	const [user] = await db.select().from(users).where(eq(users.id, admin.id));
	if (!(await verifyPassword(password, user?.password))) {
		throw new AppError('validation', WRONG_PASSWORD, { fields: { password: WRONG_PASSWORD } });
	}
	await clearAttempts(db, passwordChanges, getSecret(), admin.id);
}

/** Returns a code without what people put between its characters. */
const digitsOf = (code: string) => code.toLowerCase().replace(/[\s-]/g, '');

/** Returns the time step whose code this is, or null. */
function stepOf(key: string, code: string, now: Date): number | null {
	const app = new TOTP({ secret: Secret.fromBase32(key), period: STEP_MS / SECOND });
	const delta = app.validate({ token: code, timestamp: now.getTime(), window: WINDOW });
	return delta === null ? null : Math.floor(now.getTime() / STEP_MS) + delta;
}

const purposeOf = (userId: string) => `authenticator ${userId}`;

/** Characters that cannot be taken for each other. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Returns new recovery codes of about 79 bits, as they are shown and as they are stored. */
function makeRecoveryCodes(userId: string) {
	const pick = () => ALPHABET[randomInt(ALPHABET.length)]!;
	const codes = Array.from({ length: RECOVERY_CODES }, () =>
		Array.from({ length: 4 }, () => Array.from({ length: 4 }, pick).join('')).join('-'),
	);
	return { codes, rows: codes.map((code) => ({ hash: hashOf(userId, digitsOf(code)), userId })) };
}

const hashOf = (userId: string, code: string) =>
	keyedHash(getSecret(), 'recovery code', userId, code);

const auditOf = (db: Db, { email }: Admin, action: string, now: Date) =>
	auditStatement(db, { actor: email, action, subject: `account ${email}` }, now);
