import * as z from 'zod/mini';
import type { DeliveryState } from '#src/core/outbox/outbox.ts';
import { EMAIL_VIEWS } from '#src/features/mail/deliveries.ts';
import { missingText } from '#src/lib/form.ts';
import { pagedInput, searchField } from '#src/lib/paging.ts';
import { severalLines } from '#src/lib/text.ts';

/** States of a message that is not deleted. */
const MESSAGE_STATES = ['new', 'read', 'archived', 'spam'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** Where a message is found. The inbox holds the new and the read ones. */
const BOXES = ['inbox', 'archived', 'spam', 'deleted'] as const;
export type Box = (typeof BOXES)[number];

/** A message in a list. */
export type MessageRow = {
	id: string;
	name: string;
	email: string;
	topic: string;
	/** The beginning of its text, in one line. */
	excerpt: string;
	state: MessageState;
	deletedAt: string | null;
	createdAt: string;
	replies: number;
};

/** A message with what was answered, oldest first. */
export type Message = Omit<MessageRow, 'excerpt' | 'replies'> & {
	message: string;
	version: number;
	replies: Reply[];
};

export type Reply = {
	id: string;
	text: string;
	createdAt: string;
	/** State of its email, or null when its record has expired. */
	delivery: DeliveryState | null;
};

export const messagesQuery = z.object({
	box: z._default(z.enum(BOXES), 'inbox'),
	/** Words in the name, the address, the topic or the text. */
	q: searchField,
	...pagedInput(['created'], '-created'),
});
export type MessagesQuery = z.infer<typeof messagesQuery>;

const MAX_REPLY = 10_000;

const messageVersion = { id: z.string(), version: z.coerce.number() };

/** Input that gives a message another state. */
export const messageChange = z.object({
	...messageVersion,
	state: z.enum(MESSAGE_STATES),
});

/** `forever` erases the message and its replies, otherwise it can be restored for 30 days. */
export const messageDeletion = z.object({
	...messageVersion,
	forever: z._default(z.stringbool(), false),
});

const text = z
	.string({ error: missingText('your answer') })
	.check(
		z.overwrite(severalLines),
		z.trim(),
		z.minLength(1, missingText('your answer')),
		z.maxLength(MAX_REPLY, `Write ${MAX_REPLY} characters or fewer`),
	);

/** With `archives` the message leaves the inbox once its answer is on its way. */
export const replyInput = z.object({ ...messageVersion, text, archives: z.optional(z.boolean()) });

/** A reply that is looked at before it is sent. */
export const replyDraft = z.object({
	id: z.string(),
	text,
	view: z._default(z.enum(EMAIL_VIEWS), 'light'),
});
