import { and, eq, inArray, or, sql } from 'drizzle-orm';
import type { Db, Statement } from '#db/client.ts';
import {
	comments,
	contactMessages,
	contactReplies,
	enrollments,
	feedback,
	importItems,
	outbox,
	posts,
	subscribers,
	unconfirmed,
} from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import { dataLink, readerLinks, type Writer } from '#src/core/outbox/mail.server.ts';
import { enqueue } from '#src/core/outbox/outbox.server.ts';
import { recordErasure } from '#src/core/builds/builds.server.ts';
import { markErased } from '#src/core/erased.server.ts';
import { HOUR } from '#src/lib/dates.ts';
import { feedbackNaming } from '#src/features/feedback/feedback.server.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import { plural, joinWithAnd } from '#src/lib/text.ts';
import { DATA_REQUESTED, dataEmail, type DataResponse } from './privacy.ts';

/** Queues the email with the link, at most once an hour per address, so that nobody can fill a stranger's mailbox. */
export async function requestData(db: Db, email: string, now: Date): Promise<DataResponse> {
	const at = now.getTime();
	const key = (time: number) => `${email} ${new Date(time).toISOString()}`;
	const isRecent = sql`exists (select 1 from ${outbox} where kind = 'data'
		and key > ${key(at - HOUR)} and key <= ${key(at)})`;
	await enqueue(
		db,
		{ kind: 'data', key: key(at), recipient: email, payload: {}, where: sql`not ${isRecent}` },
		now,
	);
	return { success: true, message: DATA_REQUESTED };
}

export function dataWriter(): Writer {
	const env = { ...getEnv(), SECRET: getSecret() };
	return async ({ recipient }, now) =>
		dataEmail(dataLink(env, recipient!, now), readerLinks(env, 'weekly', recipient!));
}

/**
 * Condition for emails to an address, and for its own messages to the owner, but not for what others wrote to
 * an owner with this address.
 */
const emailsOf = (email: string) =>
	or(
		// The delivery that tells the mail list about an erasure is deleted by itself afterwards.
		and(
			eq(outbox.recipient, email),
			sql`${outbox.kind} <> 'contact' and json_extract(${outbox.payload}, '$.erased') is null`,
		),
		and(eq(outbox.kind, 'contact'), sql`json_extract(${outbox.payload}, '$.email') = ${email}`),
	);

/** Returns everything stored about an address. */
export async function collectData(db: Db, email: string, now: Date) {
	const [newsletter, course, asked, written, messages, answers, named, mails] = await Promise.all([
		db.select(tolerant(subscribers)).from(subscribers).where(eq(subscribers.email, email)),
		db.select(tolerant(enrollments)).from(enrollments).where(eq(enrollments.email, email)),
		db.select(tolerant(unconfirmed)).from(unconfirmed).where(eq(unconfirmed.email, email)),
		db
			.select(
				tolerant({
					article: posts.title,
					slug: posts.slug,
					author: comments.author,
					email: comments.email,
					content: comments.content,
					earlier: comments.earlier,
					isPublic: comments.approved,
					createdAt: comments.createdAt,
				}),
			)
			.from(comments)
			.innerJoin(posts, eq(posts.id, comments.postId))
			.where(eq(comments.email, email))
			.orderBy(comments.createdAt),
		db
			.select(tolerant(contactMessages))
			.from(contactMessages)
			.where(eq(contactMessages.email, email))
			.orderBy(contactMessages.createdAt),
		db
			.select(tolerant({ text: contactReplies.text, createdAt: contactReplies.createdAt }))
			.from(contactReplies)
			.innerJoin(contactMessages, eq(contactMessages.id, contactReplies.messageId))
			.where(eq(contactMessages.email, email))
			.orderBy(contactReplies.createdAt),
		feedbackNaming(db, email),
		db
			.select(
				tolerant({
					kind: outbox.kind,
					key: outbox.key,
					recipient: outbox.recipient,
					payload: outbox.payload,
					createdAt: outbox.createdAt,
					dueAt: outbox.dueAt,
					deliveredAt: outbox.deliveredAt,
					failedAt: outbox.failedAt,
					leasedUntil: outbox.leasedUntil,
					attempts: outbox.attempts,
					lastError: outbox.lastError,
				}),
			)
			.from(outbox)
			.where(emailsOf(email))
			.orderBy(outbox.createdAt),
	]);
	return {
		address: email,
		asOf: now.toISOString(),
		newsletter: newsletter[0] ?? null,
		course: course[0] ?? null,
		unconfirmed: asked,
		comments: written,
		messages,
		answers,
		feedback: named,
		mails,
	};
}

