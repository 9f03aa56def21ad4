export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const long = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** "August 16, 2025", in UTC, so that build and browser agree. */
export function longDate(date: Date | string): string {
	return long.format(new Date(date));
}

/** "2025-08-16". */
export function isoDay(date: Date | string): string {
	return new Date(date).toISOString().slice(0, 10);
}
