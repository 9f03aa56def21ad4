/** How a password is chosen. Apart from signing in, which needs no lists of passwords. */
import { eq } from 'drizzle-orm';
import type { Db, Statement } from '#db/client.ts';
import { sessions, users } from '#db/schema.ts';
import {
	clearAttempts,
	codesPerAccount,
	loginsPerAccount,
} from '#src/core/limits/limits.server.ts';
import { getSecret } from '#src/lib/env.ts';
import { AppError } from '#src/lib/errors.ts';
import { site } from '#src/site.ts';
import { hashPassword, verifyPassword } from './password.server.ts';
import { endedLink, openReset } from './reset.server.ts';
import {
	addressStatements,
	changeOf,
	newSession,
	type Admin,
	type Session,
} from './session.server.ts';
import {
	COMMON_PASSWORD,
	newPassword,
	WRONG_PASSWORD,
	type AddressChange,
	type PasswordChange,
	type Reset,
} from './session.ts';
import { strengthOf } from './strength.ts';
import { spend } from './tokens.server.ts';

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
	const user = await proveUser(db, admin, current);
	await refuseCommon(password, [user.email]);
	const hash = await hashPassword(password);
	return changeUser(db, user, userAgent, now, [
		db.update(users).set({ password: hash }).where(eq(users.id, user.id)),
		...changeOf(db, user, 'changed the password', now),
	]);
}

/**
 * Gives the account another address, ends all sessions and opens one for this browser. Tells both addresses. Throws
 * `validation` if the password is wrong.
 */
export async function changeAddress(
	db: Db,
	admin: Admin,
	{ email, current }: AddressChange,
	userAgent: string,
	now: Date,
): Promise<Session> {
	const user = await proveUser(db, admin, current);
	return changeUser(db, user, userAgent, now, addressStatements(db, user, email, now));
}

type User = typeof users.$inferSelect;

/** Returns the admin's account. Throws `validation` if the password is wrong. */
async function proveUser(db: Db, admin: Admin, current: string): Promise<User> {
	const [user] = await db.select().from(users).where(eq(users.id, admin.id));
	if (user && (await verifyPassword(current, user.password))) return user;
	throw new AppError('validation', WRONG_PASSWORD, { fields: { current: WRONG_PASSWORD } });
}

/** Changes an account, ends all its sessions and opens one for this browser. */
async function changeUser(
	db: Db,
	user: User,
	userAgent: string,
	now: Date,
	changes: readonly Statement[],
): Promise<Session> {
	const session = newSession(now);
	await db.batch([
		db.delete(sessions).where(eq(sessions.userId, user.id)),
		db.insert(sessions).values({ ...session, userId: user.id, userAgent, createdAt: now }),
		...changes,
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
	const { user, expiresAt, giver } = await openReset(db, token, now);
	await refuseCommon(password, [user.email]);
	if (!(await spend(db, token, expiresAt))) throw endedLink();
	const way = giver === 'command' ? 'the link of “npm run admin”' : 'a mailed link';
	const hash = await hashPassword(password);
	await db.batch([
		db.update(users).set({ password: hash }).where(eq(users.id, user.id)),
		db.delete(sessions).where(eq(sessions.userId, user.id)),
		...changeOf(db, user, `set a new password by ${way}`, now),
	]);
	await letIn(db, user);
	return { email: user.email };
}

/** Forgets who failed to sign in before a new password was set, so that its owner can. */
export async function letIn(db: Db, { id, email }: Pick<Admin, 'id' | 'email'>): Promise<void> {
	await clearAttempts(db, loginsPerAccount, getSecret(), email);
	await clearAttempts(db, codesPerAccount, getSecret(), id);
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
