import { and, eq, gt, lt, lte, or, sql } from 'drizzle-orm';
import { prepared, type Db } from '#db/client.ts';
import { rateLimits } from '#db/schema.ts';
import { deleteInPieces } from '#src/core/batches.server.ts';
import { RETENTION_DAYS } from '#src/core/retention.ts';
import { DAY, HOUR, MINUTE } from '#src/lib/dates.ts';
import { keyedHash } from '#src/lib/digest.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';

/** At most `count` attempts per subject within a window. */
export type Limit = { name: string; count: number; windowMs: number };

export const commentsPerAddress: Limit = { name: 'comments', count: 120, windowMs: 10 * MINUTE };
/** Views and shares. A household or an office behind one address reads a lot. */
export const eventsPerAddress: Limit = { name: 'events', count: 300, windowMs: 10 * MINUTE };
/** Messages of the Model Context Protocol. A conversation with a program takes a dozen. */
export const programsPerAddress: Limit = { name: 'programs', count: 600, windowMs: 10 * MINUTE };
/** Drafts that one program writes, pictures that it uploads, and what it is refused and the log tells of. */
export const callsPerProgram: Limit = { name: 'program-calls', count: 120, windowMs: 10 * MINUTE };
export const picturesPerProgram: Limit = { name: 'program-pictures', count: 60, windowMs: HOUR };
export const loggedRefusals: Limit = { name: 'program-refusals', count: 100, windowMs: HOUR };
/** Articles that are not public yet, which are rendered for whoever has a link. */
export const previewsPerAddress: Limit = { name: 'previews', count: 120, windowMs: 10 * MINUTE };
export const formsPerAddress: Limit = { name: 'forms', count: 30, windowMs: 10 * MINUTE };
/** One person on one post. Counted here rather than by the comments themselves, which their author may erase. */
export const commentsPerEmail: Limit = { name: 'comments-email', count: 3, windowMs: 10 * MINUTE };
/** Each edit keeps the text before it and, where comments are held, is told to the owner. */
export const editsPerComment: Limit = { name: 'comment-edits', count: 20, windowMs: 15 * MINUTE };
/** The same as for comments on one post. */
export const messagesPerEmail: Limit = { name: 'messages', count: 3, windowMs: 10 * MINUTE };
/** Words that readers of all articles send about them, so that no robot fills the desk. */
export const feedbackInAll: Limit = { name: 'feedback-all', count: 200, windowMs: DAY };
/** Clicks on links in emails by one reader; many readers may share an address. */
export const clicksPerReader: Limit = { name: 'clicks', count: 60, windowMs: 10 * MINUTE };
export const clicksPerAddress: Limit = {
	name: 'clicks-address',
	count: 300,
	windowMs: 10 * MINUTE,
};
/** Copies and erasures of personal data, each of which reads or rewrites every table. */
export const dataPerReader: Limit = { name: 'data', count: 10, windowMs: HOUR };
export const loginsPerAccount: Limit = { name: 'login-account', count: 10, windowMs: 15 * MINUTE };
export const loginsPerAddress: Limit = { name: 'login-address', count: 30, windowMs: 15 * MINUTE };
/** A browser that has signed in before, so that failures elsewhere do not lock its owner out. */
export const loginsPerDevice: Limit = { name: 'login-device', count: 10, windowMs: 15 * MINUTE };
export const passwordChanges: Limit = { name: 'password', count: 10, windowMs: 15 * MINUTE };
/** Codes of an authenticator app, which have six digits. Whoever gets to try one knows the password. */
export const codesPerAccount: Limit = { name: 'codes', count: 20, windowMs: DAY };
/** Links to a new password, asked for and used. */
export const resetsPerAddress: Limit = { name: 'reset-address', count: 20, windowMs: HOUR };
export const resetsPerAccount: Limit = { name: 'reset-account', count: 3, windowMs: HOUR };
/** Uncaught errors of pages, of one network and of all. */
export const errorsPerAddress: Limit = { name: 'errors', count: 20, windowMs: HOUR };
export const errorsInAll: Limit = { name: 'errors-all', count: 500, windowMs: HOUR };
/** Failed sign-ins recorded in the audit log, so that an attack cannot fill it. */
export const loggedFailures: Limit = { name: 'noted-failures', count: 20, windowMs: 60 * MINUTE };

/** Returns the key of a limit's rows: its name and a keyed hash of the subject. */
const keyOf = (limit: Limit, secret: string, subject: string) =>
	`${limit.name}:${keyedHash(secret, limit.name, subject)}`;

/** How far ahead an attempt may be dated. Later ones were counted by a wrong clock, and hold nobody. */
const AHEAD_MS = MINUTE;

const insertAttempt = prepared((db) => {
	const given = sql.placeholder;
	return db
		.insert(rateLimits)
		.select(
			sql`select ${given('id')}, ${given('key')}, ${given('at')}
				where (select count(*) from ${rateLimits} where ${rateLimits.key} = ${given('key')}
					and ${rateLimits.createdAt} between ${given('since')} + 1 and ${given('until')}) < ${given('count')}`,
		)
		.returning({ id: rateLimits.id })
		.prepare();
});

/**
 * Counts one attempt, or throws `rate_limited` with the seconds until the oldest attempt leaves the window.
 * Counting and storing are one statement, so that simultaneous attempts cannot pass together.
 */
export async function consumeAttempt(
	db: Db,
	limit: Limit,
	secret: string,
	subject: string,
	now: Date,
): Promise<void> {
	const key = keyOf(limit, secret, subject);
	const since = now.getTime() - limit.windowMs;
	const until = now.getTime() + AHEAD_MS;
	const attempt = {
		...{ id: crypto.randomUUID(), key, at: now.getTime(), since, until },
		count: limit.count,
	};
	if (await insertAttempt(db).get(attempt)) return;
	const [oldest] = await db
		.select({ at: sql<number>`min(${rateLimits.createdAt})` })
		.from(rateLimits)
		.where(
			and(
				eq(rateLimits.key, key),
				gt(rateLimits.createdAt, new Date(since)),
				lte(rateLimits.createdAt, new Date(until)),
			),
		);
	const waitMs = (oldest?.at ?? now.getTime()) + limit.windowMs - now.getTime();
	throw new AppError('rate_limited', MESSAGES.rate_limited, {
		retryAfter: Math.max(1, Math.ceil(waitMs / 1000)),
	});
}

/**
 * Clears a subject's attempts after a successful login. Must not be used when data is erased, because it would
 * void the limit.
 */
export async function clearAttempts(
	db: Db,
	limit: Limit,
	secret: string,
	subject: string,
): Promise<void> {
	await db.delete(rateLimits).where(eq(rateLimits.key, keyOf(limit, secret, subject)));
}

/** Deletes attempts outside of every window, and attempts dated in the future by a wrong clock. */
export async function pruneLimits(db: Db, now: Date): Promise<void> {
	const at = now.getTime();
	const oldest = new Date(at - RETENTION_DAYS.attempts * DAY);
	const isOver = or(
		lt(rateLimits.createdAt, oldest),
		gt(rateLimits.createdAt, new Date(at + HOUR)),
	)!;
	await deleteInPieces(db, rateLimits, isOver);
}
