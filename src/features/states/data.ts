import { computedFigures, type Figure, type State } from './state.ts';

/** One figure of one state. Null stands for what its source does not publish. */
export type DataRow = { state: string; slug: string; abbreviation: string } & Figure;

/** Every figure of every state, the two computed ones first. */
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

const COLUMNS = {
	state: 'state',
	slug: 'slug',
	abbreviation: 'abbreviation',
	key: 'figure',
	label: 'label',
	value: 'value',
	unit: 'unit',
	source: 'source',
	asOf: 'as_of',
} as const satisfies Record<keyof DataRow, string>;

/** The rows as RFC 4180 has it: a header line, CRLF after each line, quotes where needed. Not published is empty. */
export function toCsv(rows: DataRow[]): string {
	const keys = Object.keys(COLUMNS) as (keyof DataRow)[];
	const lines = [
		Object.values(COLUMNS),
		...rows.map((row) => keys.map((key) => String(row[key] ?? ''))),
	];
	return lines.map((fields) => `${fields.map(csvField).join(',')}\r\n`).join('');
}

function csvField(text: string): string {
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The figures by state, for programs that would rather not read a table. */
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
