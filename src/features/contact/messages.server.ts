import { and, asc, desc, eq, inArray, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm';
import type { Db, Statement } from '#db/client.ts';
import { everyWord, holdsWord } from '#db/like.ts';
import { contactMessages, contactReplies, outbox } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import { abortUnless, retryWhenOvertaken } from '#src/core/batches.server.ts';
import type { EmailContent } from '#src/core/outbox/email-content.ts';
import { deliveryStateOf } from '#src/core/outbox/outbox.ts';
import { enqueue } from '#src/core/outbox/outbox.server.ts';
import { AppError } from '#src/lib/errors.ts';
import { PAGE_ROWS, pageWithin, type Paged } from '#src/lib/paging.ts';
import { shorten, singleLine } from '#src/lib/text.ts';
import { answersTo, replyEmail, type ReplyPayload } from './contact.server.ts';
import type { Box, Message, MessageRow, MessagesQuery, MessageState } from './messages.ts';

const isKept = isNull(contactMessages.deletedAt);
const inBox: Record<Box, SQL> = {
	inbox: and(isKept, inArray(contactMessages.state, ['new', 'read']))!,
	archived: and(isKept, eq(contactMessages.state, 'archived'))!,
	spam: and(isKept, eq(contactMessages.state, 'spam'))!,
	deleted: isNotNull(contactMessages.deletedAt),
};
const BOX = sql<Box | 'new'>`case when ${contactMessages.deletedAt} is not null then 'deleted'
	when ${contactMessages.state} = 'read' then 'inbox' else ${contactMessages.state} end`;

const EXCERPT_LENGTH = 160;

/** Returns a page of messages, newest first. */
export async function listMessages(
	db: Db,
	{ box, q, page }: MessagesQuery,
): Promise<Paged<MessageRow> & { counts: Record<Box | 'new', number> }> {
	const { name, email, topic, message } = contactMessages;
	const matches = and(
		inBox[box],
		everyWord(q, (word) =>
			holdsWord(
				sql`${name} || char(10) || ${email} || char(10) || ${topic} || char(10) || ${message}`,
				word,
			),
		),
	);
	const total = await db.$count(contactMessages, matches);
	const shown = pageWithin(page, total);
	const [rows, groups] = await Promise.all([
		db
			.select({
				...tolerant(contactMessages),
				replies: sql<number>`(select count(*) from contact_replies r where r.message_id = contact_messages.id)`,
			})
			.from(contactMessages)
			.where(matches)
			.orderBy(desc(contactMessages.createdAt), desc(contactMessages.id))
			.limit(PAGE_ROWS)
			.offset((shown - 1) * PAGE_ROWS),
		db
			.select({ box: BOX, count: sql<number>`count(*)` })
			.from(contactMessages)
			.groupBy(BOX),
	]);
	const found = new Map(groups.map((group) => [group.box, group.count]));
	const countOf = (name: Box | 'new') => found.get(name) ?? 0;
	return {
		rows: rows.map(({ message: text, version: _, deletedAt, createdAt, ...row }) => ({
			...row,
			excerpt: shorten(singleLine(text), EXCERPT_LENGTH),
			deletedAt: deletedAt?.toISOString() ?? null,
			createdAt: createdAt.toISOString(),
		})),
		total,
		page: shown,
		pageSize: PAGE_ROWS,
		counts: {
			new: countOf('new'),
			inbox: countOf('new') + countOf('inbox'),
			archived: countOf('archived'),
			spam: countOf('spam'),
			deleted: countOf('deleted'),
		},
	};
}

/** Returns the messages that nobody has read, oldest first, and how many there are. */
export async function listUnread(db: Db, limit: number) {
	const where = and(isKept, eq(contactMessages.state, 'new'));
	const { id, name, topic, message, createdAt } = contactMessages;
	const [total, rows] = await Promise.all([
		db.$count(contactMessages, where),
		db
			.select(tolerant({ id, name, topic, message, createdAt }))
			.from(contactMessages)
			.where(where)
			.orderBy(asc(createdAt))
			.limit(limit),
	]);
	return {
		total,
		rows: rows.map(({ message: text, createdAt: at, ...row }) => ({
			...row,
			excerpt: shorten(singleLine(text), EXCERPT_LENGTH),
			at: at.toISOString(),
		})),
	};
}

/** Returns a message with its replies, or null if there is none. */
export async function getMessage(db: Db, id: string): Promise<Message | null> {
	const [[row], replies] = await Promise.all([
		db.select(tolerant(contactMessages)).from(contactMessages).where(eq(contactMessages.id, id)),
		db
			.select({ reply: tolerant(contactReplies), delivery: tolerant(outbox) })
			.from(contactReplies)
			.leftJoin(outbox, and(eq(outbox.kind, 'reply'), eq(outbox.key, contactReplies.id)))
			.where(eq(contactReplies.messageId, id))
			.orderBy(contactReplies.createdAt),
	]);
	if (!row) return null;
	return {
		...row,
		deletedAt: row.deletedAt?.toISOString() ?? null,
		createdAt: row.createdAt.toISOString(),
		replies: replies.map(({ reply, delivery }) => ({
			id: reply.id,
			text: reply.text,
			createdAt: reply.createdAt.toISOString(),
			delivery: delivery?.id ? deliveryStateOf(delivery) : null,
		})),
	};
}

type Versioned = { id: string; version: number };

/**
 * Does something to a message that nobody else has changed since `version`, in one batch, and returns the message. Throws
 * a conflict that carries the stored message otherwise.
 */
function change(
	db: Db,
	{ id, version }: Versioned,
	statementsOf: (message: Message) => Statement[],
): Promise<Message | null> {
	return retryWhenOvertaken(async () => {
		const message = await getMessage(db, id);
		if (!message) return null;
		if (message.version !== version) {
			throw new AppError('conflict', 'This message was changed elsewhere meanwhile.', {
				stored: message,
			});
		}
		const isUnchanged = sql`(select version from contact_messages where id = ${id}) = ${version}`;
		await db.batch([abortUnless(db, isUnchanged), ...statementsOf(message)]);
		return (await getMessage(db, id)) ?? message;
	});
}

/** Statement that changes columns of a message and counts its version. */
const update = (db: Db, id: string, set: { state?: MessageState; deletedAt?: Date | null }) =>
	db
		.update(contactMessages)
		.set({ ...set, version: sql`version + 1` })
		.where(eq(contactMessages.id, id));

const log = (db: Db, { actor, now }: Actor, action: string, { id, topic }: Message) =>
	auditStatement(db, { actor, action, subject: `message ${id}`, detail: topic }, now);

const MOVES: Record<MessageState, string> = {
	new: 'marked a message as unread',
	read: 'moved a message to the inbox',
	archived: 'archived a message',
	spam: 'marked a message as spam',
};

/** Gives a message another state. Reading one is not logged. */
export function changeMessage(
	db: Db,
	{ state, ...known }: Versioned & { state: MessageState },
	by: Actor,
): Promise<Message | null> {
	return change(db, known, (message) => [
		update(db, message.id, { state, deletedAt: null }),
		...(message.state === 'new' && state === 'read' && !message.deletedAt
			? []
			: [log(db, by, message.deletedAt ? 'restored a message' : MOVES[state], message)]),
	]);
}

/** Deletes a message, or erases it with its replies and what is left of their emails. */
export function deleteMessage(
	db: Db,
	{ forever, ...known }: Versioned & { forever: boolean },
	by: Actor,
): Promise<Message | null> {
	return change(db, known, (message) =>
		forever
			? [
					db.delete(outbox).where(isEmailAbout(message.id)),
					db.delete(contactMessages).where(eq(contactMessages.id, message.id)),
					log(db, by, 'erased a message', message),
				]
			: [update(db, message.id, { deletedAt: by.now }), log(db, by, 'deleted a message', message)],
	);
}

/** Condition for the email to the owner that holds a message, and for those that answer it. */
const isEmailAbout = (id: string) =>
	or(
		and(eq(outbox.kind, 'contact'), eq(outbox.key, id)),
		and(
			eq(outbox.kind, 'reply'),
			sql`${outbox.key} in (select id from contact_replies where message_id = ${id})`,
		),
	);

/** Returns an answer as its email would be, or null if there is no such message. */
export async function previewReply(db: Db, id: string, text: string): Promise<EmailContent | null> {
	const stored = await getMessage(db, id);
	return stored && replyEmail({ ...stored, text }, await answersTo(db));
}

/** Stores an answer and queues its email in the same batch. */
export function replyToMessage(
	db: Db,
	{
		text,
		archives = false,
		...known
	}: Versioned & { text: string; archives?: boolean | undefined },
	by: Actor,
): Promise<Message | null> {
	const id = crypto.randomUUID();
	return change(db, known, (stored) => {
		const { name, email, topic, message } = stored;
		return [
			db.insert(contactReplies).values({ id, messageId: stored.id, text, createdAt: by.now }),
			enqueue(
				db,
				{
					kind: 'reply',
					key: id,
					recipient: email,
					payload: { name, topic, message, text } satisfies ReplyPayload,
				},
				by.now,
			),
			update(db, stored.id, {
				state: archives || stored.state === 'archived' ? 'archived' : 'read',
				deletedAt: null,
			}),
			log(db, by, archives ? 'answered and archived a message' : 'answered a message', stored),
		];
	});
}
