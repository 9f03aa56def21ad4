import { randomInt } from 'node:crypto';
import { and, eq, lt, ne, sql } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import type { Db } from '#db/client.ts';
import { authenticators, passkeys, recoveryCodes, sessions } from '#db/schema.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import { clearAttempts, codesPerAccount, consumeAttempt } from '#src/core/limits/limits.server.ts';
import { SECOND } from '#src/lib/dates.ts';
import { keyedHash } from '#src/lib/digest.ts';
import { getSecret } from '#src/lib/env.ts';
import { AppError } from '#src/lib/errors.ts';
import { seal, unseal } from '#src/lib/token.ts';
import { site } from '#src/site.ts';
import type { Assertion, NewPasskey } from './passkeys.ts';
import { checkNewPasskey, checkPasskey, listPasskeys } from './passkeys.server.ts';
import {
	ASK_FOR_CODE,
	ASK_FOR_EITHER,
	ASK_FOR_PASSKEY,
	RECOVERY_CODES,
	TOO_MANY_CODES,
	USED_CODE,
	WRONG_CODE,
	type Confirmation,
	type Offer,
	type SecondFactor,
} from './second-factor.ts';
import { changeOf, type Admin } from './session.server.ts';

const STEP_MS = 30 * SECOND;
/** A clock may be a step behind or ahead. */
const WINDOW = 1;

export async function getSecondFactor(db: Db, admin: Pick<Admin, 'id'>): Promise<SecondFactor> {
	const [app] = await db
		.select({ createdAt: authenticators.createdAt })
		.from(authenticators)
		.where(eq(authenticators.userId, admin.id));
	return {
		appSince: app?.createdAt.toISOString() ?? null,
		passkeys: await listPasskeys(db, admin.id),
		codesLeft: await db.$count(recoveryCodes, eq(recoveryCodes.userId, admin.id)),
	};
}

/** Returns whether signing in takes an app or a passkey besides the password. */
export async function hasSecondFactor(db: Db, userId: string): Promise<boolean> {
	const { appSince, passkeys } = await getSecondFactor(db, { id: userId });
	return appSince !== null || passkeys.length > 0;
}

/** Returns a new key for an authenticator app. Nothing is stored. */
export function offerSecondFactor(admin: Admin): Offer {
	const secret = new Secret({ size: 20 });
	const app = new TOTP({ issuer: site.name, label: admin.email, secret });
	return { key: secret.base32, address: app.toString() };
}

type Here = { admin: Admin; sessionId: string };

/** Asks for codes from now on and ends all other sessions. Throws if the code does not belong to the key. */
export async function turnOnSecondFactor(
	db: Db,
	{ admin, sessionId }: Here,
	{ key, code }: Confirmation,
	now: Date,
): Promise<{ codes: string[] }> {
	if (await db.$count(authenticators, eq(authenticators.userId, admin.id))) {
		throw new AppError('conflict', 'An authenticator app is set up already.');
	}
	const usedStep = stepOf(key, digitsOf(code), now);
	if (usedStep === null) throw refusal(WRONG_CODE);
	const made = replaceRecoveryCodes(db, admin.id);
	await db.batch([
		db.insert(authenticators).values({
			userId: admin.id,
			key: seal(getSecret(), purposeOf(admin.id), key),
			usedStep,
			createdAt: now,
		}),
		...made.statements,
		endOtherSessions(db, { admin, sessionId }),
		...changeOf(db, admin, 'set up an authenticator app', now),
	]);
	return { codes: made.codes };
}

/**
 * Adds a passkey. The first factor of an account brings recovery codes, which are returned, and ends all other
 * sessions.
 */
export async function addPasskey(
	db: Db,
	{ admin, sessionId }: Here,
	input: NewPasskey,
	now: Date,
): Promise<{ codes: string[] }> {
	const row = await checkNewPasskey(db, admin.id, input, now);
	const isFirst = !(await hasSecondFactor(db, admin.id));
	const made = isFirst ? replaceRecoveryCodes(db, admin.id) : { codes: [], statements: [] };
	await db.batch([
		db.insert(passkeys).values(row),
		...made.statements,
		...(isFirst ? [endOtherSessions(db, { admin, sessionId })] : []),
		...changeOf(db, admin, `added the passkey “${row.name}”`, now),
	]);
	return { codes: made.codes };
}

/** Gives a passkey another name, without an email: it signs in as before. */
export async function renamePasskey(
	db: Db,
	admin: Admin,
	{ id, name }: { id: string; name: string },
	now: Date,
): Promise<{ renamed: number }> {
	const isMine = and(eq(passkeys.id, id), eq(passkeys.userId, admin.id));
	const [before] = await db.select({ name: passkeys.name }).from(passkeys).where(isMine);
	if (!before) return { renamed: 0 };
	const event = {
		actor: admin.email,
		action: `renamed the passkey “${before.name}” to “${name}”`,
		subject: `account ${admin.email}`,
	};
	await db.batch([db.update(passkeys).set({ name }).where(isMine), auditStatement(db, event, now)]);
	return { renamed: 1 };
}

