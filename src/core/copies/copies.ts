import { DAY, exactTime } from '#src/lib/dates.ts';
import { byteSize, plural } from '#src/lib/text.ts';

/** State of the nightly copies of an embedded database. */
export type CopyReport = {
	/** The newest copy that was looked through and found whole. */
	last: { at: string; file: string; bytes: number; counts: string } | null;
	/** How many copies are kept. */
	kept: number;
	/** Why the latest attempt failed, if it did. */
	failure: { at: string; reason: string } | null;
};

export const NO_COPIES: CopyReport = { last: null, kept: 0, failure: null };

/** A copy is made each night; one that is older than this is missing. */
const MAX_AGE_MS = 1.5 * DAY;

/** Returns the state of the nightly copies in a sentence or two, and whether all is well. */
export function describeCopies(
	{ last, kept, failure }: CopyReport,
	now: Date,
): { value: string; isSet: boolean } {
	const made = last
		? `Last made ${exactTime(last.at)}: ${byteSize(last.bytes)} with ${last.counts}. ${plural(kept, 'copy is', 'copies are')} kept beside ${last.file}.`
		: 'None has been made yet.';
	const isOld = last !== null && now.getTime() - new Date(last.at).getTime() > MAX_AGE_MS;
	const failed =
		failure && `The latest attempt, ${exactTime(failure.at)}, failed: ${failure.reason}`;
	return {
		value: [failed, made].filter(Boolean).join(' '),
		isSet: last !== null && !isOld && failure === null,
	};
}

/** Days, weeks and months of which the newest copy is kept. */
const KEPT = { days: 7, weeks: 4, months: 12 };

/**
 * Returns which of these copies are no longer kept, given the times at which they were made: all but the newest of each of
 * the last 7 days, 4 weeks and 12 months that have one.
 */
export function expiredCopies(times: readonly Date[]): Date[] {
	const newest = times.toSorted((a, b) => b.getTime() - a.getTime());
	const kept = new Set<Date>();
	const keep = (count: number, periodOf: (time: Date) => string | number) => {
		const periods = new Map<string | number, Date>();
		for (const time of newest) {
			const period = periodOf(time);
			if (!periods.has(period)) periods.set(period, time);
		}
		for (const time of [...periods.values()].slice(0, count)) kept.add(time);
	};
	keep(KEPT.days, (time) => Math.floor(time.getTime() / DAY));
	// The first day of 1970 was a Thursday; weeks begin on Monday.
	keep(KEPT.weeks, (time) => Math.floor((time.getTime() / DAY + 3) / 7));
	keep(KEPT.months, (time) => time.toISOString().slice(0, 7));
	return newest.filter((time) => !kept.has(time));
}

/** Returns the latest time at or before `now` at which a copy was due: the given hour of a day, UTC. */
export function lastDue(now: Date, hour: number): Date {
	const today = new Date(now);
	today.setUTCHours(hour, 0, 0, 0);
	return today > now ? new Date(today.getTime() - DAY) : today;
}
