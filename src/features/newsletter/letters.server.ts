import {
	and,
	asc,
	desc,
	eq,
	gt,
	inArray,
	isNotNull,
	isNull,
	lt,
	or,
	sql,
	type SQL,
} from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '#db/client.ts';
import { categories, issues, letters, outbox, posts, subscribers } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import { inPieces, nextTurn, retryWhenOvertaken } from '#src/core/batches.server.ts';
import { getMeta, setMeta } from '#src/core/meta.server.ts';
import { enqueue, ofCause, type Delivery } from '#src/core/outbox/outbox.server.ts';
import {
	readerLinks,
	renderEmail,
	type RenderedEmail,
	type Writer,
} from '#src/core/outbox/mail.server.ts';
import type { EmailContent } from '#src/core/outbox/email-content.ts';
import {
	KEPT_NOTE,
	MAX_ATTEMPTS,
	MAX_DELAY_MS,
	PostponedError,
	WithdrawnError,
} from '#src/core/outbox/outbox.ts';
import { previewOf } from '#src/core/outbox/plain-text.ts';
import { getSettings } from '#src/core/settings/settings.server.ts';
import { runEach } from '#src/core/steps.server.ts';
import { DAY, HOUR, longDate, MINUTE } from '#src/lib/dates.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import { AppError, invalid } from '#src/lib/errors.ts';
import { site } from '#src/site.ts';
import { cadenceOf } from './cadence.ts';
import { PAGE_TIMEOUT_MS, wordsBlock, type Words } from './issue.ts';
import type {
	LetterAction,
	LetterCheck,
	LetterDetail,
	LetterForm,
	LetterState,
	LetterView,
	RefusalKind,
} from './letters.ts';
import { readLinks } from './next-issue.ts';
import type { Cadence } from './subscriber.ts';

type LetterRow = typeof letters.$inferSelect;

/** Subscribers whose emails are queued per batch. */
const CHUNK = 1000;
/** Key of `meta`: date of the newest issue whose page is built, and the time from which it is available. */
const BUILT_ISSUE_KEY = 'built_issue';
/** Number of letters in the owner's list. */
const SHOWN_LETTERS = 20;
const SHOWN_REASONS = 8;
/** Why an email of a letter waits or was not sent, in the outbox. */
const PAUSED = 'The letter is paused.';
const CHANGED_SINCE =
	'This letter is on its way already, with the words that it had before. Discard it here, and write another one for what is new.';
const STOPPED = 'The letter was stopped.';

const isIssueId = (id: string) => cadenceOf(id) === 'weekly';
const kindOf = (id: string) => (cadenceOf(id) ? 'digest' : 'letter');

/** Returns a condition for the emails of a letter. */
const emailsOf = (id: string) => and(eq(outbox.kind, kindOf(id)), ofCause(id))!;

/** Records from when the page of the newest built issue is available. */
export async function recordBuiltIssue(
	db: Db,
	date: string | undefined,
	liveAt: Date,
): Promise<void> {
	if (date) await setMeta(db, BUILT_ISSUE_KEY, `${date} ${liveAt.toISOString()}`);
}

/** Returns the date of the newest issue whose page is available, or ''. */
async function builtIssue(db: Db, now: Date): Promise<string> {
	const [newest = '', liveAt = ''] = (await getMeta(db, BUILT_ISSUE_KEY))?.split(' ') ?? [];
	return liveAt <= now.toISOString() ? newest : '';
}

/** An issue that is due within a day of a letter. */
export type UpcomingIssue = { date: string };

/** Stores a letter of its own, to go out when it is due. `issue` is due within a day of it. */
export async function createLetter(
	db: Db,
	{
		id: given,
		subject,
		preview = '',
		topic = '',
		source = '',
		label = '',
		sendAt = '',
		confirm,
	}: LetterForm,
	words: Words & { content: string },
	issue: UpcomingIssue | null,
	actor: string,
	now: Date,
): Promise<LetterView & { bytes: number }> {
	if (words.content === '') throw invalid({ content: 'Write something' });
	if (topic && (await db.$count(categories, eq(categories.id, topic))) === 0)
		throw invalid({ topic: 'There is no such topic.' });
	const dueAt = sendAt ? new Date(sendAt) : null;
	if (dueAt && dueAt.getTime() > now.getTime() + 366 * DAY)
		throw invalid({ sendAt: 'Choose a time within a year.' });
	const id = given ?? crypto.randomUUID();
	const wanted = { subject, preview, content: words.content, topic, source, label };
	await retryWhenOvertaken(async () => {
		if (given && (await isStored(db, id, wanted))) return;
		const near = confirm
			? null
			: await nearWords(db, { id, topic, source, label }, dueAt ?? now, issue);
		if (near) throw new AppError('conflict', `${near} Send it all the same?`);
		await db.batch([
			db.insert(letters).values({
				...{ id, subject, preview, ...words, dueAt, createdAt: now },
				topic: topic || null,
				source: source || null,
				label: label || null,
				confirmed: confirm ?? false,
			}),
			auditStatement(
				db,
				{
					actor,
					action: dueAt ? 'scheduled a letter' : 'sent a letter',
					subject: `letter ${subject}`.slice(0, 200),
					detail: sendAt,
				},
				now,
			),
		]);
	});
	const bytes = await bytesOf({ subject, preview, ...words }, now);
	return { ...(await getLetter(db, id, now)), bytes };
}

