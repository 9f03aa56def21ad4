import { and, desc, eq, gt, lte, ne, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { outbox, sessions, users } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { DAY, MINUTE } from '#src/lib/dates.ts';
import { AppError } from '#src/lib/errors.ts';
import { plural } from '#src/lib/text.ts';
import {
	RECENT_MINUTES,
	SESSION_DAYS,
	SIGN_IN_AGAIN,
	type Credentials,
	type OpenSession,
} from './session.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import { enqueue } from '#src/core/outbox/outbox.server.ts';
import { browserOf } from './browser.ts';
import type { SignInPayload } from './sign-in-letter.ts';
import { verifyPassword } from './password.server.ts';
import type { Assertion } from './passkeys.ts';
import { checkPasskey } from './passkeys.server.ts';
import { requireSecondFactor } from './second-factor.server.ts';

export type Admin = { id: string; email: string };
export type Session = { id: string; expiresAt: Date };

/**
 * Opens a session, or throws `unauthorized`, after the same time for a wrong address as for a wrong password, or
 * `second_factor` if only the code is missing or wrong. The owner gets an email if the browser is not known.
 */
export async function login(
	db: Db,
	{ email, password, code, passkey }: Credentials,
	visit: Visit,
	now: Date,
): Promise<{ admin: Admin; session: Session }> {
	const [user] = await db.select().from(users).where(eq(users.email, email));
	const isValid = await verifyPassword(password, user?.password);
	if (!user || !isValid) throw new AppError('unauthorized', 'Invalid credentials');
	await requireSecondFactor(db, user.id, { code, passkey }, now);
	return openSession(db, user, visit, now);
}

/** Opens a session for the owner of a passkey, or throws `second_factor`. */
export async function loginWithPasskey(
	db: Db,
	passkey: Assertion,
	visit: (email: string) => Visit,
	now: Date,
): Promise<{ admin: Admin; session: Session }> {
	const id = await checkPasskey(db, passkey, { alone: true }, now);
	const [user] = await db.select().from(users).where(eq(users.id, id));
	return openSession(db, user!, visit(user!.email), now);
}

/** Origin of a sign-in. */
export type Visit = {
	userAgent: string;
	/** Whether this browser signed in before. */
	isKnown: boolean;
	/** The session that this browser has, which the new one replaces. */
	replaced: string | null;
};

async function openSession(
	db: Db,
	user: Admin,
	{ userAgent, isKnown, replaced }: Visit,
	now: Date,
): Promise<{ admin: Admin; session: Session }> {
	const session = newSession(now);
	await db.batch([
		db.insert(sessions).values({ ...session, userId: user.id, userAgent, createdAt: now }),
		auditStatement(
			db,
			{
				actor: user.email,
				action: 'signed in',
				subject: `session ${session.id}`,
				detail: browserOf(userAgent),
			},
			now,
		),
		...(replaced
			? [db.delete(sessions).where(and(eq(sessions.id, replaced), eq(sessions.userId, user.id)))]
			: []),
		...(isKnown ? [] : [tellOwner(db, user.email, session, browserOf(userAgent), now)]),
	]);
	return { admin: { id: user.id, email: user.email }, session };
}

/** Emails about new browsers within a day. Whoever signs in more often has been told of. */
const MAX_NOTICES = 10;

/** Returns the statement that queues the email about a sign-in from a new browser. */
function tellOwner(db: Db, email: string, session: Session, browser: string, now: Date) {
	const payload: SignInPayload = { browser, at: now.toISOString() };
	const since = now.getTime() - DAY;
	return enqueue(
		db,
		{
			...{ kind: 'sign-in', key: session.id, recipient: email, payload },
			where: sql`(select count(*) from ${outbox} where ${outbox.kind} = 'sign-in'
				and ${outbox.recipient} = ${email} and ${outbox.createdAt} > ${since}) < ${MAX_NOTICES}`,
		},
		now,
	);
}

/** Returns a session that is not stored yet. */
export const newSession = (now: Date): Session => ({
	id: crypto.randomUUID(),
	expiresAt: new Date(now.getTime() + SESSION_DAYS * DAY),
});

/**
 * Records a failed sign-in, and whether the password was right. What was typed is recorded only if it is the
 * admin's own address.
 */
export async function recordFailedLogin(
	db: Db,
	{ email, knewPassword }: { email: string; knewPassword: boolean },
	userAgent: string,
	now: Date,
): Promise<void> {
	const known = await db.$count(users, eq(users.email, email));
	const subject = known ? `account ${email}` : 'an unknown address';
	await auditStatement(
		db,
		{
			actor: 'somebody',
			action: knewPassword ? 'knew the password but no code' : 'failed to sign in',
			subject,
			detail: browserOf(userAgent),
		},
		now,
	);
}

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
	await db.delete(sessions).where(lte(sessions.expiresAt, now));
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

/** Throws `sign_in_again` if it was too long ago for what is sensitive. */
export function requireRecent(signedInAt: Date, now: Date): void {
	if (now.getTime() - signedInAt.getTime() <= RECENT_MINUTES * MINUTE) return;
	throw new AppError('sign_in_again', SIGN_IN_AGAIN);
}
