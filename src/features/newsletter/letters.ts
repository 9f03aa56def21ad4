import * as z from 'zod/mini';
import { EMAIL_VIEWS } from '#src/features/mail/deliveries.ts';
import type { Cadence } from './subscriber.ts';
import { previewField, subjectField, wordsField } from './next-issue.ts';

/** A letter of its own, to all subscribers, to a topic, a source of signup or a label. */
export const letterForm = z.object({
	/** Chosen by who sends it, so that a repeated call sends nothing twice. */
	id: z.optional(z.uuid()),
	subject: subjectField.check(z.minLength(1, 'Give the letter a subject')),
	preview: z.optional(previewField),
	/** HTML. */
	content: wordsField.check(z.minLength(1, 'Write something')),
	/** Id of a category. All without it. */
	topic: z.optional(z.string().check(z.maxLength(64))),
	source: z.optional(z.string().check(z.maxLength(100))),
	/** A label of people, in capitals or not. */
	label: z.optional(z.string().check(z.maxLength(60))),
	/** ISO time. At once without it. */
	sendAt: z.optional(
		z.union([z.literal(''), z.iso.datetime({ offset: true, error: 'Give a date and a time' })]),
	),
	/** Sends it although its readers get another letter within a day. */
	confirm: z.optional(z.union([z.boolean(), z.stringbool()])),
});
export type LetterForm = z.infer<typeof letterForm>;

/** A letter that is looked at before it is sent. */
export const letterDraft = z.object({
	subject: subjectField,
	preview: previewField,
	content: wordsField,
	view: z._default(z.enum(EMAIL_VIEWS), 'light'),
});

/** The effect of sending a letter. */
export type LetterCheck = {
	/** Number of people who would get it now. */
	readers: number;
	/** Size of its HTML as it leaves. */
	bytes: number;
	/** A sentence about another letter to the same people within a day. */
	near: string | null;
};

/** Above this size Gmail cuts an email off, and the link to unsubscribe with it: its limit is 102 KB. */
const CUT_BYTES = 100 * 1024;

/** Returns a warning about an email that would be cut off, or ''. */
export const sizeWarning = (bytes: number) =>
	bytes > CUT_BYTES
		? `This email has ${Math.round(bytes / 1024)} KB as it leaves. Gmail cuts off what is above 102 KB, and the link to unsubscribe is at its end: make it shorter.`
		: '';

export const LETTER_ACTIONS = ['pause', 'resume', 'stop'] as const;
export type LetterAction = (typeof LETTER_ACTIONS)[number];

export type LetterState =
	| 'scheduled'
	| 'queueing'
	| 'sending'
	| 'paused'
	| 'stopped'
	| 'sent'
	| 'kept';

/** A letter that goes out or went out, with the number of its emails in each state. */
export type LetterView = {
	/** The date of an issue, or an id. */
	id: string;
	subject: string;
	isIssue: boolean;
	/** Whose letter it is by how often they hear; null for all. */
	cadence: Cadence | null;
	state: LetterState;
	/** Name of the only category whose readers get it. */
	topic: string | null;
	source: string | null;
	label: string | null;
	dueAt: string | null;
	createdAt: string;
	/** Number of emails queued so far. */
	recipients: number;
	delivered: number;
	/** Number of those delivered that are files on this machine, because no mail server is known. */
	kept: number;
	failed: number;
	/** Number of emails that were not sent because their reader left or the letter was stopped. */
	withdrawn: number;
	/** Number of emails that left in the last minute, while it goes out. */
	pace: number;
	/** Number of articles that were opened by its links: once for each reader, article and day. */
	readings: number;
	/** Number of comments by readers who came by its links. */
	comments: number;
};

/** How a mail server refused an email: for good, or for now, after which it is tried again for two days. */
export type RefusalKind = 'hard' | 'soft';

export type LetterDetail = LetterView & {
	/** Number of emails by how they were refused. */
	refused: Record<RefusalKind, number>;
	/** Why, the most frequent reasons first. */
	reasons: { reason: string; kind: RefusalKind; count: number }[];
	/** Number of its readers who unsubscribed within a week. */
	unsubscribed: number;
};
