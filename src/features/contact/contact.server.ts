import { lt, or } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { contactMessages } from '#db/schema.ts';
import { deleteInPieces } from '#src/core/batches.server.ts';
import { messagesPerEmail, consumeAttempt } from '#src/core/limits/limits.server.ts';
import { headerLine, type EmailContent } from '#src/core/outbox/email-content.ts';
import { enqueue } from '#src/core/outbox/outbox.server.ts';
import { RETENTION_DAYS, UNDO_DAYS } from '#src/core/retention.ts';
import { ownerAddress, readOwnerAddress } from '#src/core/session/account.server.ts';
import { DAY } from '#src/lib/dates.ts';
import { getSecret } from '#src/lib/env.ts';
import { site } from '#src/site.ts';
import { invalid } from '#src/lib/errors.ts';
import { OTHER_TOPIC, topicsOf, type ContactInput } from './contact.ts';

/** Stores a message to the site's owner and queues its email in the same batch. */
export async function storeMessage(
	db: Db,
	input: ContactInput,
	now: Date,
): Promise<{ success: true }> {
	const { name, email, topic, message } = input;
	if (!topicsOf().includes(topic)) throw invalid({ topic: OTHER_TOPIC });
	await consumeAttempt(db, messagesPerEmail, getSecret(), email, now);
	const id = crypto.randomUUID();
	const stored = { name, email, topic, message };
	await db.batch([
		db.insert(contactMessages).values({ id, ...stored, createdAt: now }),
		enqueue(db, { kind: 'contact', key: id, recipient: ownerAddress(), payload: stored }, now),
	]);
	return { success: true };
}

/** Returns where an answer to the owner's own words goes: to the address for readers, or else to the account's. */
export async function answersTo(db: Db): Promise<string> {
	if (site.email.contact) return site.email.contact;
	return readOwnerAddress(db);
}

/** Erases old messages, and those that were deleted too long ago to be restored. */
export async function pruneMessages(db: Db, now: Date): Promise<void> {
	const ago = (days: number) => new Date(now.getTime() - days * DAY);
	const isOver = or(
		lt(contactMessages.createdAt, ago(RETENTION_DAYS.contactMessages)),
		lt(contactMessages.deletedAt, ago(UNDO_DAYS)),
	)!;
	await deleteInPieces(db, contactMessages, isOver);
}

/** Returns a visitor's message as an email to the owner. A reply goes to the visitor. */
export function messageEmail({ name, email, topic, message }: ContactInput): EmailContent {
	const sender = headerLine(name, 100);
	return {
		subject: headerLine(`${topic}: ${sender}`),
		preview: headerLine(message, 120),
		label: 'Contact form',
		title: topic,
		blocks: [
			{
				kind: 'facts',
				items: [
					['From', sender],
					['Email', email],
				],
			},
			{ kind: 'quote', text: message },
		],
		why: `You get this because it was sent by the contact form of ${site.name}. Answering it answers ${sender}.`,
		replyTo: { name: sender, address: email },
	};
}

/** Payload of the email that carries a reply. */
export type ReplyPayload = { name: string; topic: string; message: string; text: string };

/** Returns the owner's answer as an email to the visitor, with what it answers. */
export function replyEmail(
	{ name, topic, message, text }: ReplyPayload,
	answersTo: string,
): EmailContent {
	return {
		subject: headerLine(`Re: ${topic}`),
		preview: headerLine(text, 120),
		label: 'Answer to your message',
		title: topic,
		blocks: [
			{ kind: 'typed', text },
			{ kind: 'text', text: 'You wrote:' },
			{ kind: 'quote', text: message },
		],
		why: `You get this because a message was sent with your address by the contact form of ${site.name}, in the name of ${headerLine(name, 100)}.`,
		replyTo: { name: site.name, address: answersTo },
	};
}
