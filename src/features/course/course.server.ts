import { and, desc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { Db, Statement } from '#db/client.ts';
import { enrollments, outbox } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { deleteInPieces, nextTurn } from '#src/core/batches.server.ts';
import { getMeta, setMeta } from '#src/core/meta.server.ts';
import { enqueue } from '#src/core/outbox/outbox.server.ts';
import { readerLinks, type Writer } from '#src/core/outbox/mail.server.ts';
import type { Delivery } from '#src/core/outbox/outbox.server.ts';
import { WithdrawnError } from '#src/core/outbox/outbox.ts';
import { RETENTION_DAYS } from '#src/core/retention.ts';
import { DAY } from '#src/lib/dates.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import {
	ENROLLED,
	LESSONS,
	lessonEmail,
	nextTime,
	progressOf,
	type CourseChoice,
	type EnrollResponse,
	type EnrollInput,
	type Lesson,
	type Progress,
} from './course.ts';

/** Enrollments whose lessons are queued per batch. */
const CHUNK = 1000;

/** Returns two statements: they queue the next lesson of the enrollments that `where` matches, and advance these. */
function nextLessons(
	db: Db,
	where: ReturnType<typeof sql>,
	nextAt: ReturnType<typeof sql>,
	now: Date,
) {
	return [
		enqueue(
			db,
			{
				kind: 'lesson',
				key: sql`id || ' ' || (lesson + 1)`,
				recipient: sql`email`,
				payload: sql`json_object('day', lesson + 1)`,
				each: sql`from ${enrollments} where lesson < ${LESSONS.length} and ${where}`,
			},
			now,
		),
		db.run(sql`update ${enrollments} set lesson = lesson + 1,
				next_at = case when lesson + 1 < ${LESSONS.length} then ${nextAt} end
			where lesson < ${LESSONS.length} and ${where}`),
	] as const;
}

/** Condition for lessons that were withdrawn while the course was stopped, although they count as sent. */
const withdrawnLessons = (email: string) => sql`kind = 'lesson' and recipient = ${email}
	and due_at is null and delivered_at is null and failed_at is null
	and key in (select e.id || ' ' || json_extract(payload, '$.day') from ${enrollments} e where e.email = ${email})`;

/**
 * Returns a statement that makes withdrawn lessons due again if the course continues; nothing else would ever
 * send them.
 */
export function reviveLessons(db: Db, email: string, now: Date) {
	const goesOn = sql`exists (select 1 from ${enrollments} where email = ${email} and stopped_at is null)`;
	return db
		.update(outbox)
		.set({ dueAt: now, leasedUntil: null, attempts: 0, lastError: null })
		.where(and(withdrawnLessons(email), goesOn));
}

/**
 * Enrolls an address: lesson 1 is sent at once, the others daily at the same hour. Enrolling again changes
 * nothing, except that a stopped course continues with the lessons that were withdrawn.
 */
export async function enroll(db: Db, { email }: EnrollInput, now: Date): Promise<EnrollResponse> {
	const [first, ...others] = enrolling(db, email, null, now);
	await db.batch([first!, ...others]);
	return { success: true, message: ENROLLED };
}

/** Returns the statements that enroll an address: see `enroll`. */
export function enrolling(db: Db, email: string, consent: string | null, now: Date): Statement[] {
	const at = now.getTime();
	const id = crypto.randomUUID();
	const row = db.insert(enrollments).values({ id, email, consent, createdAt: now });
	return [
		consent
			? row.onConflictDoUpdate({ target: enrollments.email, set: { consent } })
			: row.onConflictDoNothing(),
		...nextLessons(db, sql`id = ${id}`, sql`${at + DAY}`, now),
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
	];
}

/** Queues every due lesson: one per enrollment, however long the schedule was down. Returns how many. */
export async function queueLessons(db: Db, now: Date): Promise<number> {
	const at = now.getTime();
	const due = sql`id in (select id from ${enrollments} where next_at <= ${at} order by next_at, id limit ${CHUNK})`;
	// Bound numbers would divide as fractions.
	const later = sql`next_at + ${DAY} * cast((${at} - next_at) / ${DAY} + 1 as integer)`;
	let queued = 0;
	for (;;) {
		const [, stepped] = await db.batch([...nextLessons(db, due, later, now)]);
		queued += stepped.rowsAffected;
		if (stepped.rowsAffected < CHUNK) return queued;
		await nextTurn();
	}
}

