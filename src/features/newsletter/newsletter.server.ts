import { and, asc, between, eq, inArray, sql } from 'drizzle-orm';
import type { Db, Statement } from '#db/client.ts';
import {
	categories,
	domainOfAddress,
	enrollments,
	outbox,
	signupDays,
	subscribers,
} from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { inPieces } from '#src/core/batches.server.ts';
import {
	chooseCourse,
	getProgress,
	restartCourse,
	reviveLessons,
	stopCourse,
} from '#src/features/course/course.server.ts';
import { LESSONS, type CourseChoice } from '#src/features/course/course.ts';
import { domainOf } from '#src/core/outbox/email-content.ts';
import type { Reader } from '#src/core/outbox/mail.server.ts';
import { enqueue } from '#src/core/outbox/outbox.server.ts';
import { getSettings } from '#src/core/settings/settings.server.ts';
import { RETENTION_DAYS } from '#src/core/retention.ts';
import { DAY, HOUR, SECOND } from '#src/lib/dates.ts';
import { getEnv } from '#src/lib/env.ts';
import { cadenceWords } from './cadence.ts';
import { eachTopic, readTopics } from './letters.server.ts';
import {
	PAUSE_DAYS,
	type Unsubscription,
	type PreferenceChoice,
	type Preferences,
} from './preferences.ts';
import {
	CADENCES,
	SUBSCRIBED,
	type Cadence,
	type Signup,
	type SubscribeResponse,
} from './subscriber.ts';

/**
 * Subscribes an address, or reactivates it. Idempotent. Queues the welcome email in the same batch, at most
 * once per address in 24 hours, and the mail list's copy.
 */
export async function subscribe(db: Db, signup: Signup, now: Date): Promise<SubscribeResponse> {
	const [first, ...others] = subscribing(db, signup, now);
	await db.batch([first!, ...others]);
	return { success: true, message: SUBSCRIBED };
}

/** Returns the statements that subscribe an address: see `subscribe`. */
export function subscribing(db: Db, signup: Signup, now: Date): Statement[] {
	const { email, source = null, name, lastName, topics = [], cadence, consent } = signup;
	// A key is the address, a space and the time, so that one index range covers a day's welcome emails.
	const key = (time: number) => `${email} ${new Date(time).toISOString()}`;
	const at = now.getTime();
	const welcomed = sql`select 1 from ${outbox} where ${outbox.kind} = 'welcome'
		and ${outbox.key} > ${key(at - DAY)} and ${outbox.key} <= ${key(at)}`;
	return [
		countSignup(db, email, source, now),
		db
			.insert(subscribers)
			// Details about an address that a stranger may have typed are stored only if there are none.
			.values({
				...{ email, source, createdAt: now },
				name: name || null,
				lastName: lastName || null,
				consent: consent ?? null,
				...(cadence && { cadence }),
				topics: sql`(select json_group_array(id) from categories where ${inArray(categories.id, ['', ...topics])})`,
			})
			.onConflictDoUpdate({
				target: subscribers.email,
				set: { ...ACTIVE_COLUMNS, ...(consent && { consent }) },
			}),
		enqueue(
			db,
			{
				kind: 'welcome',
				key: key(at),
				recipient: email,
				payload: { email, source },
				where: sql`not exists (${welcomed})`,
			},
			now,
		),
		...enqueueListCopy(db, email, now),
	];
}

/** Returns the statement that counts a signup, of who is new or comes back. It goes before the one that makes it. */
function countSignup(db: Db, email: string, source: string | null, now: Date) {
	return db.run(sql`insert into ${signupDays} (day, source, signups)
		select ${Math.floor(now.getTime() / DAY)}, ${source ?? ''}, 1
			where not exists (select 1 from ${subscribers} where email = ${email} and active)
		on conflict (day, source) do update set signups = signups + 1`);
}

/** Columns of an active subscriber. */
const ACTIVE_COLUMNS = { active: true, leftAt: null, pausedUntil: null, hardBounces: 0 };

/**
 * Returns a statement that queues the mail list's copy of an address, if a mail list is configured and no copy
 * is waiting.
 */
function enqueueListCopy(db: Db, email: string, now: Date) {
	if (!getEnv().MAILERLITE_API_KEY) return [];
	const where = sql`exists (select 1 from ${subscribers} where email = ${email})
		and not exists (select 1 from ${outbox} where recipient = ${email} and kind = 'mailerlite'
			and due_at is not null and leased_until is null)`;
	const key = `${email} ${now.toISOString()}`;
	return [enqueue(db, { kind: 'mailerlite', key, recipient: email, payload: {}, where }, now)];
}

/** Counts the addresses that receive the newsletter. */
export async function countSubscribers(db: Db): Promise<{ count: number }> {
	return { count: await db.$count(subscribers, eq(subscribers.active, true)) };
}

