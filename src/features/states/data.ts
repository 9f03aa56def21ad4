import { escapeFormulas } from '#src/lib/csv.ts';
import { computedFigures, type Figure, type State } from './state.ts';

/** One figure of one state. Null if its source does not publish it. */
export type DataRow = { state: string; slug: string; abbreviation: string } & Figure;

/** Returns every figure of every state, the two computed ones first. */
export function dataRows(states: State[]): DataRow[] {
	return states.flatMap((state) => {
		const { name, slug, abbreviation } = state;
		return [...computedFigures(state), ...state.figures].map((figure) => ({
			state: name,
			slug,
			abbreviation,
			...figure,
		}));
	});
}

/** The columns. The last one is there once a figure has a link. */
export const COLUMNS = {
	state: 'state',
	slug: 'slug',
	abbreviation: 'abbreviation',
	key: 'figure',
	label: 'label',
	value: 'value',
	unit: 'unit',
	source: 'source',
	asOf: 'as_of',
	link: 'link',
} as const satisfies Record<keyof DataRow, string>;

/**
 * Returns the rows as CSV (RFC 4180): a header, CRLF line ends, quotes where needed, empty cells for
 * unpublished values, nothing that a spreadsheet takes for a formula.
 */
export function toCsv(rows: DataRow[]): string {
	const keys = (Object.keys(COLUMNS) as (keyof DataRow)[]).filter(
		(key) => key !== 'link' || rows.some(({ link }) => link !== undefined),
	);
	const lines: string[][] = [
		keys.map((key) => COLUMNS[key]),
		...rows.map((row) => keys.map((key) => escapeFormulas(String(row[key] ?? '')))),
	];
	return lines.map((fields) => `${fields.map(csvField).join(',')}\r\n`).join('');
}

function csvField(text: string): string {
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns the figures by state as JSON. */
export function toJson(states: State[]): string {
	const list = states.map(({ name, slug, abbreviation, capital }, index) => ({
		name,
		slug,
		abbreviation,
		capital,
		figures: [...computedFigures(states[index]!), ...states[index]!.figures],
	}));
	return `${JSON.stringify({ note: NOTE, states: list })}\n`;
}

const NOTE =
	'Each figure has its source and date. A value of null is not published by that source. There is no official count of AI jobs: aiJobs and averageSalary are computed from two occupations.';