/** Returns the progress of an address in the course, or null if it never enrolled. */
export async function getProgress(db: Db, email: string, now: Date): Promise<Progress | null> {
	const [row] = await db
		.select(tolerant(enrollments))
		.from(enrollments)
		.where(eq(enrollments.email, email));
	return row ? progressOf(row, now) : null;
}

/** Applies a choice from the progress page. Does nothing if it no longer makes sense. */
export async function chooseCourse(
	db: Db,
	email: string,
	choice: CourseChoice,
	now: Date,
): Promise<void> {
	const at = now.getTime();
	const [row] = await db
		.select(tolerant(enrollments))
		.from(enrollments)
		.where(eq(enrollments.email, email));
	if (!row || row.lesson >= LESSONS.length) return;
	const mine = eq(enrollments.id, row.id);
	// Two simultaneous clicks count as one.
	const current = sql`id = ${row.id} and lesson = ${row.lesson}`;
	if (choice === 'next') {
		await db.batch([
			...nextLessons(db, current, sql`${at + DAY}`, now),
			db.update(enrollments).set({ pausedAt: null, stoppedAt: null }).where(mine),
			reviveLessons(db, email, now),
		]);
	} else if (choice === 'catch-up') {
		const next = nextTime(row.createdAt, now).getTime();
		const { behind } = progressOf(row, now);
		for (let lesson = row.lesson; lesson < row.lesson + behind; lesson++) {
			// Only a page that was opened before a pause or a stop still offers it.
			const step = sql`id = ${row.id} and lesson = ${lesson} and paused_at is null and stopped_at is null`;
			await db.batch([...nextLessons(db, step, sql`${next}`, now)]);
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

/** Returns a statement that stops the course of an address. A pause stays in the row, so that undo restores it. */
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
 * Returns a statement that undoes the stop of a course at `stoppedAt`. If the next lesson's time is unknown, it
 * is sent at the hour of enrollment, as in `nextTime`.
 */
export function restartCourse(
	db: Db,
	email: string,
	stoppedAt: Date,
	nextAt: Date | null,
	now: Date,
) {
	const at = now.getTime();
	// The time comes from the reader's browser, so it is limited.
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

/** Deletes enrollments that ended or were paused long ago. A new enrollment starts over. */
export async function pruneCourses(db: Db, now: Date): Promise<void> {
	const oldest = now.getTime() - RETENTION_DAYS.courses * DAY;
	const isOver = sql`next_at is null and coalesce(stopped_at, paused_at, created_at) < ${oldest}`;
	await deleteInPieces(db, enrollments, isOver);
}

const lessonKey = (day: number) => `lesson:${day}` as const;

/** Stores the lessons rendered for email, so that a function needs neither files nor a renderer. */
export async function storeLessons(db: Db, lessons: Lesson[]): Promise<void> {
	for (const [index, lesson] of lessons.entries()) {
		await setMeta(db, lessonKey(index + 1), JSON.stringify(lesson));
	}
}

/** Writes the lesson of a delivery, unless its reader has stopped the course. */
export function lessonWriter(db: Db): Writer {
	return async ({ recipient, payload }: Delivery) => {
		const { day } = payload as { day: number };
		const [enrollment] = await db
			.select({ stoppedAt: enrollments.stoppedAt })
			.from(enrollments)
			.where(eq(enrollments.email, recipient!));
		if (!enrollment || enrollment.stoppedAt) throw new WithdrawnError('The course was stopped.');
		const stored = await getMeta(db, lessonKey(day));
		if (!stored) throw new Error(`Lesson ${day} is not in the database: build the site once.`);
		const env = { ...getEnv(), SECRET: getSecret() };
		const lesson = JSON.parse(stored) as Lesson;
		return lessonEmail(day, lesson, env.SITE_URL, readerLinks(env, 'course', recipient!));
	};
}

/** Maximum number of enrollments in the admin's list. */
const MAX_LISTED = 200;

/** Returns the newest enrollments, for the admin. */
export async function listEnrollments(db: Db, now: Date) {
	const [total, rows] = await Promise.all([
		db.$count(enrollments),
		db
			.select(tolerant(enrollments))
			.from(enrollments)
			.orderBy(desc(enrollments.createdAt))
			.limit(MAX_LISTED),
	]);
	return {
		total,
		enrollments: rows.map((row) => {
			const { lesson, state, nextAt } = progressOf(row, now);
			const createdAt = row.createdAt.toISOString();
			const { email, consent } = row;
			return { email, consent, lesson, state, nextAt: nextAt?.toISOString() ?? null, createdAt };
		}),
	};
}
