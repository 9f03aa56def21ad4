import { DAY, HOUR, isoDay } from './dates.ts';

/** Returns "2026-03-05", by the calendar of the time zone: so many days from a time, of which some have 23 or 25 hours. */
export function dayIn(time: Date, timeZone: string, days: number): string {
	const today = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(time);
	return isoDay(new Date(Date.parse(today) + days * DAY));
}

/** Returns the time of an hour on a day in a time zone. If clocks skip the hour, returns the next one. */
export function timeInZone(date: string, hour: number, timeZone: string): Date {
	const wall = new Date(date).getTime() + hour * HOUR;
	// The zone's offset depends on the result, so the second guess is right.
	const guess = wall - zoneOffset(new Date(wall), timeZone);
	return new Date(wall - zoneOffset(new Date(guess), timeZone));
}

/** Returns how far a zone's clocks are ahead of UTC at a time, in milliseconds. */
function zoneOffset(time: Date, timeZone: string): number {
	const parts = new Intl.DateTimeFormat('en-US', {
		timeZone,
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	}).formatToParts(time);
	const partOf = (type: string) => Number(parts.find((part) => part.type === type)!.value);
	const wall = Date.UTC(
		partOf('year'),
		partOf('month') - 1,
		partOf('day'),
		partOf('hour'),
		partOf('minute'),
		partOf('second'),
	);
	return wall - Math.floor(time.getTime() / 1000) * 1000;
}
