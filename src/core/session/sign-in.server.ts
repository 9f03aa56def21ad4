import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { outbox, sessions, users } from '#db/schema.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import { enqueue } from '#src/core/outbox/outbox.server.ts';
import { DAY } from '#src/lib/dates.ts';
import { AppError } from '#src/lib/errors.ts';
import { browserOf } from './browser.ts';
import type { Assertion } from './passkeys.ts';
import { checkPasskey } from './passkeys.server.ts';
import { verifyPassword } from './password.server.ts';
import { requireSecondFactor } from './second-factor.server.ts';
import { newSession, type Admin, type Session } from './session.server.ts';
import { DEFAULT_EMAIL, type Credentials } from './session.ts';
import type { SignInPayload } from './sign-in-emails.ts';

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
		...(isKnown ? [] : [notifyOwner(db, user.email, session, browserOf(userAgent), now)]),
	]);
	return { admin: { id: user.id, email: user.email }, session };
}

/** Emails about new browsers within a day. Whoever signs in more often has been told of. */
const MAX_NOTICES = 10;

/** Returns the statement that queues the email about a sign-in from a new browser. */
function notifyOwner(db: Db, email: string, session: Session, browser: string, now: Date) {
	const payload: SignInPayload = { browser, at: now.toISOString() };
	const since = now.getTime() - DAY;
	return enqueue(
		db,
		{
			...{ kind: 'sign-in', key: session.id, recipient: email, payload },
			where: sql`${email} <> ${DEFAULT_EMAIL} and (select count(*) from ${outbox} where ${outbox.kind} = 'sign-in'
				and ${outbox.recipient} = ${email} and ${outbox.createdAt} > ${since}) < ${MAX_NOTICES}`,
		},
		now,
	);
}

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
