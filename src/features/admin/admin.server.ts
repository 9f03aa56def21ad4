import { and, eq, gt, lte } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { sessions, users } from '#db/schema.ts';
import { DAY } from '#src/lib/dates.ts';
import { AppError } from '#src/lib/errors.ts';
import { SESSION_DAYS, type Credentials } from './admin.ts';
import { generatePassword, hashPassword, verifyPassword } from './password.server.ts';

export type Admin = { id: string; email: string };
export type Session = { id: string; expiresAt: Date };

/** Opens a session, or throws `unauthorized` after the same time for a wrong address as for a wrong password. */
export async function login(
	db: Db,
	{ email, password }: Credentials,
	now: Date,
): Promise<{ admin: Admin; session: Session }> {
	const [user] = await db.select().from(users).where(eq(users.email, email));
	const right = await verifyPassword(password, user?.password);
	if (!user || !right) throw new AppError('unauthorized', 'Invalid credentials');
	const session = {
		id: crypto.randomUUID(),
		expiresAt: new Date(now.getTime() + SESSION_DAYS * DAY),
	};
	await db.insert(sessions).values({ ...session, userId: user.id, createdAt: now });
	return { admin: { id: user.id, email: user.email }, session };
}

/** Ends a session for good. */
export async function logout(db: Db, sessionId: string): Promise<void> {
	await db.delete(sessions).where(eq(sessions.id, sessionId));
}

/** Deletes sessions that have expired. */
export async function pruneSessions(db: Db, now: Date): Promise<void> {
	await db.delete(sessions).where(lte(sessions.expiresAt, now));
}

/** The admin whose unexpired session this is, or null. */
export async function adminOf(db: Db, sessionId: string, now: Date): Promise<Admin | null> {
	const [row] = await db
		.select({ id: users.id, email: users.email })
		.from(sessions)
		.innerJoin(users, eq(users.id, sessions.userId))
		.where(and(eq(sessions.id, sessionId), gt(sessions.expiresAt, now)));
	return row ?? null;
}

/**
 * Makes the one admin where there is none (decisions, "Admin"). Answers the password if it was generated:
 * the only time that anybody sees it.
 */
export async function ensureAdmin(
	db: Db,
	{
		email = 'admin@groundtruth.example',
		password,
	}: { email?: string | undefined; password?: string | undefined },
): Promise<{ email: string; generatedPassword?: string }> {
	const [existing] = await db.select({ email: users.email }).from(users).limit(1);
	if (existing) return existing;
	const chosen = password ?? generatePassword();
	await db
		.insert(users)
		.values({ username: 'admin', email: email.toLowerCase(), password: await hashPassword(chosen) })
		.onConflictDoNothing();
	return {
		email: email.toLowerCase(),
		...(password === undefined && { generatedPassword: chosen }),
	};
}
