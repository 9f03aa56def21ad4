import { HOUR, SECOND } from '#src/lib/dates.ts';

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
