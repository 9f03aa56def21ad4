import { formatCount, joinWithAnd } from '#src/lib/text.ts';

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

/** Measures that the map can show: how each is called, and the lower bounds of its levels 2 to 5. */
export const MEASURES = {
	density: {
		label: 'Jobs per 1,000',
		heading: 'AI jobs per 1,000 jobs',
		bounds: [1.1, 1.5, 1.9, 2.6],
		text: (value: number) => `${value.toFixed(2)} per 1,000 jobs`,
	},
	pay: {
		label: 'Mean pay',
		heading: 'Mean pay of AI jobs',
		bounds: [105_000, 115_000, 125_000, 140_000],
		text: (value: number) => `$${formatCount(value)} a year`,
	},
	jobs: {
		label: 'Number of jobs',
		heading: 'Number of AI jobs',
		bounds: [1500, 4000, 7000, 12_000],
		text: (value: number) => `${formatCount(value)} AI jobs`,
	},
} as const;
export type Measure = keyof typeof MEASURES;
export const MEASURE_NAMES = Object.keys(MEASURES) as Measure[];

/** The map's levels from least to most. Level 0 means that an occupation is withheld. */
export const LEVELS = [1, 2, 3, 4, 5] as const;
export type Level = 0 | (typeof LEVELS)[number];

/** Returns the map's level for a value, or for null where an occupation is withheld. */
export function levelOf(value: number | null, measure: Measure): Level {
	if (value === null) return 0;
	return (1 + MEASURES[measure].bounds.filter((bound) => value >= bound).length) as Level;
}

/** Returns the legend of a level: "under 1,500", "1,500 to 4,000", "12,000 or more", "not published in full". */
export function levelText(level: Level, measure: Measure): string {
	if (level === 0) return 'not published in full';
	const sign = measure === 'pay' ? '$' : '';
	const [from, next] = [level - 2, level - 1].map((index) => {
		const bound = MEASURES[measure].bounds[index];
		return bound === undefined ? undefined : `${sign}${bound < 10 ? bound : formatCount(bound)}`;
	});
	if (from === undefined) return `under ${next}`;
	return next === undefined ? `${from} or more` : `${from} to ${next}`;
}

/** Returns what the map says of a state: its value and its place, or that there is none. */
export function measureText(value: number | null, rank: Rank, measure: Measure): string {
	if (value === null || !rank) return 'not published in full';
	return `${MEASURES[measure].text(value)}, ${rankText(rank)}`;
}

/** Returns the plate below a note on the map, in its units: what is written is monospaced. */
export function plateOf(x: number, isEnd: boolean, text: string): { x: number; width: number } {
	const width = Math.round(text.length * 18.4) + 28;
	return { x: isEnd ? x + 14 - width : x - 14, width };
}

/** Returns what a map of these states shows: where there is most, where least, and how many are published. */
export function findingText(
	states: readonly { name: string; value: number | null }[],
	measure: Measure,
): string {
	const known = states.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]));
	known.sort((a, b) => b.value - a.value);
	if (known.length < 4) return '';
	const sign = measure === 'pay' ? '$' : '';
	const told = ({ name, value }: { name: string; value: number }) =>
		`${name} (${sign}${measure === 'density' ? value.toFixed(2) : formatCount(value)})`;
	const kept =
		known.length === states.length
			? ''
			: ` ${known.length} of ${states.length} are published in full.`;
	return `Most in ${joinWithAnd(known.slice(0, 3).map(told))}; least in ${told(known.at(-1)!)}.${kept}`;
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