/**
 * Deletes everything stored about an address in one batch. The log records that and how much was erased, but
 * not whose it was, and nothing if nothing was stored. Rate limits stay, because they contain no address and
 * expire within a day. Returns the posts whose comments are gone, and what was erased, in words. `actor` is the owner whom
 * a reader asked for it.
 */
export async function eraseData(
	db: Db,
	email: string,
	now: Date,
	actor?: string,
): Promise<{ postIds: string[]; erased: string }> {
	const [written, messages, known, courses, asked, named, emails] = await Promise.all([
		db
			.select({ postId: comments.postId, approved: comments.approved })
			.from(comments)
			.where(eq(comments.email, email)),
		db.$count(contactMessages, eq(contactMessages.email, email)),
		db.$count(subscribers, eq(subscribers.email, email)),
		db.$count(enrollments, eq(enrollments.email, email)),
		db.$count(unconfirmed, eq(unconfirmed.email, email)),
		feedbackNaming(db, email),
		db.$count(outbox, emailsOf(email)),
	]);
	const erased = heldWords({
		...{ subscribers: known, courses, unconfirmed: asked },
		...{ comments: written.length, messages, feedback: named.length, emails },
	});
	if (!erased) return { postIds: [], erased };
	const action = actor ? 'erased the data of a reader who asked for it' : 'erased their data';
	const trace = { actor: actor ?? 'a reader', action, subject: 'an address' };
	const more: Statement[] = [auditStatement(db, { ...trace, detail: erased }, now)];
	if (written.some(({ approved }) => approved)) more.push(recordErasure(db, now));
	if (known > 0) more.push(markErased(db, email, now));
	if (known > 0 && getEnv().MAILERLITE_API_KEY) {
		const key = `${email} ${now.toISOString()}`;
		// The mail list is told to drop the address; the row is deleted by the next maintenance.
		more.push(
			enqueue(db, { kind: 'mailerlite', key, recipient: email, payload: { erased: true } }, now),
		);
	}
	const imported = db
		.select({ id: subscribers.id })
		.from(subscribers)
		.where(eq(subscribers.email, email));
	await db.batch([
		db.delete(outbox).where(emailsOf(email)),
		db.delete(importItems).where(inArray(importItems.itemId, imported)),
		db.delete(subscribers).where(eq(subscribers.email, email)),
		db.delete(enrollments).where(eq(enrollments.email, email)),
		db.delete(unconfirmed).where(eq(unconfirmed.email, email)),
		db.delete(contactMessages).where(eq(contactMessages.email, email)),
		db.delete(comments).where(eq(comments.email, email)),
		db.delete(feedback).where(
			inArray(
				feedback.id,
				named.map(({ id }) => id),
			),
		),
		...more,
	]);
	return { postIds: [...new Set(written.map(({ postId }) => postId))], erased };
}

const HELD = {
	subscribers: 'subscription',
	courses: 'course',
	unconfirmed: 'unconfirmed request',
	comments: 'comment',
	messages: 'message',
	feedback: 'feedback note',
	emails: 'email',
};

/** Returns how much is stored, in words; an empty text where nothing is. */
export function heldWords(counts: Record<keyof typeof HELD, number>): string {
	const words = Object.entries(HELD).flatMap(([name, word]) => {
		const count = counts[name as keyof typeof HELD];
		return count > 0 ? [plural(count, word)] : [];
	});
	return joinWithAnd(words);
}
