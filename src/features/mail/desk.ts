import * as z from 'zod/mini';
import type { DeliveryState } from './outbox.ts';
import type { TransportKind } from './transport.server.ts';

/** The states that the admin can list. */
export const STATES = [
	'waiting',
	'sending',
	'retrying',
	'delivered',
	'failed',
	'withdrawn',
] as const satisfies DeliveryState[];

/** Deliveries on one page of the list. */
export const PAGE = 50;

export const outboxQuery = z.object({
	state: z.optional(z.enum(STATES)),
	/** Part of an address. */
	recipient: z.optional(z.string().check(z.trim(), z.toLowerCase(), z.maxLength(255))),
	page: z.optional(z.coerce.number().check(z.int(), z.gte(1))),
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
	/** It is a mail, which can be shown. */
	isMail: boolean;
};

export type OutboxView = {
	transport: TransportKind;
	/** Where the mailbox folder is, where mail goes there. */
	mailbox: string | null;
	counts: Record<DeliveryState, number>;
	deliveries: DeliveryView[];
	page: number;
	/** There are more on the next page. */
	hasMore: boolean;
};

/** What the admin may send to try the mail. */
export const TESTS = ['plain', 'digest'] as const;
export type TestMail = (typeof TESTS)[number];

export type DigestView = {
	/** When the next issue is due, and what it would tell of now. Without posts none goes out. */
	next: { at: string; subject: string; posts: { title: string; slug: string }[] };
	subscribers: number;
	/** The latest issues, with how far their mails are. */
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
	lesson: number;
	state: 'running' | 'paused' | 'stopped' | 'done';
	nextAt: string | null;
	createdAt: string;
};