/** Returns whether the letter with this id was stored before. Throws `conflict` if it has other words or readers. */
async function isStored(
	db: Db,
	id: string,
	wanted: { subject: string; preview: string; content: string } & Audience,
): Promise<boolean> {
	const [letter] = await db.select(tolerant(letters)).from(letters).where(eq(letters.id, id));
	if (!letter) return false;
	const isSame = Object.entries(wanted).every(
		([name, value]) => (letter[name as keyof typeof wanted] ?? '') === value,
	);
	if (!isSame) throw new AppError('conflict', CHANGED_SINCE);
	return true;
}

/** Returns a sentence about another letter to the same readers within a day, or null. */
async function nearWords(
	db: Db,
	audience: Audience,
	at: Date,
	issue: UpcomingIssue | null,
): Promise<string | null> {
	const other = (await letterNear(db, audience, at, DAY))?.subject;
	const name = other ? `“${other}”` : issue && `the issue of ${longDate(issue.date)}`;
	return name ? `Its readers get another letter within a day: ${name}.` : null;
}

type Audience = { id?: string; topic: string; source: string; label: string };

/** Returns whom a letter would reach, how large it is as it leaves, and whether its readers get another one within a day. */
export async function checkLetter(
	db: Db,
	{
		id = '',
		subject = '',
		preview = '',
		topic = '',
		source = '',
		label = '',
		sendAt = '',
	}: Partial<LetterForm>,
	words: Words,
	issue: UpcomingIssue | null,
	now: Date,
): Promise<LetterCheck> {
	const audience = { id, topic, source, label };
	const which = await audienceOf(db, { ...NO_LETTER, ...audience, id: '' });
	const [found] = await db.all<{ count: number }>(
		sql`select count(*) as count from ${subscribers} where ${getsLetters(now)} ${which}`,
	);
	return {
		readers: found!.count,
		bytes: await bytesOf({ subject, preview, ...words }, now),
		near: await nearWords(db, audience, sendAt ? new Date(sendAt) : now, issue),
	};
}

/** Returns the size of a letter's HTML as it leaves, in bytes. */
async function bytesOf(words: LetterWords, now: Date): Promise<number> {
	const rendered = await renderEmail(letterEmail(words, crypto.randomUUID(), now, sharedLinks()));
	return Buffer.byteLength(forReader(rendered, 'reader@example.com').html);
}

const dueTime = sql`coalesce(due_at, created_at)`;

/**
 * Returns a letter that goes to one of the same readers less than a day before a time, or `ahead` after it; of those that
 * began only, where nothing ahead is asked for.
 */
async function letterNear(
	db: Db,
	audience: Near,
	at: Date,
	ahead = 0,
): Promise<LetterRow | undefined> {
	for await (const other of lettersNear(db, audience, at, { ahead })) return other;
	return undefined;
}

type Near = Partial<Pick<LetterRow, 'id' | 'topic' | 'source' | 'label'>>;

/** Returns all of them, the latest first, from as long ago as is asked for. */
async function* lettersNear(
	db: Db,
	audience: Near,
	at: Date,
	{ ago = DAY, ahead = 0 },
): AsyncGenerator<LetterRow> {
	const { id = '' } = audience;
	const others = await db
		.select(tolerant(letters))
		.from(letters)
		.where(
			and(
				sql`id <> ${id}`,
				isNull(letters.stoppedAt),
				sql`${dueTime} > ${at.getTime() - ago} and ${dueTime} < ${at.getTime() + (ahead || 1)}`,
				ahead > 0 ? undefined : sql`(queued_at is not null or queued_up_to <> '')`,
				// A letter to all does not wait for those of single articles: each of their readers does, see `otherLetterAt`.
				cadenceOf(id) === 'each' ? undefined : sql`id not like 'each-%'`,
			),
		)
		.orderBy(desc(dueTime));
	const mine = await audienceOf(db, { ...NO_LETTER, id, ...audience });
	for (const other of others) {
		const theirs = await audienceOf(db, other);
		const shared = await db.all(
			sql`select 1 from ${subscribers} where active = 1 ${mine} ${theirs} limit 1`,
		);
		if (shared.length > 0) yield other;
	}
}

