import { formatCount } from '#src/lib/text.ts';

/** A place among the published values: 1 is the highest, ties share a place, null has none. */
export type Rank = { place: number; total: number; shared: boolean } | null;

export function rankOf(values: (number | null)[], value: number | null): Rank {
	if (value === null) return null;
	const published = values.filter((other) => other !== null);
	return {
		place: 1 + published.filter((other) => other > value).length,
		total: published.length,
		shared: published.filter((other) => other === value).length > 1,
	};
}

const endings: Record<string, string> = { one: 'st', two: 'nd', few: 'rd' };

/** Returns "1st", "22nd", "13th". */
export function ordinal(n: number): string {
	const plurals = new Intl.PluralRules('en-US', { type: 'ordinal' });
	return `${n}${endings[plurals.select(n)] ?? 'th'}`;
}

/** Returns "2nd of 49 states", "shared 36th of 49 states". */
export function rankText({ place, total, shared }: NonNullable<Rank>): string {
	return `${shared ? 'shared ' : ''}${ordinal(place)} of ${total} states`;
}

/** Lower bounds of the map's levels 2 to 5, on a logarithmic scale. */
const BOUNDS = [300, 1000, 3000, 10_000] as const;

/** The map's levels from fewest to most jobs. Level 0 means that an occupation is withheld. */
export const LEVELS = [1, 2, 3, 4, 5] as const;
export type Level = 0 | (typeof LEVELS)[number];

/** Returns the map's level for a number of AI jobs, or for null where an occupation is withheld. */
export function levelOf(aiJobs: number | null): Level {
	if (aiJobs === null) return 0;
	return (1 + BOUNDS.filter((bound) => aiJobs >= bound).length) as Level;
}

/** Returns the legend of a level: "under 300", "300–999", "10,000 or more", "not published in full". */
export function levelText(level: Level): string {
	if (level === 0) return 'not published in full';
	const [from, next] = [BOUNDS[level - 2], BOUNDS[level - 1]];
	if (from === undefined) return `under ${next}`;
	if (next === undefined) return `${formatCount(from)} or more`;
	return `${formatCount(from)}–${formatCount(next - 1)}`;
}

/** Returns the number in a table cell, or null for words. */
export function figureIn(text: string): number | null {
	const digits = text.replace(/[^\d.]/g, '');
	return digits ? Number(digits) : null;
}

/** Compares two values of a column. Unpublished ones come last in either direction. */
export function compareValues(
	a: string | number | null,
	b: string | number | null,
	direction: 'ascending' | 'descending',
): number {
	if (a === null || b === null) return Number(a === null) - Number(b === null);
	const numbers = typeof a === 'number' && typeof b === 'number';
	const order = numbers ? a - b : String(a).localeCompare(String(b), 'en-US');
	return direction === 'ascending' ? order : -order;
}
