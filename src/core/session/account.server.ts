/** The one account and its password: made, changed, set anew. Apart from signing in, which needs no lists of passwords. */
import { eq } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { sessions, users } from '#db/schema.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import { clearAttempts, loginsPerAccount } from '#src/core/limits/limits.server.ts';
import { EnvError, getSecret } from '#src/lib/env.ts';
import { AppError } from '#src/lib/errors.ts';
import { site } from '#src/site.ts';
import { generatePassword, hashPassword, verifyPassword } from './password.server.ts';
import { endedLink, openReset } from './reset.server.ts';
import { changeOf, hasSecondFactor, removalOfSecondFactor } from './second-factor.server.ts';
import { newSession, type Admin, type Session } from './session.server.ts';
import {
	COMMON_PASSWORD,
	newPassword,
	WRONG_PASSWORD,
	type PasswordChange,
	type Reset,
} from './session.ts';
import { strengthOf } from './strength.ts';
import { spend } from './tokens.server.ts';

const DEFAULT_EMAIL = 'admin@groundtruth.example';

/** Returns the admin's address, or undefined if there is none yet. */
export async function findAdmin(
	db: Db,
): Promise<{ email: string; generatedPassword?: string } | undefined> {
	const [existing] = await db.select({ email: users.email }).from(users).limit(1);
	return existing;
}

/** Throws if the environment's password breaks the rule for new ones. It is not used once there is an admin. */
export async function assertStrongPassword(password: string | undefined): Promise<void> {
	const reason = password && (await faultOf(password));
	if (reason) throw new EnvError(`Invalid environment: ADMIN_PASSWORD. ${reason}.`);
}

/**
 * Creates the one admin if there is none. Returns the password if it was generated, which is the only time that
 * anybody sees it.
 */
export async function ensureAdmin(
	db: Db,
	{
		email = DEFAULT_EMAIL,
		password,
	}: { email?: string | undefined; password?: string | undefined },
): Promise<{ email: string; generatedPassword?: string }> {
	const existing = await findAdmin(db);
	if (existing) return existing;
	await assertStrongPassword(password);
	const chosen = password ?? generatePassword();
	const made = await db
		.insert(users)
		.values({ username: 'admin', email: email.toLowerCase(), password: await hashPassword(chosen) })
		.onConflictDoNothing()
		.returning({ id: users.id });
	// Another process came first, and its password counts.
	if (made.length === 0) return { email: email.toLowerCase() };
	return {
		email: email.toLowerCase(),
		...(password === undefined && { generatedPassword: chosen }),
	};
}

/**
 * Sets the admin's password, and the address if one is given; creates the admin if there is none. Ends all
 * sessions. Used by the command on the machine, which is the way back in after a forgotten password or, with
 * `removesSecondFactor`, a lost phone.
 */
export async function setAdmin(
	db: Db,
	{
		email,
		password,
		removesSecondFactor = false,
	}: { email?: string | undefined; password: string; removesSecondFactor?: boolean },
	now: Date,
): Promise<{ email: string; made: boolean; ended: number; needsCode: boolean }> {
	const [existing] = await db.select().from(users).limit(1);
	const address = (email ?? existing?.email ?? DEFAULT_EMAIL).toLowerCase();
	const hash = await hashPassword(password);
	const actor = 'npm run admin';
	const subject = `account ${address}`;
	if (!existing) {
		await db.batch([
			db.insert(users).values({ username: 'admin', email: address, password: hash }),
			auditStatement(db, { actor, action: 'made the account', subject }, now),
		]);
		return { email: address, made: true, ended: 0, needsCode: false };
	}
	const [, ended] = await db.batch([
		db.update(users).set({ email: address, password: hash }).where(eq(users.id, existing.id)),
		db.delete(sessions).where(eq(sessions.userId, existing.id)).returning({ id: sessions.id }),
		auditStatement(db, { actor, action: 'changed the password', subject }, now),
		...(removesSecondFactor
			? [
					...removalOfSecondFactor(db, existing.id),
					auditStatement(db, { actor, action: 'removed the second factor', subject }, now),
				]
			: []),
	]);
	const needsCode = await hasSecondFactor(db, existing.id);
	return { email: address, made: false, ended: ended.length, needsCode };
}

/**
 * Sets a new password, ends all sessions and opens one for this browser. Throws `validation` if the current
 * password is wrong.
 */
export async function changePassword(
	db: Db,
	admin: Admin,
	{ current, password }: PasswordChange,
	userAgent: string,
	now: Date,
): Promise<Session> {
	const [user] = await db.select().from(users).where(eq(users.id, admin.id));
	if (!user || !(await verifyPassword(current, user.password))) {
		throw new AppError('validation', WRONG_PASSWORD, { fields: { current: WRONG_PASSWORD } });
	}
	await refuseCommon(password, [user.email]);
	const session = newSession(now);
	await db.batch([
		db
			.update(users)
			.set({ password: await hashPassword(password) })
			.where(eq(users.id, user.id)),
		db.delete(sessions).where(eq(sessions.userId, user.id)),
		db.insert(sessions).values({ ...session, userId: user.id, userAgent, createdAt: now }),
		...changeOf(db, user, 'changed the password', now),
	]);
	return session;
}

/**
 * Sets a new password and ends all sessions. Throws `validation` if the link was used, has ended, or another password was
 * set since it was made. The second factor stays.
 */
export async function resetPassword(
	db: Db,
	{ token, password }: Reset,
	now: Date,
): Promise<{ email: string }> {
	const { user, expiresAt } = await openReset(db, token, now);
	await refuseCommon(password, [user.email]);
	if (!(await spend(db, token, expiresAt))) throw endedLink();
	const hash = await hashPassword(password);
	await db.batch([
		db.update(users).set({ password: hash }).where(eq(users.id, user.id)),
		db.delete(sessions).where(eq(sessions.userId, user.id)),
		...changeOf(db, user, 'set a new password by a mailed link', now),
	]);
	await clearAttempts(db, loginsPerAccount, getSecret(), user.email);
	return { email: user.email };
}

/** Throws `validation` for a password that is guessed early. `own` are names that strangers would try as well. */
async function refuseCommon(password: string, own: string[] = []): Promise<void> {
	if (!(await isCommon(password, own))) return;
	throw new AppError('validation', COMMON_PASSWORD, { fields: { password: COMMON_PASSWORD } });
}

/** Returns why a password cannot be a new one, or undefined. */
export async function faultOf(password: string): Promise<string | undefined> {
	const { error } = newPassword.safeParse(password);
	if (error) return error.issues[0]!.message;
	return (await isCommon(password, [])) ? COMMON_PASSWORD : undefined;
}

const isCommon = async (password: string, own: string[]) =>
	(await strengthOf(password, [site.name, ...own])).isCommon;