const timeOf = ({ dueAt, createdAt }: LetterRow) => (dueAt ?? createdAt).getTime();

/**
 * Returns until when a letter of articles waits, because its readers had a letter less than a day ago. An issue does not wait
 * for one to which another was added knowingly.
 */
export async function heldUntil(db: Db, id: string, now: Date): Promise<Date | null> {
	if (cadenceOf(id) === 'each') return heldForArticles(db, id, now);
	const other = await letterNear(db, { id }, now);
	if (!other || (isIssueId(id) && (other.confirmed || isIssueId(other.id)))) return null;
	return new Date(timeOf(other) + DAY);
}

/**
 * Returns the same for readers of each article, whom other letters may reach later than all others: were the next one made
 * meanwhile, it would wait for each of these readers, and what comes later behind it. So it tells of all that has come.
 */
async function heldForArticles(db: Db, id: string, now: Date): Promise<Date | null> {
	// One that was made and has not begun waits for others itself.
	const isWaiting = sql`id like 'each-%' and id <> ${id} and queued_at is null and queued_up_to = ''`;
	if (await db.$count(letters, and(isWaiting, isNull(letters.stoppedAt))))
		return new Date(now.getTime() + DAY);
	const near = await Array.fromAsync(lettersNear(db, { id }, now, { ago: WAITING_MS }));
	const reached: { at: number; isOfArticles: boolean }[] = [];
	// In the order in which they leave, see `otherLetterAt`: a confirmed one waits for none.
	for (const letter of near.reverse().sort((a, b) => Number(b.confirmed) - Number(a.confirmed))) {
		const isOfArticles = cadenceOf(letter.id) === 'each';
		const others = letter.confirmed
			? []
			: reached.filter((one) => isOfArticles || one.isOfArticles);
		let at = timeOf(letter);
		const isWithinDay = (other: { at: number }) => other.at > at - DAY && other.at <= at;
		for (let last; (last = others.find(isWithinDay));) at = last.at + DAY;
		reached.push({ at, isOfArticles });
	}
	return reached.length > 0 ? new Date(Math.max(...reached.map(({ at }) => at)) + DAY) : null;
}
/** The longest that a letter waits behind others, of which one comes a day. */
const WAITING_MS = 7 * DAY;

/**
 * Queues the emails of letters that are due: of an issue once its page is built, or has not been for an hour. Works in
 * chunks and stores a cursor in the letter's row, so that the next worker continues where one stopped. Returns how many
 * were queued.
 */
export async function queueLetters(db: Db, now: Date, hasTime = () => true): Promise<number> {
	const open = await db
		.select(tolerant(letters))
		.from(letters)
		.where(
			and(
				sql`queued_at is null`,
				isNull(letters.pausedAt),
				sql`coalesce(due_at, 0) <= ${now.getTime()}`,
			),
		)
		.orderBy(asc(letters.createdAt), asc(letters.id));
	const built = await builtIssue(db, now);
	let queued = 0;
	await runEach([
		['Resuming letters', () => reviveResumed(db, now)],
		...open.map((letter) => {
			const work = async () => {
				queued += await queueLetter(db, letter, { built, now, hasTime });
			};
			return [`Queueing letter ${letter.id}`, work] as const;
		}),
	]);
	return queued;
}

async function queueLetter(
	db: Db,
	letter: LetterRow,
	{ built, now, hasTime }: { built: string; now: Date; hasTime: () => boolean },
): Promise<number> {
	const isIssue = isIssueId(letter.id);
	const online = isIssue && built >= letter.id;
	const isLate = now.getTime() - letter.createdAt.getTime() >= PAGE_TIMEOUT_MS;
	if (isIssue && !online && !isLate) return 0;
	if (!isIssue && !letter.confirmed && letter.queuedUpTo === '') {
		const other = await letterNear(db, letter, now);
		if (other) {
			// Settled for when it was written: an issue has come between, or another letter.
			const dueAt = new Date(timeOf(other) + DAY);
			await db.update(letters).set({ dueAt }).where(eq(letters.id, letter.id));
			return 0;
		}
	}
	const payload = cadenceOf(letter.id) ? { issue: letter.id, online } : { letter: letter.id };
	const audience = await audienceOf(db, letter);
	let queued = 0;
	for (let from: string | null = letter.queuedUpTo; from !== null && hasTime();) {
		const chunk = await queueChunk(db, letter.id, from, payload, audience, now);
		queued += chunk.queued;
		from = chunk.upTo;
		await nextTurn();
	}
	return queued;
}

