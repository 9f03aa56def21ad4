/**
 * The time that a file gives, as ISO; null where it gives none that can be understood. Without a zone it is UTC: the same
 * file is the same posts on every machine.
 */
export function timeOf(value: unknown): string | null {
	if (value instanceof Date) return isoOf(value.getTime());
	if (typeof value === 'number') return isoOf(value);
	if (typeof value !== 'string') return null;
	const parts =
		/^(\d{4})-(\d\d?)-(\d\d?)(?:[T ]+(\d\d?):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i.exec(
			value.trim(),
		);
	if (!parts) return /\d{4}/.test(value) ? isoOf(Date.parse(value)) : null;
	const [year, month, day, hour, minute, second] = parts
		.slice(1, 7)
		.map((part) => Number(part ?? 0)) as [number, number, number, number, number, number];
	const time = Date.UTC(year, month - 1, day, hour, minute, second);
	// February 30 is no day, and the 25th hour none of it.
	const isReal = new Date(time).getUTCDate() === day && month <= 12 && minute < 60 && hour < 24;
	return isReal && year > 0 ? isoOf(time - offsetOf(parts[7])) : null;
}

function offsetOf(zone: string | undefined): number {
	const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone ?? '') ?? [];
	if (!sign) return 0;
	return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function isoOf(time: number): string | null {
	return Math.abs(time) <= 8.64e15 && !Number.isNaN(time) ? new Date(time).toISOString() : null;
}
