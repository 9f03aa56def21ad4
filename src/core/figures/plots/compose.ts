import type { Row } from './plot.ts';
import { columnsOf, parseTable, type Column } from './table.ts';

/** Marks that a table is offered. */
export const PLOT_MARKS = { bar: 'Bars', line: 'Lines', area: 'Areas', point: 'Points' } as const;
export type PlotMark = keyof typeof PLOT_MARKS;

/** Choice of what a plot shows of a table. */
export type PlotChoice = {
	title: string;
	description: string;
	mark: PlotMark;
	/** The column along which it is drawn. */
	along: string;
	/** Columns of numbers: several are a series each. */
	values: string[];
	/** The column of names that splits a single column of numbers into series, or nothing. */
	series: string;
	/** True for a plot that takes the room beside the text, where a page has some. */
	isWide: boolean;
};

/** Series that still have a color of their own. */
const MAX_SERIES = 6;

/** Returns the marks that fit a table drawn along a column, best first. */
export function marksFor(along: Column | undefined): PlotMark[] {
	if (along?.kind === 'name') return ['bar', 'point'];
	return ['line', 'point', 'area', 'bar'];
}

/** Returns the columns that can split a plot into series: names, each of few. */
export function seriesColumns(rows: readonly Row[], columns: readonly Column[], along: string) {
	return columns.filter(({ name, kind }) => {
		if (kind !== 'name' || name === along) return false;
		const count = new Set(rows.map((row) => row[name])).size;
		return count > 1 && count <= MAX_SERIES;
	});
}

/** Returns what a new table is drawn as at first. */
export function firstChoice(rows: readonly Row[], columns: readonly Column[]): PlotChoice {
	const numbers = columns.filter(({ kind }) => kind === 'number');
	const date = columns.find(({ kind }) => kind === 'date');
	// A first column of numbers is what the others are drawn along, unless it is all that there is.
	const [first] = columns;
	const along = date ?? (first?.kind === 'number' && numbers.length < 2 ? undefined : first);
	const rest = numbers.filter(({ name }) => name !== along?.name).map(({ name }) => name);
	const series = seriesColumns(rows, columns, along?.name ?? '')[0]?.name ?? '';
	return {
		title: '',
		description: '',
		mark: marksFor(along)[0]!,
		along: along?.name ?? '',
		values: series ? rest.slice(0, 1) : rest.slice(0, MAX_SERIES),
		series: rest.length > 0 ? series : '',
		isWide: false,
	};
}

/** Returns a plot as the text of its block of code, or why there is none yet. */
export function composePlot(
	rows: readonly Row[],
	columns: readonly Column[],
	{ title, description, mark, along, values, series, isWide }: PlotChoice,
): { source: string } | { missing: string } {
	if (rows.length === 0) return { missing: 'Paste a table with a row of names and a row of data.' };
	if (values.length === 0) return { missing: 'Choose a column of numbers to draw.' };
	const column = columns.find(({ name }) => name === along);
	if (!column) return { missing: 'Choose the column along which it is drawn.' };
	const isFolded = values.length > 1;
	const value = isFolded ? 'value' : values[0]!;
	const kept = isFolded ? [along] : [along, value, ...(series ? [series] : [])];
	const pick = (row: Row, names: string[]) =>
		Object.fromEntries([...new Set(names)].map((name) => [name, row[name] ?? null]));
	const data = isFolded
		? values.flatMap((name) =>
				rows.map((row) => ({ ...pick(row, kept), series: name, value: row[name] ?? null })),
			)
		: rows.map((row) => pick(row, kept));
	const split = isFolded ? 'series' : series;
	const type = { number: 'quantitative', date: 'temporal', name: 'nominal' }[column.kind];
	const isBar = mark === 'bar';
	// Names stand on the left, where they have room on a phone as well.
	const isAcross = column.kind === 'name';
	const alongChannel = {
		field: along,
		type: isBar && column.kind === 'number' ? 'ordinal' : type,
		...(isAcross && { sort: null, title: null }),
		...(!isAcross && { title: along }),
		...(column.kind === 'number' && !isBar && { scale: { zero: false } }),
		...(isYears(rows, along) && { axis: { format: 'd', tickMinStep: 1 } }),
	};
	const valueChannel = {
		field: value,
		type: 'quantitative',
		title: isFolded ? '' : value,
		...(mark === 'point' && { scale: { zero: false } }),
		...(mark === 'area' && { stack: null }),
	};
	const [x, y] = isAcross ? [valueChannel, alongChannel] : [alongChannel, valueChannel];
	const offset = isAcross ? 'yOffset' : 'xOffset';
	const encoding = {
		x,
		y,
		...(split && { color: { field: split, type: 'nominal', sort: null } }),
		...(split && isBar && { [offset]: { field: split, sort: null } }),
	};
	const parts = Object.entries({ title, description, ...(isWide && { width: 'wide' }), mark }).map(
		([name, part]) => `\t"${name}": ${JSON.stringify(part)}`,
	);
	const channels = Object.entries(encoding).map(
		([name, channel]) => `\t\t"${name}": ${JSON.stringify(channel)}`,
	);
	const lines = data.map((row) => `\t\t\t${JSON.stringify(row)}`);
	return {
		source: `{\n${parts.join(',\n')},\n\t"encoding": {\n${channels.join(',\n')}\n\t},\n\t"data": {\n\t\t"values": [\n${lines.join(',\n')}\n\t\t]\n\t}\n}`,
	};
}