/** Returns an address's subscriptions. */
export async function getPreferences(db: Db, email: string, now: Date): Promise<Preferences> {
	const [row] = await db
		.select(tolerant(subscribers))
		.from(subscribers)
		.where(eq(subscribers.email, email));
	const { active, pausedUntil } = row ?? {};
	const topics = readTopics(row?.topics);
	const { letterCadence: cadence, letterDay: day } = await getSettings(db);
	const wanted = row?.cadence ?? 'weekly';
	const reads = wanted === 'monthly' && cadence === 'monthly' ? 'weekly' : wanted;
	const all = await db
		.select(tolerant({ id: categories.id, name: categories.name }))
		.from(categories)
		.orderBy(asc(categories.position), asc(categories.name));
	return {
		schedule: cadenceWords(reads, { cadence, day }),
		cadence: reads,
		cadences: CADENCES.filter((one) => one !== 'monthly' || cadence !== 'monthly'),
		wantsWhole: row?.wantsWhole ?? false,
		topics: all.map(({ id, name }) => ({ id, name, chosen: topics.includes(id) })),
		weekly: !row
			? { state: 'never' }
			: !active
				? { state: 'left' }
				: pausedUntil && pausedUntil > now
					? { state: 'paused', until: pausedUntil }
					: { state: 'active' },
		course: await getProgress(db, email, now),
	};
}

/** Applies a choice from the preferences page. */
export async function choosePreference(
	db: Db,
	email: string,
	choice: PreferenceChoice,
	now: Date,
): Promise<void> {
	if (choice.startsWith('course-')) {
		return chooseCourse(db, email, choice.slice('course-'.length) as CourseChoice, now);
	}
	if (choice === 'weekly-join') {
		await db.batch([
			countSignup(db, email, 'Preferences', now),
			db
				.insert(subscribers)
				.values({ email, source: 'Preferences', createdAt: now })
				.onConflictDoUpdate({ target: subscribers.email, set: ACTIVE_COLUMNS }),
			...enqueueListCopy(db, email, now),
		]);
	} else if (choice.startsWith('topic-')) {
		await toggleTopic(db, email, choice.slice('topic-'.length));
	} else if (choice.startsWith('often-')) {
		const cadence = choice.slice('often-'.length) as Cadence;
		await db.update(subscribers).set({ cadence }).where(eq(subscribers.email, email));
	} else if (choice === 'read-whole' || choice === 'read-excerpts') {
		const wantsWhole = choice === 'read-whole';
		await db.update(subscribers).set({ wantsWhole }).where(eq(subscribers.email, email));
	} else if (choice === 'weekly-leave') {
		await db.batch([leaveWeekly(db, email, now), ...enqueueListCopy(db, email, now)]);
	} else {
		const pausedUntil = new Date(now.getTime() + PAUSE_DAYS * DAY);
		await db
			.update(subscribers)
			.set({ pausedUntil })
			.where(and(eq(subscribers.email, email), eq(subscribers.active, true)));
	}
}

/** Adds a topic to those of a subscriber, or removes it. Forgets topics that are gone. */
async function toggleTopic(db: Db, email: string, topic: string): Promise<void> {
	const isWanted = sql`(exists (select 1 from ${eachTopic} where value = categories.id))`;
	await db
		.update(subscribers)
		.set({
			topics: sql`(select json_group_array(categories.id) from categories
				where ${isWanted} <> (categories.id = ${topic}))`,
		})
		.where(eq(subscribers.email, email));
}

/**
 * Returns a statement that ends the weekly letter. A pause stays in the row, so that undo restores it. Whoever leaves after the
 * owner or a file made the address inactive has left a millisecond later: no undo of that finds the row as it was made.
 */
export function leaveWeekly(db: Db, email: string, now: Date) {
	return db
		.update(subscribers)
		.set({
			active: false,
			leftAt: sql`case when active then ${now.getTime()} else left_at + (left_at > ${now.getTime() - UNDO_AGAIN_MS}
				or exists (select 1 from import_items where item_id = subscribers.id and kind = 'changed-subscriber')) end`,
		})
		.where(eq(subscribers.email, email));
}

/** How long unsubscribing again, such as by reloading the page, still offers undo. */
const UNDO_AGAIN_MS = HOUR;

/**
 * Unsubscribes: a link in a lesson ends the course, any other link ends the weekly letter and the course.
 * Idempotent. Returns what `undoUnsubscribe` needs, or null if nothing ended in this or the past hour.
 */
