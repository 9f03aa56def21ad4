import * as z from 'zod/mini';
import { searchField, type Paged } from '#src/lib/paging.ts';
import { DELIVERY_KINDS } from '#src/core/outbox/kinds.ts';
import type { DeliveryState, TransportKind } from '#src/core/outbox/outbox.ts';

/** States by which the admin can filter. */
export const STATES = [
	'waiting',
	'sending',
	'retrying',
	'delivered',
	'kept',
	'failed',
	'withdrawn',
] as const satisfies DeliveryState[];
export const STATE_LABELS: Record<DeliveryState, string> = {
	waiting: 'Waiting',
	sending: 'Sending',
	retrying: 'Will be retried',
	delivered: 'Sent',
	kept: 'Kept as a file',
	failed: 'Failed',
	withdrawn: 'Canceled',
};

/** Groups of deliveries: emails to people, and jobs for the site and other services. */
const DELIVERY_GROUPS = ['mail', 'jobs'] as const;

export const KIND_LABELS: Record<string, string> = Object.fromEntries(
	Object.entries(DELIVERY_KINDS).map(([kind, { label }]) => [kind, label]),
);

export const outboxQuery = z.object({
	what: z._default(z.enum(DELIVERY_GROUPS), 'mail'),
	state: z._default(z.enum(['', ...STATES]), ''),
	/** Part of an address. */
	q: searchField,
	/** Id of a letter: its emails alone. */
	letter: z.optional(z.string().check(z.maxLength(64))),
	page: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000_000)), 1),
});
export type OutboxQuery = z.infer<typeof outboxQuery>;

/** One row of the outbox as the admin sees it. */
export type DeliveryView = {
	id: string;
	kind: string;
	recipient: string | null;
	state: DeliveryState;
	attempts: number;
	/** Why the last attempt failed, or why nothing was sent. */
	reason: string | null;
	createdAt: string;
	dueAt: string | null;
	deliveredAt: string | null;
	/** Whether it is an email, which can be shown. */
	isEmail: boolean;
};

export type OutboxView = Paged<DeliveryView> & {
	transport: TransportKind;
	/** The mailbox folder, if emails go there. */
	mailbox: string | null;
	counts: Record<DeliveryState, number>;
};

/** Emails that the admin can send as a test. */
export const TEST_EMAILS = ['plain', 'digest', 'letter'] as const;
export type TestEmail = (typeof TEST_EMAILS)[number];

/** A test that is on its way, or is kept as a file because no mail server is known. */
export type SentTest = { recipient: string; isKept?: boolean };

/** How an email is looked at before it is sent. */
export const EMAIL_VIEWS = ['light', 'dark', 'text'] as const;
export type EmailView = (typeof EMAIL_VIEWS)[number];

export type DigestView = {
	/** When the next issue is due, and its content as of now. None is sent without posts. */
	next: { at: string; subject: string; posts: { title: string; slug: string }[] };
	subscribers: number;
	/** The latest issues and the state of their emails. */
	issues: {
		date: string;
		subject: string;
		posts: number;
		queued: number;
		delivered: number;
		failed: number;
		isQueued: boolean;
	}[];
};

export type EnrollmentView = {
	email: string;
	/** How its owner confirmed it; null where nobody was asked. */
	consent: string | null;
	lesson: number;
	state: 'running' | 'paused' | 'stopped' | 'done';
	nextAt: string | null;
	createdAt: string;
};
