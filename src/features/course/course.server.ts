import { and, desc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { enrollments, meta, outbox } from '#db/schema.ts';
import { readerLinks, type Writer } from '#src/core/outbox/mail.server.ts';
import type { Delivery } from '#src/core/outbox/outbox.server.ts';
import { WithdrawnError } from '#src/core/outbox/outbox.ts';
import { RETENTION_DAYS } from '#src/core/retention.ts';
import { DAY } from '#src/lib/dates.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import {
	ENROLLED,
	LESSONS,
	lessonLetter,
	nextTime,
	progressOf,
	type CourseChoice,
	type EnrollResponse,
	type EnrollInput,
	type Lesson,
	type Progress,
} from './course.ts';

/** Enrollments whose lessons are queued in one go. */
const CHUNK = 1000;

/** Rows of the outbox for the next lesson of the enrollments that `where` names, and the step of each. */
function nextLessons(
	db: Db,
	where: ReturnType<typeof sql>,
	nextAt: ReturnType<typeof sql>,
	at: number,
) {
	return [
		db.run(sql`insert or ignore into ${outbox} (id, kind, key, recipient, payload, due_at, created_at)
			select lower(hex(randomblob(16))), 'lesson', id || ' ' || (lesson + 1), email,
				json_object('day', lesson + 1), ${at}, ${at}
			from ${enrollments} where lesson < ${LESSONS.length} and ${where}`),
		db.run(sql`update ${enrollments} set lesson = lesson + 1,
				next_at = case when lesson + 1 < ${LESSONS.length} then ${nextAt} end
			where lesson < ${LESSONS.length} and ${where}`),
	] as const;
}

/** Emails of the course of an address that were withdrawn while it was stopped: lessons that count as sent. */
const withdrawnLessons = (email: string) => sql`kind = 'lesson' and recipient = ${email}
	and due_at is null and delivered_at is null and failed_at is null
	and key in (select e.id || ' ' || json_extract(payload, '$.day') from ${enrollments} e where e.email = ${email})`;

/** A statement that makes withdrawn lessons due again where the course goes on: nothing else would ever send them. */
export function reviveLessons(db: Db, email: string, now: Date) {
	const goesOn = sql`exists (select 1 from ${enrollments} where email = ${email} and stopped_at is null)`;
	return db
		.update(outbox)
		.set({ dueAt: now, leasedUntil: null, attempts: 0, lastError: null })
		.where(and(withdrawnLessons(email), goesOn));
}

/**
 * Enrolls an address: lesson 1 leaves at once, the others one a day at this hour. Again, it changes nothing;
 * a stopped course goes on where it was, with the lessons that stopping withdrew.
 */
export async function enroll(db: Db, { email }: EnrollInput, now: Date): Promise<EnrollResponse> {
	const at = now.getTime();
	const id = crypto.randomUUID();
	await db.batch([
		db.insert(enrollments).values({ id, email, createdAt: now }).onConflictDoNothing(),
		...nextLessons(db, sql`id = ${id}`, sql`${at + DAY}`, at),
		db
			.update(enrollments)
			.set({
				stoppedAt: null,
				pausedAt: null,
				nextAt: sql`case when exists (select 1 from ${outbox} where ${withdrawnLessons(email)}) then ${at + DAY} else ${at} end`,
			})
			.where(
				and(
					eq(enrollments.email, email),
					isNotNull(enrollments.stoppedAt),
					lt(enrollments.lesson, LESSONS.length),
				),
			),
		reviveLessons(db, email, now),
	]);
	return { success: true, message: ENROLLED };
}

/** Queues every lesson that is due: one for each enrollment, however long nobody looked. Returns how many. */
export async function queueLessons(db: Db, now: Date): Promise<number> {
	const at = now.getTime();
	const due = sql`id in (select id from ${enrollments} where next_at <= ${at} order by next_at, id limit ${CHUNK})`;
	// Bound numbers divide as fractions.
	const later = sql`next_at + ${DAY} * cast((${at} - next_at) / ${DAY} + 1 as integer)`;
	let queued = 0;
	for (;;) {
		const [, stepped] = await db.batch([...nextLessons(db, due, later, at)]);
		queued += stepped.rowsAffected;
		if (stepped.rowsAffected < CHUNK) return queued;
	}
}

/** How the course of an address stands, or null where it never enrolled. */
export async function getProgress(db: Db, email: string, now: Date): Promise<Progress | null> {
	const [row] = await db.select().from(enrollments).where(eq(enrollments.email, email));
	return row ? progressOf(row, now) : null;
}