/** Removes a passkey, and the recovery codes where nothing is left that they stand in for. */
export async function removePasskey(
	db: Db,
	admin: Admin,
	id: string,
	now: Date,
): Promise<{ removed: number }> {
	const [gone] = await db
		.delete(passkeys)
		.where(and(eq(passkeys.id, id), eq(passkeys.userId, admin.id)))
		.returning({ name: passkeys.name });
	if (!gone) return { removed: 0 };
	await db.batch([
		dropUselessCodes(db, admin.id),
		...changeOf(db, admin, `removed the passkey “${gone.name}”`, now),
	]);
	return { removed: 1 };
}

/** Replaces the recovery codes. Throws where nothing is set up that they would stand in for. */
export async function renewRecoveryCodes(
	db: Db,
	admin: Admin,
	now: Date,
): Promise<{ codes: string[] }> {
	if (!(await hasSecondFactor(db, admin.id))) {
		throw new AppError('conflict', 'Set up an authenticator app or a passkey first.');
	}
	const made = replaceRecoveryCodes(db, admin.id);
	const [change, notice] = changeOf(db, admin, 'made new recovery codes', now);
	await db.batch([change, notice, ...made.statements]);
	return { codes: made.codes };
}

/** Removes the authenticator app. Without a passkey the password is enough again. */
export async function turnOffSecondFactor(db: Db, admin: Admin, now: Date): Promise<SecondFactor> {
	await db.batch([
		db.delete(authenticators).where(eq(authenticators.userId, admin.id)),
		dropUselessCodes(db, admin.id),
		...changeOf(db, admin, 'removed the authenticator app', now),
	]);
	return getSecondFactor(db, admin);
}

const endOtherSessions = (db: Db, { admin, sessionId }: Here) =>
	db.delete(sessions).where(and(eq(sessions.userId, admin.id), ne(sessions.id, sessionId)));

/** Returns the statement that deletes recovery codes which stand in for nothing. */
const dropUselessCodes = (db: Db, userId: string) =>
	db
		.delete(recoveryCodes)
		.where(
			and(
				eq(recoveryCodes.userId, userId),
				sql`not exists (select 1 from ${authenticators} where ${authenticators.userId} = ${userId})`,
				sql`not exists (select 1 from ${passkeys} where ${passkeys.userId} = ${userId})`,
			),
		);

/** Returns the statements that remove an account's app, passkeys and recovery codes. */
export const removalOfSecondFactor = (db: Db, userId: string) =>
	[
		db.delete(authenticators).where(eq(authenticators.userId, userId)),
		db.delete(passkeys).where(eq(passkeys.userId, userId)),
		db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
	] as const;

/**
 * Does nothing for an account without an authenticator app or a passkey. Otherwise throws `second_factor` with what is
 * needed, unless a passkey signed or the code is that of the app or a recovery code; none works twice.
 */
export async function requireSecondFactor(
	db: Db,
	userId: string,
	{ code, passkey }: { code?: string | undefined; passkey?: Assertion | undefined },
	now: Date,
): Promise<void> {
	if (!(await hasSecondFactor(db, userId))) return;
	if (passkey) return void (await checkPasskey(db, passkey, { userId, alone: false }, now));
	const [app] = await db.select().from(authenticators).where(eq(authenticators.userId, userId));
	if (!code) {
		if (!app) throw refusal(ASK_FOR_PASSKEY);
		const hasPasskey = (await db.$count(passkeys, eq(passkeys.userId, userId))) > 0;
		throw refusal(hasPasskey ? ASK_FOR_EITHER : ASK_FOR_CODE);
	}
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
	if (!app) throw refusal(ASK_FOR_PASSKEY);
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

/** Returns new recovery codes of about 79 bits, as they are shown, and the statements that store them. */
function replaceRecoveryCodes(db: Db, userId: string) {
	const pick = () => ALPHABET[randomInt(ALPHABET.length)]!;
	const codes = Array.from({ length: RECOVERY_CODES }, () =>
		Array.from({ length: 4 }, () => Array.from({ length: 4 }, pick).join('')).join('-'),
	);
	const rows = codes.map((code) => ({ hash: hashOf(userId, digitsOf(code)), userId }));
	return {
		codes,
		statements: [
			db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
			db.insert(recoveryCodes).values(rows),
		],
	};
}

const hashOf = (userId: string, code: string) =>
	keyedHash(getSecret(), 'recovery code', userId, code);