/** A letter of which nothing is known yet. */
const NO_LETTER = { id: '', topic: '', source: '', label: '', content: '', links: [], posts: [] };

/** The labels of a row of `subscribers`, as rows; none where they cannot be read. */
export const eachLabel = sql`json_each(case when json_valid(labels) then labels else '[]' end)`;
/** Returns the condition for those that have a label, in capitals or not. */
export const hasLabel = (label: string) =>
	sql`(labels <> '[]' and exists (select 1 from ${eachLabel} where lower(value) = lower(${label})))`;

/** Returns the condition for the subscribers who get letters now. */
const getsLetters = (now: Date) =>
	sql`active = 1 and coalesce(paused_until, 0) <= ${now.getTime()}`;

/** Returns the condition for the subscribers who get a letter. */
async function audienceOf(
	db: Db,
	{
		id,
		topic,
		source,
		label,
		content,
		links,
		posts: own,
	}: Pick<LetterRow, 'id' | 'topic' | 'source' | 'label' | 'content' | 'links' | 'posts'>,
): Promise<SQL> {
	const these = sql.join([
		source ? sql`and source = ${source}` : sql``,
		label ? sql` and ${hasLabel(label)}` : sql``,
	]);
	if (topic) return sql`${these} and ${wantsTopic([topic])}`;
	const cadence = cadenceOf(id);
	if (!cadence) return these;
	const hears = sql`and ${cadence === 'weekly' ? await getsWeekly(db) : sql`cadence = ${cadence}`}`;
	const [issue] = await db.select(tolerant(issues)).from(issues).where(eq(issues.date, id));
	const articles = issue?.posts ?? own;
	// The editor's words and links are for everybody.
	if (articles.length === 0 || content || readLinks(links).length > 0) return hears;
	const told = await topicsOf(db, articles);
	return sql`${hears} and ${wantsTopic([...new Set(told.values())])}`;
}

/** Returns the condition for the subscribers who get the letter: where it comes monthly, also those who want it monthly. */
async function getsWeekly(db: Db): Promise<SQL> {
	const isMonthly = (await getSettings(db)).letterCadence === 'monthly';
	return isMonthly ? sql`cadence <> 'each'` : sql`cadence not in ('each', 'monthly')`;
}

/** Counts those who get letters now, by how often. */
export async function countReaders(db: Db, now: Date): Promise<Record<Cadence, number>> {
	const isWeekly = await getsWeekly(db);
	const others = (cadence: Cadence) =>
		sql`count(*) filter (where cadence = ${cadence} and not (${isWeekly}))`;
	// Nearly all are active: one after the other is several times as fast as by an index. The sign keeps it out.
	const [counts] = await db.all<Record<Cadence, number>>(
		sql`select ${others('each')} as "each", count(*) filter (where ${isWeekly}) as weekly, ${others('monthly')} as monthly
			from ${subscribers} where +${getsLetters(now)}`,
	);
	return counts!;
}

/** Returns a condition for the subscribers who get letters of one of these categories. */
export const wantsTopic = (topics: string[]) =>
	sql`(topics = '[]' or exists (select 1 from ${eachTopic} where value in ${topics}))`;

/** The topics of a row of `subscribers`, as rows; none where they cannot be read. */
export const eachTopic = sql`json_each(case when json_valid(topics) then topics else '[]' end)`;

/** Returns the category of each article of an issue, by id. */
export async function topicsOf(
	db: Db,
	told: readonly Record<string, unknown>[],
): Promise<Map<string, string>> {
	const rows = await db
		.select(tolerant({ id: posts.id, category: posts.categoryId }))
		.from(posts)
		.where(inArray(posts.id, [...told.map(({ id }) => String(id)), '']));
	return new Map(rows.map(({ id, category }) => [id, category]));
}

async function queueChunk(
	db: Db,
	id: string,
	from: string,
	payload: Record<string, unknown>,
	audience: SQL,
	now: Date,
) {
	const [last] = await db
		.select({ id: sql<string | null>`max(id)` })
		.from(
			sql`(select id from ${subscribers} where active = 1 and id > ${from} order by id limit ${CHUNK})`,
		);
	const upTo = last?.id ?? null;
	// Compare-and-set: if another worker moved the cursor first, or the letter was paused, the row stays as it is.
	const isUnmoved = and(
		eq(letters.id, id),
		eq(letters.queuedUpTo, from),
		isNull(letters.queuedAt),
		isNull(letters.pausedAt),
	);
	if (upTo === null) {
		await db.update(letters).set({ queuedAt: now }).where(isUnmoved);
		return { queued: 0, upTo };
	}
	const [inserted] = await db.batch([
		enqueue(
			db,
			{
				kind: kindOf(id),
				key: sql`${id} || ' ' || id`,
				recipient: sql`email`,
				payload,
				each: sql`from ${subscribers} where ${getsLetters(now)} and id > ${from} and id <= ${upTo} ${audience}
					and exists (select 1 from letters l where l.id = ${id} and l.queued_at is null and l.paused_at is null)`,
			},
			now,
		),
		db
			.update(letters)
			.set({
				queuedUpTo: upTo,
				// Rows that the previous statement inserted.
				recipients: sql`recipients + changes()`,
			})
			.where(isUnmoved),
	]);
	return { queued: inserted.rowsAffected, upTo };
}

