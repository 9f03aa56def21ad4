import { HOUR, SECOND } from '#src/lib/dates.ts';

/**
 * A delivery fails after this many attempts, which is about two days, so that a third party's bad day loses
 * nothing.
 */
export const MAX_ATTEMPTS = 56;

/**
 * Returns the delay in milliseconds after failed attempt number `attempts` (1 and up): up to 15 seconds at
 * first, doubling to an hour. `random` (0 to 1) varies it by a fifth either way.
 */
export function backoff(attempts: number, random: number): number {
	return Math.min(12 * SECOND * 2 ** (attempts - 1), HOUR) * (0.8 + 0.4 * random);
}

/** A refusal that a retry will not change. */
export class PermanentError extends Error {
	override name = 'PermanentError';
}

/** Nobody wants the delivery anymore: its row is closed with the reason, and nothing is sent. */
export class WithdrawnError extends Error {
	override name = 'WithdrawnError';
}

/** A third party that does not respond: its other deliveries pause instead of failing one by one. */
export class OutageError extends Error {
	override name = 'OutageError';
}

/** Maximum delay of a delivery, whether by its cause or by a failure. */
export const MAX_DELAY_MS = 6 * HOUR;

/** A delivery that must wait until `dueAt`, without counting as an attempt. */
export class PostponedError extends Error {
	override name = 'LaterError';
	readonly dueAt: Date;
	constructor(dueAt: Date) {
		super(`Waits until ${dueAt.toISOString()}.`);
		this.dueAt = dueAt;
	}
}

/** A delivery that another worker holds by now. */
export class LeaseLostError extends Error {
	override name = 'LostError';
}

/** Note in a row from just before its email is sent until the response; it stays if a worker dies in between. */
export const SENDING_NOTE =
	'The sender ended while this was underway: it may have arrived, and is sent again with the same Message-ID.';

/** Where email goes: out by SMTP, into a folder beside the database, or nowhere yet. */
export type TransportKind = 'smtp' | 'mailbox' | 'none';

/** Note in a row whose email was written into a folder, because no mail server is known. */
export const KEPT_NOTE = 'Kept as a file on this machine, not sent: SMTP_URL is not set.';

export type DeliveryState =
	| 'waiting'
	| 'sending'
	| 'retrying'
	| 'delivered'
	| 'kept'
	| 'failed'
	| 'withdrawn';

export function deliveryStateOf(row: {
	attempts: number;
	dueAt: Date | null;
	deliveredAt: Date | null;
	failedAt: Date | null;
	leasedUntil: Date | null;
	lastError: string | null;
}): DeliveryState {
	if (row.deliveredAt) return row.lastError === KEPT_NOTE ? 'kept' : 'delivered';
	if (row.failedAt) return 'failed';
	if (!row.dueAt) return 'withdrawn';
	if (row.leasedUntil) return 'sending';
	return row.attempts > 0 ? 'retrying' : 'waiting';
}

/**
 * Ids of deliveries that a third party has accepted while their rows do not say so yet. They outlive the process: a worker
 * that takes over from one that died does not send them again.
 */
export type AcceptedDeliveries = {
	has(id: string): boolean;
	add(id: string): void;
	delete(id: string): void;
};
