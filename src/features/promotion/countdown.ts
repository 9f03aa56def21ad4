import { DAY, HOUR, MINUTE, SECOND } from '#src/lib/dates.ts';

/** product.md section 4, "Countdown timer". */
export const COUNTDOWN = {
	heroMs: 7 * DAY,
	shiftMs: 15 * MINUTE,
	tickMs: SECOND,
	delayMs: 2 * SECOND,
	restartMs: { from: 6 * HOUR, to: 12 * HOUR },
} as const;

/** Returns when a countdown of `ms` that starts at `now` ends: up to a quarter of an hour early or late. */
export function endOf(now: number, ms: number, random: number): number {
	return now + ms + (2 * random - 1) * COUNTDOWN.shiftMs;
}

/** Returns when a restarted countdown ends: in 6 to 12 hours. */
export function restartOf(now: number, random: number): number {
	const { from, to } = COUNTDOWN.restartMs;
	return now + from + random * (to - from);
}

/** Returns how long until the next tick: one second and up to two more. */
export function nextTick(random: number): number {
	return COUNTDOWN.tickMs + random * COUNTDOWN.delayMs;
}

/** Splits the remaining time into whole parts; zeros after the end. */
export function partsOf(ms: number): {
	days: number;
	hours: number;
	minutes: number;
	seconds: number;
} {
	const left = Math.max(0, ms);
	return {
		days: Math.floor(left / DAY),
		hours: Math.floor((left % DAY) / HOUR),
		minutes: Math.floor((left % HOUR) / MINUTE),
		seconds: Math.floor((left % MINUTE) / SECOND),
	};
}