/** Pauses a letter, resumes it, or ends it. Emails that are being sent arrive. */
export async function steerLetter(
	db: Db,
	id: string,
	action: LetterAction,
	actor: string,
	now: Date,
): Promise<LetterDetail> {
	const row = await findLetter(db, id);
	if (row.stoppedAt && action !== 'stop')
		throw new AppError('conflict', 'The letter was stopped, and stays so.');
	const statements = {
		pause: [
			db
				.update(letters)
				.set({ pausedAt: now })
				.where(and(eq(letters.id, id), isNull(letters.pausedAt))),
		],
		resume: [
			db
				.update(letters)
				.set({ pausedAt: null, resumedAt: now })
				.where(and(eq(letters.id, id), isNotNull(letters.pausedAt))),
		],
		stop: [
			db
				.update(letters)
				.set({
					stoppedAt: now,
					pausedAt: null,
					queuedAt: sql`coalesce(queued_at, ${now.getTime()})`,
				})
				.where(and(eq(letters.id, id), isNull(letters.stoppedAt))),
		],
	}[action];
	const done = { pause: 'paused', resume: 'resumed', stop: 'stopped' }[action];
	await db.batch([
		...(statements as [(typeof statements)[0]]),
		auditStatement(
			db,
			{
				actor,
				action: `${done} a letter`,
				subject: `letter ${row.subject}`.slice(0, 200),
				detail: '',
			},
			now,
		),
	]);
	if (action === 'resume') await reviveResumed(db, now);
	else await closeEmails(db, id, action, now);
	return getLetter(db, id, now);
}

/** Closes the emails of a letter that was paused or stopped. What is sent meanwhile asks for the letter's state itself. */
async function closeEmails(db: Db, id: string, action: 'pause' | 'stop', now: Date): Promise<void> {
	const isOpen = and(
		isNotNull(outbox.dueAt),
		or(isNull(outbox.leasedUntil), sql`leased_until <= ${now.getTime()}`),
	);
	const which = action === 'pause' ? isOpen : or(isOpen, eq(outbox.lastError, PAUSED));
	const state = sql.identifier(action === 'pause' ? 'paused_at' : 'stopped_at');
	// It may be resumed meanwhile.
	const isStill = sql`exists (select 1 from letters l where l.id = ${id} and l.${state} is not null)`;
	const open = and(
		...[emailsOf(id), isNull(outbox.deliveredAt), isNull(outbox.failedAt), which, isStill],
	)!;
	const lastError = action === 'pause' ? PAUSED : STOPPED;
	const closed = { dueAt: null, leasedUntil: null, lastError };
	await inPieces(db, outbox, open, (rows) => db.update(outbox).set(closed).where(rows));
}

/**
 * Makes the emails of letters due that were resumed within an hour. Repeated, because a worker may close an email as
 * paused just after the letter was resumed.
 */
async function reviveResumed(db: Db, now: Date): Promise<void> {
	const resumed = await db
		.select(tolerant({ id: letters.id }))
		.from(letters)
		.where(
			and(
				isNull(letters.pausedAt),
				isNull(letters.stoppedAt),
				gt(letters.resumedAt, new Date(now.getTime() - HOUR)),
			),
		);
	for (const { id } of resumed) {
		const paused = and(
			emailsOf(id),
			isNull(outbox.dueAt),
			isNull(outbox.deliveredAt),
			isNull(outbox.failedAt),
			eq(outbox.lastError, PAUSED),
			sql`exists (select 1 from letters l where l.id = ${id} and l.paused_at is null and l.stopped_at is null)`,
		)!;
		await inPieces(db, outbox, paused, (rows) =>
			db.update(outbox).set({ dueAt: now, lastError: null, attempts: 0 }).where(rows),
		);
	}
}

async function findLetter(db: Db, id: string): Promise<LetterRow> {
	const [row] = await db.select(tolerant(letters)).from(letters).where(eq(letters.id, id));
	if (!row) throw new AppError('not_found', 'There is no such letter.');
	return row;
}

