export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Returns "August 16, 2025", in UTC, so that build and browser agree. */
export function longDate(date: Date | string): string {
	return format(date, { dateStyle: 'long', timeZone: 'UTC' }, 'en-US');
}

/** Returns "Aug 16, 2025", in UTC, for narrow places. */
export function shortDate(date: Date | string): string {
	return format(date, { dateStyle: 'medium', timeZone: 'UTC' }, 'en-US');
}

/** Returns "August 16 – 20, 2025", in UTC, or one date if both are the same day. Only for what builds render. */
export function dateSpan(from: Date | string, to: Date | string): string {
	const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
	return days.formatRange(new Date(from), new Date(to));
}

/** Returns the latest change as ISO 8601, or '' without rows. */
export function latestUpdate(rows: readonly { updatedAt: string }[]): string {
	return rows.reduce((last, { updatedAt }) => (updatedAt > last ? updatedAt : last), '');
}

/** Returns a date in the reader's format and time zone. Only for what is rendered in the browser. */
export function localDate(
	date: Date | string,
	dateStyle: 'full' | 'long' | 'medium' = 'long',
	timeStyle?: 'short',
): string {
	// A date without a time is the same day everywhere.
	const isDay = typeof date === 'string' && /^\d{4}-\d\d-\d\d$/.test(date);
	return format(date, { dateStyle, timeStyle, timeZone: isDay ? 'UTC' : undefined });
}

/**
 * Returns whether `localDate` would give the text that the page already has (English, UTC). Creating the first
 * format takes 20 ms.
 */
export function isSameLocally(date: string): boolean {
	const time = new Date(date);
	return navigator.language === 'en-US' && time.getDate() === time.getUTCDate();
}

/** Returns "Aug 16, 2025, 3:04 PM" in the reader's time zone. Only for what is rendered in the browser. */
export function localTime(date: Date | string): string {
	return localDate(date, 'medium', 'short');
}

/** Returns "3:04 PM" by this browser's clock. Only for what is rendered in the browser. */
export const localHour = (date: Date | string) => format(date, { timeStyle: 'short' });

/** Returns "Aug 16, 2025, 3:04 PM (Europe/Berlin)": a time in a time zone, which is named. Only for what is rendered in the browser. */
export function timeIn(timeZone: string | undefined, date: Date | string): string {
	const time = format(date, { dateStyle: 'medium', timeStyle: 'short', timeZone });
	return `${time} (${nameOfZone(timeZone)})`;
}

/** Returns the name of this browser's time zone. */
export const localTimeZone = () => nameOfZone();

const nameOfZone = (timeZone?: string) =>
	Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone.replaceAll('_', ' ');

/**
 * Returns "in 3 hours", "yesterday", "5 minutes ago", by this browser's days, or nothing beyond thirty days. Only for what
 * is rendered in the browser.
 */
export function aroundNow(date: Date | string, now: Date): string {
	const time = new Date(date);
	const ms = time.getTime() - now.getTime();
	if (Math.abs(ms) < MINUTE) return 'just now';
	relative ??= new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });
	if (Math.abs(ms) < HOUR) return relative.format(Math.trunc(ms / MINUTE), 'minute');
	if (Math.abs(ms) < DAY) return relative.format(Math.trunc(ms / HOUR), 'hour');
	const dayOf = (at: Date) => Date.UTC(at.getFullYear(), at.getMonth(), at.getDate());
	const days = (dayOf(time) - dayOf(now)) / DAY;
	return Math.abs(days) < 30 ? relative.format(days, 'day') : '';
}

/** Returns "2025-08-16". */
export function isoDay(date: Date | string): string {
	return new Date(date).toISOString().slice(0, 10);
}

/** Returns "August 16, 2025 at 3:04 PM UTC". */
export function exactTime(date: Date | string): string {
	return `${format(date, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }, 'en-US')} UTC`;
}

/** Returns "just now", "5 minutes ago", "yesterday", or the date from the thirtieth day on. Only in the browser. */
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

/**
 * Formats a date. Formats take milliseconds to create, and every page loads this file, so each is created once,
 * on first use.
 */
function format(date: Date | string, options: Format, locale?: string): string {
	const key = `${locale} ${Object.values(options).join(' ')}`;
	let made = formats.get(key);
	if (!made) formats.set(key, (made = new Intl.DateTimeFormat(locale, options)));
	return made.format(new Date(date));
}
const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns whether a text names a time zone. */
export function isTimeZone(zone: string): boolean {
	try {
		return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: zone }));
	} catch {
		return false;
	}
}