/** Returns the table and the choice that a plot's block of code was made of, or null where one was written by hand. */
export function reopenPlot(source: string): { table: string; choice: PlotChoice } | null {
	const plot = parseJson(source) as Composed | null;
	const { x, y, color } = plot?.encoding ?? {};
	const rows = plot?.data?.values;
	const isMark = Object.keys(PLOT_MARKS).some((mark) => mark === plot?.mark);
	const isTable = Array.isArray(rows) && rows.every((row) => typeof row === 'object' && row);
	if (!plot || !isMark || !isTable) return null;
	const { mark, title = '', description = '', width } = plot;
	const words: unknown[] = [x?.field, y?.field, title, description, color?.field ?? ''];
	if (!x?.field || !y?.field || words.some((word) => typeof word !== 'string')) return null;
	const [value, along] = y.type === 'nominal' ? [x.field, y.field] : [y.field, x.field];
	for (const isFolded of [true, false]) {
		const names = [...new Set(rows.map((row) => String(row['series'])))];
		const values = isFolded ? names : [value];
		const lines = isFolded ? unfold(rows, along, names) : rows;
		const series = (!isFolded && color?.field) || '';
		const choice = { title, description, mark, along, values, series, isWide: width === 'wide' };
		const table = tableOf([along, ...(series ? [series] : []), ...values], lines);
		const parsed = parseTable(table);
		const again = composePlot(parsed, columnsOf(parsed), choice);
		// What is not made of it again has more to say than the table and the choice.
		if ('source' in again && sorted(parseJson(again.source)) === sorted(plot))
			return { table, choice };
	}
	return null;
}

type Channel = { field?: string; type?: string };
type Composed = Partial<Pick<PlotChoice, 'title' | 'description'>> & {
	mark: PlotMark;
	width?: string;
	encoding?: { x?: Channel; y?: Channel; color?: Channel };
	data?: { values?: Row[] };
};

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

/** Returns what is said, whatever the order of its names is. */
const sorted = (value: unknown): string =>
	JSON.stringify(value, (_name, part: unknown) =>
		part && typeof part === 'object' && !Array.isArray(part)
			? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
			: part,
	);

/** Returns rows with a column for each series again. */
function unfold(rows: readonly Row[], along: string, names: readonly string[]): Row[] {
	const parts = names.map((name) => rows.filter((row) => String(row['series']) === name));
	return (parts[0] ?? []).map((row, index) => ({
		[along]: row[along] ?? null,
		...Object.fromEntries(names.map((name, at) => [name, parts[at]?.[index]?.['value'] ?? null])),
	}));
}

/** Writes a table as it is copied from a spreadsheet. */
function tableOf(names: readonly string[], rows: readonly Row[]): string {
	const cellOf = (value: unknown) => {
		const cell = value ?? '';
		const text = typeof cell === 'string' ? cell : JSON.stringify(cell);
		return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
	};
	const lines = rows.map((row) => names.map((name) => row[name]));
	return [names, ...lines].map((cells) => cells.map(cellOf).join('\t')).join('\n');
}

/** Tells years, which have no thousands separator and no fractions. */
function isYears(rows: readonly Row[], name: string): boolean {
	return rows.every((row) => /^(1[89]|20|21)\d\d$/.test(String(row[name])));
}