/** Returns the letters that are not on their way yet, or are paused: the next one first. */
export async function listPending(db: Db, limit: number) {
	const { id, subject, dueAt, queuedAt, pausedAt, stoppedAt } = letters;
	const where = and(isNull(stoppedAt), or(isNull(queuedAt), isNotNull(pausedAt)));
	const rows = await db
		.select(tolerant({ id, subject, dueAt, pausedAt }))
		.from(letters)
		.where(where)
		.orderBy(asc(dueAt))
		.limit(limit);
	return rows.map(({ pausedAt: paused, dueAt: due, ...row }) => ({
		...row,
		at: due?.toISOString() ?? null,
		isPaused: paused !== null,
	}));
}

/** Returns the letters that have gone out since a time, the newest first. */
export async function listSent(db: Db, since: Date, limit: number) {
	const where = and(gt(letters.queuedAt, since), gt(letters.recipients, 0));
	const { id, subject, recipients, queuedAt } = letters;
	const rows = await db
		.select(tolerant({ id, subject, recipients, queuedAt }))
		.from(letters)
		.where(where)
		.orderBy(desc(queuedAt))
		.limit(limit);
	return rows.map(({ queuedAt: at, ...row }) => ({ ...row, at: at!.toISOString() }));
}

/** Returns the latest letters, newest first. */
export async function listLetters(db: Db, now: Date): Promise<LetterView[]> {
	const rows = await db
		.select(tolerant(letters))
		.from(letters)
		.orderBy(desc(letters.createdAt), desc(letters.id))
		.limit(SHOWN_LETTERS);
	return Promise.all(rows.map((row) => viewOf(db, row, now)));
}

/** Returns a letter with its counts. */
export async function getLetter(db: Db, id: string, now: Date): Promise<LetterDetail> {
	const row = await findLetter(db, id);
	const view = await viewOf(db, row, now);
	const { unsubscribed, refused, reasons } = outcomeOf(row) ?? (await countOutcome(db, id));
	return { ...view, unsubscribed, refused, reasons };
}

/** Numbers of a letter's emails by what became of them. */
const outcome = z.object({
	delivered: z.number(),
	kept: z._default(z.number(), 0),
	failed: z.number(),
	withdrawn: z.number(),
	unsubscribed: z.number(),
	refused: z.object({ hard: z.number(), soft: z.number() }),
	reasons: z.array(
		z.object({ reason: z.string(), kind: z.enum(['hard', 'soft']), count: z.number() }),
	),
});

/** Returns what was kept of a letter's emails before they were deleted, or null. */
const outcomeOf = (row: LetterRow) => outcome.safeParse(row.outcome).data ?? null;

/** Emails that are counted between two turns. */
const COUNTED = 20_000;

async function countEmails(db: Db, id: string, now: Date) {
	const total = { delivered: 0, kept: 0, failed: 0, open: 0, withdrawn: 0, pace: 0 };
	for (let from = `${id} `; ;) {
		const [piece] = await db.all<typeof total & { last: string | null }>(
			sql`select max(key) as last,
				coalesce(sum(delivered_at is not null), 0) as delivered,
				coalesce(sum(delivered_at is not null and last_error = ${KEPT_NOTE}), 0) as kept,
				coalesce(sum(failed_at is not null), 0) as failed,
				coalesce(sum(due_at is not null), 0) as open,
				coalesce(sum(due_at is null and delivered_at is null and failed_at is null
					and last_error is not ${PAUSED}), 0) as withdrawn,
				coalesce(sum(delivered_at > ${now.getTime() - MINUTE}), 0) as pace
			from (select key, delivered_at, failed_at, due_at, last_error from ${outbox}
				where kind = ${kindOf(id)} and key > ${from} and key < ${`${id}!`} order by key limit ${COUNTED})`,
		);
		const { last, ...counts } = piece!;
		for (const name of Object.keys(counts) as (keyof typeof total)[]) total[name] += counts[name];
		if (last === null) return total;
		from = last;
		await nextTurn();
	}
}

