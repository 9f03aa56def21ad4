import { HOUR, MINUTE, SECOND } from '#src/lib/dates.ts';

/** A delivery is given up after this many attempts: about two days, so that a third party's bad day loses nothing. */
export const MAX_ATTEMPTS = 56;

/**
 * How long after failed attempt number `attempts` (1 and up) a delivery is tried again, in milliseconds:
 * within 15 seconds at first, doubling to an hour. `random` (0 to 1) spreads retries by a fifth either way.
 */
export function backoff(attempts: number, random: number): number {
	return Math.min(12 * SECOND * 2 ** (attempts - 1), HOUR) * (0.8 + 0.4 * random);
}

/** A refusal that no other attempt will change. */
export class PermanentError extends Error {
	override name = 'PermanentError';
}

/** Nobody wants the delivery any more: its row is closed with the reason, and nothing leaves. */
export class WithdrawnError extends Error {
	override name = 'WithdrawnError';
}

/** A third party that answers nobody: its other deliveries rest for a moment instead of failing one by one. */
export class OutageError extends Error {
	override name = 'OutageError';
}

/** No delivery is put off for longer, neither by its cause nor by a failure. */
export const MAX_DELAY_MS = 6 * HOUR;

/** A delivery that must wait until `dueAt`, which counts as no attempt. */
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

/** What a row says from the moment before its mail leaves until the answer: it stays where a worker died in between. */
export const SENDING_NOTE =
	'The sender ended while this was underway: it may have arrived, and is sent again with the same Message-ID.';

/** At most `count` emails to one mail domain in a window; more of them wait. */
export type Pace = { name: string; count: number; windowMs: number };

/** The weekly letter goes to many at once; the other emails answer forms, which anybody can fill in for others. */
export function paceOf(kind: string): Pace {
	return kind === 'digest'
		? { name: 'mail-digest', count: 1000, windowMs: MINUTE }
		: { name: 'mail-domain', count: 120, windowMs: MINUTE };
}

/** Where mail goes: out, into a folder beside the database, or nowhere yet. */
export type TransportKind = 'smtp' | 'mailbox' | 'none';

export type DeliveryState =
	'waiting' | 'sending' | 'retrying' | 'delivered' | 'failed' | 'withdrawn';

/** How a delivery stands. */
export function deliveryStateOf(row: {
	attempts: number;
	dueAt: Date | null;
	deliveredAt: Date | null;
	failedAt: Date | null;
	leasedUntil: Date | null;
}): DeliveryState {
	if (row.deliveredAt) return 'delivered';
	if (row.failedAt) return 'failed';
	if (!row.dueAt) return 'withdrawn';
	if (row.leasedUntil) return 'sending';
	return row.attempts > 0 ? 'retrying' : 'waiting';
}
