export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** "August 16, 2025", in UTC, so that build and browser agree. */
export function longDate(date: Date | string): string {
	return format(date, { dateStyle: 'long', timeZone: 'UTC' }, 'en-US');
}

/** "Aug 16, 2025", in UTC, where there is little room. */
export function shortDate(date: Date | string): string {
	return format(date, { dateStyle: 'medium', timeZone: 'UTC' }, 'en-US');
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
	return format(date, { dateStyle, timeStyle, timeZone: isDay ? 'UTC' : undefined });
}

/** Whether `localDate` would write a page's date, which is in English and UTC, as it is: the first format takes 20 ms. */
export function isSameLocally(date: string): boolean {
	const time = new Date(date);
	return navigator.language === 'en-US' && time.getDate() === time.getUTCDate();
}

/** "Aug 16, 2025, 3:04 PM" where the reader is: only for what is rendered in the browser. */
export function localTime(date: Date | string): string {
	return localDate(date, 'medium', 'short');
}

/** "2025-08-16". */
export function isoDay(date: Date | string): string {
	return new Date(date).toISOString().slice(0, 10);
}

/** "August 16, 2025 at 3:04 PM UTC". */
export function exactTime(date: Date | string): string {
	return `${format(date, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }, 'en-US')} UTC`;
}

/** "just now", "5 minutes ago", "yesterday"; from the thirtieth day on the date. Only in the browser. */
export function relativeTime(date: Date | string, now: number): string {
	const ms = now - new Date(date).getTime();
	if (ms < MINUTE) return 'just now';
	relative ??= new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });
	if (ms < HOUR) return relative.format(-Math.floor(ms / MINUTE), 'minute');
	if (ms < DAY) return relative.format(-Math.floor(ms / HOUR), 'hour');
	return ms < 30 * DAY ? relative.format(-Math.floor(ms / DAY), 'day') : localDate(date);
}
let relative: Intl.RelativeTimeFormat | undefined;

type Format = Pick<Intl.DateTimeFormatOptions, 'dateStyle' | 'timeStyle' | 'timeZone'>;

/** Formats take milliseconds to make, and all pages load this file: each is made once, when it is needed. */
function format(date: Date | string, options: Format, locale?: string): string {
	const key = `${locale} ${Object.values(options).join(' ')}`;
	let made = formats.get(key);
	if (!made) formats.set(key, (made = new Intl.DateTimeFormat(locale, options)));
	return made.format(new Date(date));
}
const formats = new Map<string, Intl.DateTimeFormat>();
