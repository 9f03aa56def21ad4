/** Which part of `05/01/2023` is the day. */
export type DateOrder = 'day' | 'month';

const SLASHED = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})\b/;
const TIME = /(\d{1,2}):(\d\d)(?::(\d\d))?(?:[.,]\d+)?\s*([ap])?\.?m?\.?/i;
const ZONE = /(?:(?<=\d)\s*|\s)(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)(?:\s*UTC)?$/i;

/** Returns the order of all dates with slashes: from those that leave no doubt. Undefined where it has to be asked. */
export function dateOrderOf(texts: readonly string[]): DateOrder | undefined {
	let isOpen = false;
	for (const text of texts) {
		const [, first, sign, second] = SLASHED.exec(text) ?? [];
		if (!first || sign !== '/') continue;
		if (Number(first) > 12) return 'day';
		if (Number(second) > 12) return 'month';
		isOpen ||= first !== second;
	}
	return isOpen ? undefined : 'day';
}

/**
 * Returns the ISO time of a date as programs write it, in UTC where it names no zone; null for an empty text, undefined for
 * one that is no date. Points and hyphens put the day first.
 */
export function readDate(text: string, order: DateOrder = 'day'): string | null | undefined {
	const given = text.trim();
	if (given === '') return null;
	const time = /^\d{10}(?:\d{3})?$/.test(given)
		? Number(given.padEnd(13, '0'))
		: Date.parse(inIso(given, order) ?? inWords(given) ?? '');
	if (Number.isNaN(time) || time < 0 || time > 4102444800000) return undefined;
	return new Date(time).toISOString();
}

function inIso(text: string, order: DateOrder): string | undefined {
	const slashed = SLASHED.exec(text);
	const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?=$|[T\s])/.exec(text);
	if (!slashed && !iso) return undefined;
	const [, one, sign, two, last] = slashed ?? [];
	const [year, month, day] = iso
		? iso.slice(1)
		: sign !== '/' || order === 'day'
			? [last, two, one]
			: [last, one, two];
	const rest = text.slice((iso ?? slashed)![0].length);
	if (rest.trim() !== '' && !TIME.test(rest)) return undefined;
	// A 31st of February is no date.
	const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
	if (Number(month) > 12 || Number(day) < 1 || Number(day) > days) return undefined;
	const digits = (part = '') => part.padStart(2, '0');
	const date = `${year!.padStart(4, '20')}-${digits(month)}-${digits(day)}`;
	return date + (rest.trim() === '' ? 'T00:00:00Z' : timeIn(rest));
}

function timeIn(text: string): string {
	const [, hours, minutes, seconds = '00', half] = TIME.exec(text)!;
	const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours);
	const zone = ZONE.exec(text)?.[1] ?? 'Z';
	const offset = /^[+-]/.test(zone)
		? zone.replace(/^(...):?(\d\d)?$/, (_, sign: string, rest = '00') => `${sign}:${rest}`)
		: 'Z';
	return `T${String(hour).padStart(2, '0')}:${minutes}:${seconds}${offset}`;
}

/** `May 1, 2023 10:00 AM`, `1 May 2023`, `Tue, 02 Jan 2024 10:00:00 +0000`. */
function inWords(text: string): string | undefined {
	if (!/\p{L}{3}/u.test(text) || !/\b\d{4}\b/.test(text)) return undefined;
	const plain = text.replace(/(\d)(?:st|nd|rd|th)\b/, '$1').replace(/\bat\b/, '');
	return ZONE.test(plain) ? plain : `${plain} UTC`;
}
