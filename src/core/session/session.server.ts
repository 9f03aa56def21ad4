import { and, desc, eq, gt, lte, ne, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { sessions, users } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { deleteInPieces } from '#src/core/batches.server.ts';
import { DAY, MINUTE } from '#src/lib/dates.ts';
import { AppError } from '#src/lib/errors.ts';
import { plural } from '#src/lib/text.ts';
import { DEFAULT_EMAIL, SESSION_DAYS, SIGN_IN_AGAIN, type OpenSession } from './session.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import { enqueue } from '#src/core/outbox/outbox.server.ts';
import { browserOf } from './browser.ts';
import type { ChangePayload } from './sign-in-emails.ts';

export type Admin = { id: string; email: string };
export type Session = { id: string; expiresAt: Date };

/** Returns a session that is not stored yet. */
export const newSession = (now: Date): Session => ({
	id: crypto.randomUUID(),
	expiresAt: new Date(now.getTime() + SESSION_DAYS * DAY),
});

/** Ends a session permanently. */
export async function logout(db: Db, sessionId: string, now: Date): Promise<void> {
	const admin = await adminOfSession(db, sessionId, now);
	const ending = db.delete(sessions).where(eq(sessions.id, sessionId));
	if (!admin) return void (await ending);
	await db.batch([
		ending,
		auditStatement(
			db,
			{ actor: admin.email, action: 'signed out', subject: `session ${sessionId}` },
			now,
		),
	]);
}

/** Returns an admin's open sessions: the current one first, then the newest. */
export async function listSessions(
	db: Db,
	{ userId, sessionId }: { userId: string; sessionId: string },
	now: Date,
): Promise<OpenSession[]> {
	const rows = await db
		.select(tolerant(sessions))
		.from(sessions)
		.where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
		.orderBy(desc(sql`${sessions.id} = ${sessionId}`), desc(sessions.createdAt), sessions.id);
	return rows.map(({ id, userAgent, createdAt, expiresAt }) => ({
		id,
		browser: browserOf(userAgent),
		createdAt: createdAt.toISOString(),
		expiresAt: expiresAt.toISOString(),
		isCurrent: id === sessionId,
	}));
}

/** Ends one of the admin's sessions, or without `id` all but the current one. Returns how many. */
export async function endSessions(
	db: Db,
	{ admin, sessionId, id }: { admin: Admin; sessionId: string; id?: string },
	now: Date,
): Promise<{ ended: number }> {
	const which = id === undefined ? ne(sessions.id, sessionId) : eq(sessions.id, id);
	const ended = await db
		.delete(sessions)
		.where(and(eq(sessions.userId, admin.id), which))
		.returning({ id: sessions.id });
	if (ended.length > 0) {
		const subject = `session ${ended[0]!.id}`;
		const detail = plural(ended.length, 'session');
		await auditStatement(
			db,
			{ actor: admin.email, action: 'ended sessions', subject, detail },
			now,
		);
	}
	return { ended: ended.length };
}

/** Deletes expired sessions. */
export async function pruneSessions(db: Db, now: Date): Promise<void> {
	await deleteInPieces(db, sessions, lte(sessions.expiresAt, now));
}

/** Returns the admin of an unexpired session, and when it was opened; or null. */
export async function adminOfSession(
	db: Db,
	sessionId: string,
	now: Date,
): Promise<(Admin & { signedInAt: Date }) | null> {
	const [row] = await db
		.select({ id: users.id, email: users.email, signedInAt: sessions.createdAt })
		.from(sessions)
		.innerJoin(users, eq(users.id, sessions.userId))
		.where(and(eq(sessions.id, sessionId), gt(sessions.expiresAt, now)));
	return row ?? null;
}

/** Throws `sign_in_again` if a sign-in is older than it may be. */
export function requireRecent(signedInAt: Date, minutes: number, now: Date): void {
	const age = now.getTime() - signedInAt.getTime();
	// One of the future was dated by a wrong clock.
	if (age >= -MINUTE && age <= minutes * MINUTE) return;
	throw new AppError('sign_in_again', SIGN_IN_AGAIN);
}

/** Returns the statements that give an account another address, and tell both of it. */
export const addressStatements = (db: Db, admin: Admin, email: string, now: Date) =>
	[
		db.update(users).set({ email }).where(eq(users.id, admin.id)),
		...changeOf(db, admin, `changed the address to ${email}`, now),
		...changeOf(db, { email }, 'made this the address of the account', now),
	] as const;

/** Returns the statements that write a change to how one signs in into the log, and tell the owner by email. */
export const changeOf = (db: Db, { email }: Pick<Admin, 'email'>, action: string, now: Date) =>
	[
		auditStatement(db, { actor: email, action, subject: `account ${email}` }, now),
		enqueue(
			db,
			{
				kind: 'account',
				key: crypto.randomUUID(),
				recipient: email,
				payload: { action, at: now.toISOString() } satisfies ChangePayload,
				where: sql`${email} <> ${DEFAULT_EMAIL}`,
			},
			now,
		),
	] as const;