/** Does what the reader chose on the progress page. Nothing happens where it makes no sense any more. */
export async function chooseCourse(
	db: Db,
	email: string,
	choice: CourseChoice,
	now: Date,
): Promise<void> {
	const at = now.getTime();
	const [row] = await db.select().from(enrollments).where(eq(enrollments.email, email));
	if (!row || row.lesson >= LESSONS.length) return;
	const mine = eq(enrollments.id, row.id);
	// Two clicks at once are one step.
	const current = sql`id = ${row.id} and lesson = ${row.lesson}`;
	if (choice === 'next') {
		await db.batch([
			...nextLessons(db, current, sql`${at + DAY}`, at),
			db.update(enrollments).set({ pausedAt: null, stoppedAt: null }).where(mine),
			reviveLessons(db, email, now),
		]);
	} else if (choice === 'catch-up') {
		const next = nextTime(row.createdAt, now).getTime();
		const { behind } = progressOf(row, now);
		for (let lesson = row.lesson; lesson < row.lesson + behind; lesson++) {
			// Only a page that was open before a pause or a stop still offers it.
			const step = sql`id = ${row.id} and lesson = ${lesson} and paused_at is null and stopped_at is null`;
			await db.batch([...nextLessons(db, step, sql`${next}`, at)]);
		}
	} else if (choice === 'pause') {
		await db
			.update(enrollments)
			.set({ pausedAt: now, nextAt: null })
			.where(and(mine, isNull(enrollments.stoppedAt)));
	} else if (choice === 'stop') {
		await stopCourse(db, email, now);
	} else {
		await db.batch([
			db
				.update(enrollments)
				.set({ pausedAt: null, stoppedAt: null, nextAt: nextTime(row.createdAt, now) })
				.where(mine),
			reviveLessons(db, email, now),
		]);
	}
}

/** A statement that ends the course of an address; a pause stays in the row, so that Undo finds it. */
export function stopCourse(db: Db, email: string, now: Date) {
	return db
		.update(enrollments)
		.set({ stoppedAt: now, nextAt: null })
		.where(
			and(
				eq(enrollments.email, email),
				isNull(enrollments.stoppedAt),
				lt(enrollments.lesson, LESSONS.length),
			),
		);
}

/**
 * A statement that takes back the end that a course had at `stoppedAt`. Where nobody knows any more when the next lesson
 * was due, it comes at the hour of enrollment, as `nextTime` has it.
 */
export function restartCourse(
	db: Db,
	email: string,
	stoppedAt: Date,
	nextAt: Date | null,
	now: Date,
) {
	const at = now.getTime();
	// The time comes back from the reader's browser.
	const next = nextAt
		? sql`${Math.min(nextAt.getTime(), at + DAY)}`
		: sql`created_at + ${DAY} * cast((${at} - created_at) / ${DAY} + 1 as integer)`;
	return db
		.update(enrollments)
		.set({ stoppedAt: null, nextAt: sql`case when paused_at is null then ${next} end` })
		.where(
			and(
				eq(enrollments.email, email),
				eq(enrollments.stoppedAt, stoppedAt),
				lt(enrollments.lesson, LESSONS.length),
			),
		);
}

/** Deletes courses that ended, or were paused, long ago: who enrolls again then starts anew. */
export async function pruneCourses(db: Db, now: Date): Promise<void> {
	const oldest = now.getTime() - RETENTION_DAYS.courses * DAY;
	await db
		.delete(enrollments)
		.where(sql`next_at is null and coalesce(stopped_at, paused_at, created_at) < ${oldest}`);
}

const lessonKey = (day: number) => `lesson:${day}`;

/** Keeps the lessons as mail shows them, so that a function needs neither files nor a renderer. */
export async function storeLessons(db: Db, lessons: Lesson[]): Promise<void> {
	for (const [index, lesson] of lessons.entries()) {
		const value = JSON.stringify(lesson);
		await db
			.insert(meta)
			.values({ key: lessonKey(index + 1), value })
			.onConflictDoUpdate({ target: meta.key, set: { value } });
	}
}

/** Writes the lesson of a delivery, unless its reader stopped the course meanwhile. */
export function lessonWriter(db: Db): Writer {
	return async ({ recipient, payload }: Delivery) => {
		const { day } = payload as { day: number };
		const [enrollment] = await db
			.select({ stoppedAt: enrollments.stoppedAt })
			.from(enrollments)
			.where(eq(enrollments.email, recipient!));
		if (!enrollment || enrollment.stoppedAt) throw new WithdrawnError('The course was stopped.');
		const [row] = await db
			.select()
			.from(meta)
			.where(eq(meta.key, lessonKey(day)));
		if (!row) throw new Error(`Lesson ${day} is not in the database: build the site once.`);
		const env = { ...getEnv(), SECRET: getSecret() };
		const lesson = JSON.parse(row.value) as Lesson;
		return lessonLetter(day, lesson, env.SITE_URL, readerLinks(env, 'course', recipient!));
	};
}

/** Enrollments that the admin's list shows. */
const MAX_LISTED = 200;

/** The newest enrollments, for the admin. */
export async function listEnrollments(db: Db, now: Date) {
	const [total, rows] = await Promise.all([
		db.$count(enrollments),
		db.select().from(enrollments).orderBy(desc(enrollments.createdAt)).limit(MAX_LISTED),
	]);
	return {
		total,
		enrollments: rows.map((row) => {
			const { lesson, state, nextAt } = progressOf(row, now);
			const createdAt = row.createdAt.toISOString();
			return { email: row.email, lesson, state, nextAt: nextAt?.toISOString() ?? null, createdAt };
		}),
	};
}