export async function unsubscribe(
	db: Db,
	{ list, email }: Reader,
	now: Date,
): Promise<Unsubscription | null> {
	const isWeekly = list === 'weekly';
	const [[subscriber], [course]] = await db.batch([
		db.select(tolerant(subscribers)).from(subscribers).where(eq(subscribers.email, email)),
		db.select(tolerant(enrollments)).from(enrollments).where(eq(enrollments.email, email)),
		stopCourse(db, email, now),
		...(isWeekly ? [leaveWeekly(db, email, now), ...enqueueListCopy(db, email, now)] : []),
	]);
	const endOf = {
		weekly: isWeekly && subscriber ? (subscriber.active ? now : subscriber.leftAt) : null,
		course: course && course.lesson < LESSONS.length ? (course.stoppedAt ?? now) : null,
	};
	const last = Math.max(endOf.weekly?.getTime() ?? 0, endOf.course?.getTime() ?? 0);
	if (now.getTime() - last >= UNDO_AGAIN_MS) return null;
	return { at: new Date(last), nextAt: course?.nextAt ?? null };
}

/** Restores what one `unsubscribe` ended, unless something else was chosen since. Idempotent. */
export async function undoUnsubscribe(
	db: Db,
	{ list, email }: Reader,
	{ at, nextAt }: Unsubscription,
	now: Date,
): Promise<void> {
	await db.batch([
		restartCourse(db, email, at, nextAt, now),
		reviveLessons(db, email, now),
		...(list === 'weekly'
			? [
					db
						.update(subscribers)
						.set({ active: true, leftAt: null })
						.where(
							and(
								eq(subscribers.email, email),
								eq(subscribers.active, false),
								between(subscribers.leftAt, at, new Date(at.getTime() + SECOND)),
							),
						),
					...enqueueListCopy(db, email, now),
				]
			: []),
	]);
}

/** Removes everything about former subscribers but what prevents further emails to them. */
export async function pruneLeavers(db: Db, now: Date): Promise<void> {
	const oldest = now.getTime() - RETENTION_DAYS.leaversNames * DAY;
	const isOld = sql`active = 0 and coalesce(left_at, created_at) < ${oldest}
		and coalesce(name, last_name, source, paused_until) is not null`;
	await inPieces(db, subscribers, isOld, (rows) =>
		db
			.update(subscribers)
			.set({ name: null, lastName: null, source: null, pausedUntil: null })
			.where(rows),
	);
}

/** Number of permanent refusals after which nothing more is sent to an address. */
export const MAX_BOUNCES = 2;
/**
 * How many readers of a domain one refusal each may remove within a day: a share, or a few where there are few. A server
 * that lost its list of mailboxes reports all of them as unknown, and is asked a second time.
 */
const GONE_SHARE = 0.2;
const GONE_MIN = 5;

/**
 * Records that a mail server reported an unknown recipient. Ends all subscriptions of the address, if the server was
 * clear (`isGone`) and does not say so of many, or else the second time.
 */
export async function recordBounce(
	db: Db,
	email: string,
	isGone: boolean,
	now: Date,
): Promise<void> {
	const counts = isGone && (await isBelievable(db, email, now)) ? MAX_BOUNCES : 1;
	const refused = sql`(select count(*) from ${outbox} where recipient = ${email} and failed_at is not null) + ${counts}`;
	await db.batch([
		db
			.update(subscribers)
			.set({
				hardBounces: sql`${subscribers.hardBounces} + ${counts}`,
				leftAt: sql`case when active and hard_bounces + ${counts} >= ${MAX_BOUNCES} then ${now.getTime()} else left_at end`,
				active: sql`active and hard_bounces + ${counts} < ${MAX_BOUNCES}`,
			})
			.where(eq(subscribers.email, email)),
		db
			.update(enrollments)
			.set({ stoppedAt: now, nextAt: null })
			.where(
				and(eq(enrollments.email, email), sql`stopped_at is null and ${refused} >= ${MAX_BOUNCES}`),
			),
	]);
}

/**
 * Returns whether a domain lost few enough readers today to believe that one more address is gone. Reads who left within
 * the day, and of the others no more than it takes to know that those are a small share.
 */
async function isBelievable(db: Db, email: string, now: Date): Promise<boolean> {
	const ofDomain = sql`${domainOfAddress} = ${domainOf(email)}`;
	const isLately = sql`left_at > ${now.getTime() - DAY}`;
	const lost = await db.$count(
		subscribers,
		sql`${ofDomain} and ${isLately} and active = 0 and hard_bounces >= ${MAX_BOUNCES}`,
	);
	if (lost < GONE_MIN) return true;
	const enough = Math.floor(lost / GONE_SHARE) + 1;
	const [found] = await db.all<{ readers: number }>(sql`select count(*) as readers from (
		select 1 from ${subscribers} where ${ofDomain} and (active = 1 or ${isLately}) limit ${enough})`);
	return found!.readers === enough;
}
