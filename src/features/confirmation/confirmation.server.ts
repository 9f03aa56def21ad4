import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Db, Statement } from '#db/client.ts';
import { unconfirmed } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { abortUnless, deleteInPieces, retryWhenOvertaken } from '#src/core/batches.server.ts';
import type { Writer } from '#src/core/outbox/mail.server.ts';
import { enqueue } from '#src/core/outbox/outbox.server.ts';
import { WithdrawnError } from '#src/core/outbox/outbox.ts';
import { RETENTION_DAYS } from '#src/core/retention.ts';
import { BROKEN_LINK } from '#src/core/screen.ts';
import { getSettings } from '#src/core/settings/settings.server.ts';
import { enrolling } from '#src/features/course/course.server.ts';
import { sendingUpgrade } from '#src/features/downloads/downloads.server.ts';
import { cadenceWords } from '#src/features/newsletter/cadence.ts';
import { subscribing } from '#src/features/newsletter/newsletter.server.ts';
import type { Signup } from '#src/features/newsletter/subscriber.ts';
import { DAY, MINUTE } from '#src/lib/dates.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import { invalid } from '#src/lib/errors.ts';
import { seal, unseal } from '#src/lib/token.ts';
import { confirmEmail, EXPIRED, proofOf, wordsOf, WISHES, type Wish } from './confirmation.ts';

const KEPT_MS = RETENTION_DAYS.unconfirmed * DAY;
/** An address is asked twice at most, and the second time not at once: who presses a button twice has one email. */
const MOST_ASKED = 2;
const ASK_AGAIN_MS = 10 * MINUTE;

type Request = {
	wish: Wish;
	email: string;
	/** The rest of what the form said: the latest counts. */
	details: Record<string, unknown>;
	page: string;
};

/**
 * Where the site asks before it sends: stores what was asked for and queues the email that asks, in one batch. Returns
 * whether it does. What was confirmed or has run out gives way to a new request, with a new link.
 */
export async function askFirst(
	db: Db,
	{ wish, email, details, page }: Request,
	now: Date,
): Promise<boolean> {
	if ((await getSettings(db)).confirmSignup === 'off') return false;
	const at = now.getTime();
	const mine = sql`email = ${email} and wish = ${wish}`;
	const asksAgain = sql`asked < ${MOST_ASKED} and asked_at <= ${at - ASK_AGAIN_MS}`;
	await db.batch([
		db
			.delete(unconfirmed)
			.where(sql`${mine} and (confirmed_at is not null or asked_at <= ${at - KEPT_MS})`),
		db
			.insert(unconfirmed)
			.values({ email, wish, details, page, askedAt: now, createdAt: now })
			.onConflictDoUpdate({
				target: [unconfirmed.email, unconfirmed.wish],
				set: {
					details,
					page,
					createdAt: now,
					asked: sql`asked + (${asksAgain})`,
					askedAt: sql`case when ${asksAgain} then ${at} else asked_at end`,
				},
			}),
		enqueue(
			db,
			{
				kind: 'confirm',
				key: sql`id || ' ' || asked`,
				recipient: email,
				payload: sql`json_object('id', id)`,
				each: sql`from ${unconfirmed} where ${mine} and asked_at = ${at}`,
			},
			now,
		),
	]);
	return true;
}

/** Writes the email that asks, unless it is confirmed, over or erased by now. */
export function confirmWriter(db: Db): Writer {
	return async ({ payload }, now) => {
		const { id } = payload as { id: string };
		const row = await findOpen(db, id, now);
		if (!row || row.confirmedAt) throw new WithdrawnError('There is nothing to confirm any more.');
		const token = seal(getSecret(), 'confirm', id);
		return confirmEmail(await wordsFor(db, row), `${getEnv().SITE_URL}/confirm?token=${token}`);
	};
}

/** Returns what waits behind a link, in words, and whether it was confirmed before. Changes nothing. */
export async function readConfirmation(db: Db, id: string, now: Date) {
	const row = await findRequest(db, id, now);
	return { words: await wordsFor(db, row), isConfirmed: row.confirmedAt !== null };
}

/**
 * Does what was asked for, once, and keeps with it how it was confirmed. Returns it in words, and the signup if this call
 * was the one that made it.
 */
export function confirm(db: Db, id: string, now: Date) {
	return retryWhenOvertaken(async () => {
		const row = await findRequest(db, id, now);
		const words = await wordsFor(db, row);
		if (row.confirmedAt) return { words, made: null };
		const isOpen = and(eq(unconfirmed.id, row.id), isNull(unconfirmed.confirmedAt))!;
		await db.batch([
			abortUnless(db, sql`exists (select 1 from ${unconfirmed} where ${isOpen})`),
			db.update(unconfirmed).set({ confirmedAt: now }).where(isOpen),
			...fulfilling(db, row, proofOf(row, words.wording, now), now),
		]);
		return { words, made: row };
	});
}

type Row = typeof unconfirmed.$inferSelect & { wish: Wish };

function fulfilling(
	db: Db,
	{ wish, email, details }: Row,
	consent: string,
	now: Date,
): Statement[] {
	if (wish === 'newsletter')
		return subscribing(db, { ...(details as Omit<Signup, 'email'>), email, consent }, now);
	if (wish === 'course') return enrolling(db, email, consent, now);
	return [sendingUpgrade(db, { ...details, email, upgradeType: wish, consent }, now)];
}

async function wordsFor(db: Db, { wish, email, details }: Row) {
	const { letterCadence: cadence, letterDay: day } = await getSettings(db);
	const hears = (details as Partial<Signup>).cadence ?? 'weekly';
	return wordsOf(wish, email, cadenceWords(hears, { cadence, day }));
}

const refusedLink = (words: string) => invalid({ token: words });

/** Returns the id of the request that a link is of. Throws a refusal if it is not one of ours. */
export function requestOfToken(token: string): string {
	const id = unseal(getSecret(), 'confirm', token);
	if (id === null) throw refusedLink(BROKEN_LINK);
	return id;
}

async function findRequest(db: Db, id: string, now: Date): Promise<Row> {
	const row = await findOpen(db, id, now);
	if (!row) throw refusedLink(EXPIRED);
	return row;
}

/** Returns a request whose link still works. */
async function findOpen(db: Db, id: string, now: Date): Promise<Row | null> {
	const [row] = await db
		.select(tolerant(unconfirmed))
		.from(unconfirmed)
		.where(and(eq(unconfirmed.id, id), gt(unconfirmed.askedAt, new Date(now.getTime() - KEPT_MS))));
	const wish = WISHES.find((one) => one === row?.wish);
	return row && wish ? { ...row, wish } : null;
}

/** Counts the addresses that have not said yes to the letter. */
export function countUnconfirmed(db: Db, now: Date): Promise<number> {
	return db.$count(
		unconfirmed,
		sql`asked_at > ${now.getTime() - KEPT_MS} and wish = 'newsletter' and confirmed_at is null`,
	);
}

/** Deletes what nobody confirmed in time, and what was confirmed as long ago. */
export function pruneUnconfirmed(db: Db, now: Date): Promise<void> {
	return deleteInPieces(db, unconfirmed, sql`asked_at <= ${now.getTime() - KEPT_MS}`);
}
