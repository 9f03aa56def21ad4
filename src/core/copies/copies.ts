import { DAY, exactTime } from '#src/lib/dates.ts';
import type { Env } from '#src/lib/env.ts';
import { byteSize, plural } from '#src/lib/text.ts';

/** Returns whether the one-machine server copies its database: one elsewhere only where the environment says where to. */
export function isCopiedNightly(
	env: Pick<Env, 'DATABASE_URL' | 'BACKUP_HOUR' | 'BACKUP_FOLDER' | 'BACKUP_S3_URL'>,
): boolean {
	if (env.BACKUP_HOUR === 'off') return false;
	return env.DATABASE_URL.startsWith('file:') || Boolean(env.BACKUP_FOLDER ?? env.BACKUP_S3_URL);
}

type Failure = { at: string; reason: string };

/** State of the nightly copies of a database. */
export type CopyReport = {
	/** The newest copy that was looked through and found whole. */
	last: { at: string; file: string; bytes: number; counts: string } | null;
	/** How many copies are kept. */
	kept: number;
	/** Why the latest attempt failed, if it did. */
	failure: Failure | null;
	/** The newest copy that is in storage elsewhere. */
	uploaded?: { at: string; file: string; bytes: number; place: string; kept: number } | null;
	/** Why the latest upload failed, if it did. */
	uploadFailure?: Failure | null;
};

export const NO_COPIES: CopyReport = { last: null, kept: 0, failure: null };

/** A copy is made each night; one that is older than this is missing. */
const MAX_AGE_MS = 1.5 * DAY;

type Described = { value: string; isSet: boolean };

/** Returns the state of the nightly copies in a sentence or two, and whether all is well. */
export function describeCopies({ last, kept, failure }: CopyReport, now: Date): Described {
	const made = last
		? `Last made ${exactTime(last.at)}: ${byteSize(last.bytes)} with ${last.counts}. ${plural(kept, 'copy is', 'copies are')} kept beside ${last.file}.`
		: 'None has been made yet.';
	return described(last, failure, made, now);
}

/** Returns the state of the copies in storage elsewhere, likewise. */
export function describeUploads({ uploaded, uploadFailure }: CopyReport, now: Date): Described {
	const made = uploaded
		? `Last uploaded ${exactTime(uploaded.at)}, sealed: ${byteSize(uploaded.bytes)}. ${plural(uploaded.kept, 'copy is', 'copies are')} kept at ${uploaded.place}.`
		: 'None has been uploaded yet.';
	return described(uploaded, uploadFailure, made, now);
}

function described(
	last: { at: string } | null | undefined,
	failure: Failure | null | undefined,
	made: string,
	now: Date,
): Described {
	const isOld = !last || now.getTime() - new Date(last.at).getTime() > MAX_AGE_MS;
	const failed =
		failure && `The latest attempt, ${exactTime(failure.at)}, failed: ${failure.reason}`;
	return { value: [failed, made].filter(Boolean).join(' '), isSet: !isOld && !failure };
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
