/** A day in numbers of which nobody says whether the day or the month comes first. */
const NUMBERS = /^(\d\d?)([/.-])(\d\d?)\2(\d{4})(?=$|[\sT])/;
const YEAR_FIRST =
	/^(\d{4})([-/.])(\d\d?)\2(\d\d?)(?:[T ]+(\d\d?):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i;
const MONTH = /\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)/i;
/** A zone at the end, or in parentheses after it. */
const ZONE = /(?:\b(?:Z|UTC|GMT|[ECMP][SD]T)|[+-]\d\d:?\d\d)(?:\s*\([^)]*\))?$/i;

/**
 * The time that a file gives, as ISO; null where it gives none that can be understood. Without a zone it is UTC: the same
 * file is the same posts on every machine. Of numbers such as 1/2/2023 the month is the first, unless `isDayFirst`.
 */
export function timeOf(value: unknown, isDayFirst = false): string | null {
	if (value instanceof Date) return isoOf(value.getTime());
	if (typeof value === 'number') return timeOfNumber(value);
	if (typeof value !== 'string') return null;
	// A span of days, as Notion writes one, begins with its first.
	const given = value.split(' → ', 1)[0]!.trim();
	const [numbers, first = '', sign, second = '', year] = NUMBERS.exec(given) ?? [];
	if (numbers !== undefined) {
		const dayFirst = isDayFirst || sign === '.' || Number(first) > 12;
		const [month, day] = dayFirst ? [second, first] : [first, second];
		return timeOf(`${year}-${month}-${day}${given.slice(numbers.length)}`);
	}
	const parts = YEAR_FIRST.exec(given);
	if (parts)
		return timeOfParts([parts[1], parts[3], parts[4], parts[5], parts[6], parts[7]], parts[8]);
	// The language's parser takes any words, and reads days without a zone in that of the machine.
	const isDay = MONTH.test(given) && /\d{4}/.test(given);
	return isDay ? isoOf(Date.parse(ZONE.test(given) ? given : `${given} UTC`)) : null;
}

/** Whether a day can be read in two ways: its first two numbers may each be the month. */
export function isAmbiguous(value: unknown): boolean {
	const [, first, sign, second] = (typeof value === 'string' && NUMBERS.exec(value.trim())) || [];
	return (
		sign !== undefined &&
		sign !== '.' &&
		first !== second &&
		Number(first) <= 12 &&
		Number(second) <= 12
	);
}

/** Whether a day has its month in the second place. */
export function hasDayFirst(value: unknown): boolean {
	const [, first, sign] = (typeof value === 'string' && NUMBERS.exec(value.trim())) || [];
	return sign !== undefined && sign !== '.' && Number(first) > 12;
}

function timeOfParts(given: (string | undefined)[], zone: string | undefined): string | null {
	const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = given.map((part) =>
		Number(part ?? 0),
	);
	const time = Date.UTC(year, month - 1, day, hour, minute, second);
	// February 30 is no day, and the 25th hour none of it.
	const isReal = new Date(time).getUTCDate() === day && month <= 12 && minute < 60 && hour < 24;
	return isReal && year > 0 ? isoOf(time - offsetOf(zone)) : null;
}

/** Milliseconds, seconds, or a day as 20240501; what is smaller is no time, for example a year. */
function timeOfNumber(value: number): string | null {
	const [, year, month, day] = /^((?:19|20)\d\d)(\d\d)(\d\d)$/.exec(String(value)) ?? [];
	if (year) return timeOfParts([year, month, day], undefined);
	if (Math.abs(value) >= 1e11) return isoOf(value);
	return Math.abs(value) >= 1e8 ? isoOf(value * 1000) : null;
}

function offsetOf(zone: string | undefined): number {
	const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone ?? '') ?? [];
	if (!sign) return 0;
	return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function isoOf(time: number): string | null {
	return Math.abs(time) <= 8.64e15 && !Number.isNaN(time) ? new Date(time).toISOString() : null;
}