async function countOutcome(db: Db, id: string) {
	const [left] = await db
		.select({ count: sql<number>`count(*)` })
		.from(outbox)
		.innerJoin(subscribers, eq(subscribers.email, outbox.recipient))
		.where(
			and(
				emailsOf(id),
				isNotNull(outbox.deliveredAt),
				eq(subscribers.active, false),
				sql`left_at >= delivered_at and left_at < delivered_at + ${7 * DAY}`,
			),
		);
	// An email that failed after two days had only temporary refusals.
	const kind = sql<RefusalKind>`case when failed_at is not null and attempts < ${MAX_ATTEMPTS} then 'hard' else 'soft' end`;
	const found = await db
		.select({ ...tolerant({ reason: outbox.lastError }), kind, count: sql<number>`count(*)` })
		.from(outbox)
		.where(
			and(
				emailsOf(id),
				isNotNull(outbox.lastError),
				sql`(failed_at is not null or due_at is not null and attempts > 0 and leased_until is null)`,
			),
		)
		.groupBy(outbox.lastError, kind)
		.orderBy(sql`count(*) desc`);
	const sumOf = (which: RefusalKind) =>
		found.reduce((sum, row) => sum + (row.kind === which ? row.count : 0), 0);
	return {
		unsubscribed: left!.count,
		refused: { hard: sumOf('hard'), soft: sumOf('soft') },
		reasons: found
			.slice(0, SHOWN_REASONS)
			.map(({ reason, ...row }) => ({ reason: reason ?? '', ...row })),
	};
}

/** Days after which nothing more becomes of a letter's emails: none is tried any more, and no report is taken. */
const SETTLED_DAYS = 10;

/** Keeps what became of the emails of letters that are over, because emails are deleted later. */
export async function finalizeLetters(db: Db, now: Date): Promise<void> {
	const rows = await db
		.select(tolerant({ id: letters.id }))
		.from(letters)
		.where(
			and(
				isNull(letters.outcome),
				lt(letters.queuedAt, new Date(now.getTime() - SETTLED_DAYS * DAY)),
			),
		)
		.limit(SHOWN_LETTERS);
	const settle = async (id: string) => {
		const { open, pace: _, ...counts } = await countEmails(db, id, now);
		if (open > 0) return;
		const kept = { ...counts, ...(await countOutcome(db, id)) };
		await db.update(letters).set({ outcome: kept }).where(eq(letters.id, id));
	};
	await runEach(rows.map(({ id }) => [`Settling letter ${id}`, () => settle(id)]));
}

async function viewOf(db: Db, row: LetterRow, now: Date): Promise<LetterView> {
	const { id, subject, source, label, recipients, dueAt, createdAt, readings, comments } = row;
	const kept = outcomeOf(row);
	const {
		open,
		pace,
		delivered,
		kept: files,
		failed,
		withdrawn,
	} = kept ? { ...kept, open: 0, pace: 0 } : await countEmails(db, id, now);
	const [category] = row.topic
		? await db
				.select(tolerant({ name: categories.name }))
				.from(categories)
				.where(eq(categories.id, row.topic))
		: [];
	return {
		...{ id, subject, source, label, recipients, delivered, kept: files, failed, withdrawn, pace },
		...{ readings, comments },
		isIssue: isIssueId(id),
		cadence: cadenceOf(id),
		state: stateOf(row, open, files > 0 && files === delivered, now),
		topic: row.topic && (category?.name ?? 'A topic that is gone'),
		dueAt: dueAt?.toISOString() ?? null,
		createdAt: createdAt.toISOString(),
	};
}

function stateOf(
	{ stoppedAt, pausedAt, queuedAt, dueAt }: LetterRow,
	open: number,
	isKept: boolean,
	now: Date,
): LetterState {
	if (stoppedAt) return 'stopped';
	if (pausedAt) return 'paused';
	if (!queuedAt) return dueAt && dueAt > now ? 'scheduled' : 'queueing';
	return open > 0 ? 'sending' : isKept ? 'kept' : 'sent';
}

/** The reader of an email of a letter, with the categories that are wanted, and whether whole articles are. */
export type LetterReader = { topics: string[]; wantsWhole: boolean; cadence: Cadence };

type LetterEmail = Pick<Delivery, 'recipient' | 'key' | 'createdAt'>;

/**
 * Returns the reader of a letter's email. Throws if the letter is paused or stopped, if its reader left or paused, or had
 * another letter today.
 */
export async function readerOfLetter(
	db: Db,
	id: string,
	email: LetterEmail,
	now: Date,
): Promise<LetterReader> {
	const [row] = await db
		.select({
			...readerColumns,
			otherAt: otherLetterAt(id, email, now),
			letterPausedAt: sql<number | null>`(select paused_at from letters where letters.id = ${id})`,
			letterStoppedAt: sql<
				number | null
			>`(select stopped_at from letters where letters.id = ${id})`,
		})
		.from(subscribers)
		.where(eq(subscribers.email, email.recipient!));
	if (row?.letterStoppedAt) throw new WithdrawnError(STOPPED);
	if (row?.letterPausedAt) throw new WithdrawnError(PAUSED);
	const reader = wanting(row, now);
	if (row?.otherAt) {
		const dueAt = Math.min(row.otherAt + DAY, now.getTime() + MAX_DELAY_MS - HOUR);
		throw new PostponedError(new Date(dueAt));
	}
	return reader;
}

