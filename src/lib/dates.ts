export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const long = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

const short = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** "August 16, 2025", in UTC, so that build and browser agree. */
export function longDate(date: Date | string): string {
	return long.format(new Date(date));
}

/** "Aug 16, 2025", in UTC, where there is little room. */
export function shortDate(date: Date | string): string {
	return short.format(new Date(date));
}

/** The last time at which one of these changed, as ISO 8601; empty where there are none. */
export function latestUpdate(rows: readonly { updatedAt: string }[]): string {
	return rows.reduce((last, { updatedAt }) => (updatedAt > last ? updatedAt : last), '');
}

/** A date as the reader's browser writes it, in the reader's time zone: only for what is rendered in the browser. */
export function localDate(
	date: Date | string,
	dateStyle: 'long' | 'medium' = 'long',
	timeStyle?: 'short',
): string {
	// A day without a time is that day everywhere.
	const isDay = typeof date === 'string' && /^\d{4}-\d\d-\d\d$/.test(date);
	const key = `${dateStyle} ${timeStyle} ${isDay}`;
	let format = localFormats.get(key);
	if (!format) {
		const zone = isDay ? { timeZone: 'UTC' } : {};
		format = new Intl.DateTimeFormat(undefined, {
			dateStyle,
			...(timeStyle && { timeStyle }),
			...zone,
		});
		localFormats.set(key, format);
	}
	return format.format(new Date(date));
}
const localFormats = new Map<string, Intl.DateTimeFormat>();

/** "Aug 16, 2025, 3:04 PM" where the reader is: only for what is rendered in the browser. */
export function localTime(date: Date | string): string {
	return localDate(date, 'medium', 'short');
}

/** "2025-08-16". */
export function isoDay(date: Date | string): string {
	return new Date(date).toISOString().slice(0, 10);
}

const exact = new Intl.DateTimeFormat('en-US', {
	dateStyle: 'long',
	timeStyle: 'short',
	timeZone: 'UTC',
});

/** "August 16, 2025 at 3:04 PM UTC". */
export function exactTime(date: Date | string): string {
	return `${exact.format(new Date(date))} UTC`;
}

const relative = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });

/** "just now", "5 minutes ago", "yesterday"; from the thirtieth day on the date. Only in the browser. */
export function relativeTime(date: Date | string, now: number): string {
	const ms = now - new Date(date).getTime();
	if (ms < MINUTE) return 'just now';
	if (ms < HOUR) return relative.format(-Math.floor(ms / MINUTE), 'minute');
	if (ms < DAY) return relative.format(-Math.floor(ms / HOUR), 'hour');
	return ms < 30 * DAY ? relative.format(-Math.floor(ms / DAY), 'day') : localDate(date);
}