/** How long an email waits for another one to the same reader that is about to leave. */
const TURN_MS = 2 * MINUTE;

/**
 * Returns when the reader of a letter had another one within a day, and nearly a day ago if one that was queued first is about
 * to leave; null if there is none. Letters of articles are kept apart from all others for each reader, who may have chosen
 * another cadence since; two that go to all are kept apart by `letterNear`, or on purpose not at all.
 */
function otherLetterAt(id: string, { recipient, key, createdAt }: LetterEmail, now: Date) {
	const at = now.getTime();
	const isToAll = isIssueId(id) || cadenceOf(id) === null;
	const others = isToAll ? sql`(key like 'each-%' or key like 'month-%')` : sql`true`;
	return sql<number | null>`(select max(coalesce(delivered_at, ${at - DAY + TURN_MS})) from outbox
		where recipient = ${recipient} and kind in ('digest', 'letter') and key not like ${`${id} %`} and ${others}
		and (delivered_at > ${at - DAY} or (due_at <= ${at} or leased_until > ${at})
			and (created_at, key) < (${createdAt.getTime()}, ${key}))
		and not exists (select 1 from letters where id = ${id} and confirmed = 1))`;
}

const readerColumns = tolerant({
	topics: subscribers.topics,
	wantsWhole: subscribers.wantsWhole,
	cadence: subscribers.cadence,
	active: subscribers.active,
	pausedUntil: subscribers.pausedUntil,
});

/** Returns what a subscriber chose to get. Throws if the reader left or paused. */
export async function activeReader(db: Db, email: string, now: Date): Promise<LetterReader> {
	const [row] = await db
		.select(readerColumns)
		.from(subscribers)
		.where(eq(subscribers.email, email));
	return wanting(row, now);
}

/** Returns the ids of topics, none where they cannot be read. */
export const readTopics = (stored: unknown): string[] =>
	Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];

type ReaderRow = Pick<
	typeof subscribers.$inferSelect,
	'topics' | 'wantsWhole' | 'cadence' | 'active' | 'pausedUntil'
>;

function wanting(row: ReaderRow | undefined, now: Date): LetterReader {
	if (!row?.active || (row.pausedUntil && row.pausedUntil > now))
		throw new WithdrawnError('The reader left or paused before it was sent.');
	return { topics: readTopics(row.topics), wantsWhole: row.wantsWhole, cadence: row.cadence };
}

/** Placeholder for a reader's token, so that a letter is rendered once for all readers. */
const TOKEN_PLACEHOLDER = '%reader%';

/** Returns the links of an email that is rendered once for all readers. */
export function sharedLinks() {
	const { SITE_URL } = getEnv();
	return {
		leave: `${SITE_URL}/unsubscribe?token=${TOKEN_PLACEHOLDER}`,
		preferences: `${SITE_URL}/preferences?token=${TOKEN_PLACEHOLDER}`,
	};
}

/** Returns a rendered letter as the email to one reader. */
export function forReader({ subject, html, text }: RenderedEmail, recipient: string) {
	const links = readerLinks({ ...getEnv(), SECRET: getSecret() }, 'weekly', recipient);
	const token = new URL(links.leave).searchParams.get('token')!;
	return {
		subject,
		html: html.replaceAll(TOKEN_PLACEHOLDER, token),
		text: text.replaceAll(TOKEN_PLACEHOLDER, token),
		links,
	};
}

/** The words of a letter of its own. */
export type LetterWords = Words & { subject: string; preview: string };

/** Returns a letter of its own, with the name by which readers who come from it are counted. */
export function letterEmail(
	{ subject, preview, html, text }: LetterWords,
	campaign: string,
	date: Date,
	links: NonNullable<EmailContent['links']>,
): EmailContent {
	return {
		subject,
		preview: preview || previewOf(text),
		label: `${site.newsletter} · ${longDate(date)}`,
		title: subject,
		blocks: wordsBlock({ html, text }, campaign),
		why: `You get this because you subscribed to ${site.newsletter}.`,
		links,
	};
}

/** Writes the emails of letters of their own. */
export function letterWriter(db: Db): Writer {
	const rendered = new Map<string, Promise<RenderedEmail>>();
	const render = async (id: string): Promise<RenderedEmail> => {
		const letter = await findLetter(db, id);
		return renderEmail(letterEmail(letter, id, letter.createdAt, sharedLinks()));
	};
	return async (delivery, now) => {
		const { recipient, payload } = delivery;
		const { letter: id } = payload as { letter: string };
		await readerOfLetter(db, id, delivery, now);
		if (!rendered.has(id)) rendered.set(id, render(id));
		return forReader(await rendered.get(id)!, recipient!);
	};
}
