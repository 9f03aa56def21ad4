import { isObject } from '#src/lib/merge.ts';
import { formatCount } from '#src/lib/text.ts';
import { FigureError } from '#src/core/figures/figure-error.ts';

export type Cell = string | number | boolean | null;
export type Row = Record<string, Cell>;

/** A plot that can be drawn: its words, its data, and the rest of its Vega-Lite specification. */
export type Plot = {
	title: string;
	description: string;
	rows: Row[];
	/** Pixels, if it asks for some. */
	height: number | undefined;
	/** True for a plot that takes the room beside the text, where a page has some. */
	isWide: boolean;
	/** `mark`, `encoding` and `layer`, made of nothing but `KEYS`. */
	spec: Record<string, unknown>;
};

export const PLOT_LIMITS = {
	characters: 64_000,
	rows: 500,
	columns: 20,
	depth: 10,
	text: 300,
	areaPoints: 5000,
};

/** Colors that a plot may name: each is the site's own, in both themes. */
export const PLOT_COLORS = ['accent', 'ink', 'muted', 'danger'] as const;

const MARKS = new Set(
	'area bar boxplot circle errorband errorbar line point rect rule square text tick trail'.split(
		' ',
	),
);
const CHANNELS = new Set(
	'x y x2 y2 xOffset yOffset color detail opacity order shape size strokeDash text xError yError xError2 yError2'.split(
		' ',
	),
);
/** Words that a specification may use besides channels. None computes, loads, or is unbounded. */
const KEYS = new Set(
	`aggregate align angle axis band bandPosition base baseline bin color columns cornerRadius datum direction domain dx dy
	exponent extent field filled fontSize fontStyle fontWeight format grid interpolate labelAlign labelAngle labelFontSize labels
	labelLimit labelOverlap legend limit line maxbins nice opacity op order orient padding paddingInner paddingOuter point
	range reverse scale shape size sort stack stroke strokeCap strokeDash strokeOpacity strokeWidth tension text thickness
	tickCount tickMinStep ticks timeUnit title type value values zero`.split(/\s+/),
);
/** Names of columns that need no escaping in any place. */
export const COLUMN = /^[\p{L}\p{N}_%$ ,()/+-]{1,60}$/u;

/** Reads a Vega-Lite specification with inline data or that of a table of its article. Throws a `FigureError` that says what is wrong. */
export function readPlot(source: string, tables: () => Row[][] = () => []): Plot {
	if (source.length > PLOT_LIMITS.characters)
		throw new FigureError(`it has more than ${formatCount(PLOT_LIMITS.characters)} characters`);
	const { $schema: _schema, title, description, data, height, width, ...spec } = parsed(source);
	if (title !== undefined && typeof title !== 'string') throw new FigureError('“title” is no text');
	if (description !== undefined && typeof description !== 'string')
		throw new FigureError('“description” is no text');
	if (height !== undefined && !(typeof height === 'number' && height >= 60 && height <= 800))
		throw new FigureError('“height” is a number of pixels from 60 to 800');
	const rows = rowsOf(data, tables);
	const columns = new Set(rows.flatMap((row) => Object.keys(row)));
	checkView(spec, columns, 0);
	checkAreas(spec, rows);
	const words = { title: title ?? '', description: description ?? '' };
	return { ...words, rows, height, isWide: width === 'wide', spec };
}

function parsed(source: string): Record<string, unknown> {
	let value: unknown;
	try {
		value = JSON.parse(source);
	} catch (error) {
		throw new FigureError(`it is no JSON: ${(error as Error).message.split('\n', 1)[0]}`);
	}
	if (!isObject(value)) throw new FigureError('it is no object');
	return value;
}

/** Returns the kind of mark of a view, which is its mark or a part of it. */
export const markOf = ({ mark }: Record<string, unknown>): unknown =>
	isObject(mark) ? mark['type'] : mark;

function rowsOf(data: unknown, tables: () => Row[][]): Row[] {
	if (isObject(data) && Object.keys(data).join() === 'table') {
		const all = tables();
		const table = all[Number(data['table']) - 1];
		if (!table)
			throw new FigureError(
				`“table” is the number of a table of the article, from 1 to ${all.length}`,
			);
		return rowsOf({ values: table }, tables);
	}
	if (!isObject(data) || !Array.isArray(data['values']))
		throw new FigureError(
			'its data is not inline: write them as “data”: {“values”: […]}, or name a table of the article as {“table”: 1}',
		);
	const other = Object.keys(data).find((key) => key !== 'values');
	if (other) throw new FigureError(`“${other.slice(0, 60)}” of its data is not known here`);
	const { values } = data as { values: unknown[] };
	if (values.length === 0) throw new FigureError('its data has no rows');
	if (values.length > PLOT_LIMITS.rows)
		throw new FigureError(`its data has more than ${formatCount(PLOT_LIMITS.rows)} rows`);
	return values.map((row, index) => {
		if (!isObject(row)) throw new FigureError(`row ${index + 1} of its data is no object`);
		const cells = Object.entries(row);
		if (cells.length > PLOT_LIMITS.columns)
			throw new FigureError(`row ${index + 1} has more than ${PLOT_LIMITS.columns} columns`);
		for (const [name, cell] of cells) {
			if (!COLUMN.test(name) || name in {})
				throw new FigureError(`“${name.slice(0, 60)}” is no name of a column`);
			const isCell = cell === null || ['string', 'number', 'boolean'].includes(typeof cell);
			if (!isCell || (typeof cell === 'string' && cell.length > PLOT_LIMITS.text))
				throw new FigureError(`“${name}” of row ${index + 1} is no number and no short text`);
		}
		return row as Row;
	});
}

/** Checks a view: one mark with its encoding, or layers of them. */
function checkView(view: Record<string, unknown>, columns: Set<string>, depth: number): void {
	if (depth > 2) throw new FigureError('its layers are nested too deep');
	const { mark, encoding, layer, ...rest } = view;
	const [other] = Object.keys(rest);
	if (other !== undefined) throw new FigureError(`“${other.slice(0, 60)}” is not known here`);
	if (layer !== undefined) {
		if (!Array.isArray(layer) || layer.length === 0 || layer.length > 8)
			throw new FigureError('“layer” is a list of one to eight layers');
		for (const one of layer as unknown[]) {
			if (!isObject(one)) throw new FigureError('a layer is no object');
			checkView(one, columns, depth + 1);
		}
	} else {
		const type = markOf(view);
		if (typeof type !== 'string' || !MARKS.has(type))
			throw new FigureError(`its mark is none of ${[...MARKS].join(', ')}`);
		if (isObject(mark)) checkValue('mark', mark, columns, 0);
	}
	if (encoding === undefined) return;
	if (!isObject(encoding)) throw new FigureError('“encoding” is no object');
	for (const [channel, value] of Object.entries(encoding)) {
		if (!CHANNELS.has(channel))
			throw new FigureError(`“${channel.slice(0, 60)}” is no channel here`);
		checkValue(channel, value, columns, 0);
	}
}

/** Refuses areas of many points: each series has one at each place where another series has one. */
function checkAreas(spec: Record<string, unknown>, rows: Row[]): void {
	let areas = 0;
	let series = 1;
	const walk = (value: unknown, key: string): void => {
		if (value === 'area' && (key === 'mark' || key === 'type')) areas++;
		if (!isObject(value) && !Array.isArray(value)) return;
		for (const [inner, one] of Object.entries(value)) {
			if (inner === 'field' && typeof one === 'string' && !/^[xy]/.test(key))
				series = Math.max(series, new Set(rows.map((row) => row[one])).size);
			walk(one, Array.isArray(value) ? key : inner);
		}
	};
	walk(spec, '');
	const { areaPoints } = PLOT_LIMITS;
	if (areas * series * rows.length > areaPoints)
		throw new FigureError(
			`its areas have more than ${formatCount(areaPoints)} points: use fewer rows, series or layers`,
		);
}

/** Checks a value of a specification: known words, bounded numbers, columns that there are, colors of the site. */
function checkValue(key: string, value: unknown, columns: Set<string>, depth: number): void {
	if (depth > PLOT_LIMITS.depth) throw new FigureError('it is nested too deep');
	if (Array.isArray(value)) {
		if (value.length > 100) throw new FigureError(`“${key}” has more than 100 entries`);
		for (const one of value as unknown[]) checkValue(key, one, columns, depth + 1);
	} else if (isObject(value)) {
		for (const [inner, one] of Object.entries(value)) {
			const isKnown = KEYS.has(inner) || CHANNELS.has(inner);
			if (!isKnown) throw new FigureError(`“${inner.slice(0, 60)}” is not known here`);
			checkValue(inner, one, columns, depth + 1);
		}
	} else if (typeof value === 'string') {
		if (value.length > PLOT_LIMITS.text) throw new FigureError(`“${key}” is too long`);
		if (key === 'field' && !columns.has(value))
			throw new FigureError(`its data has no column “${value.slice(0, 60)}”`);
		const isColor = key === 'color' || key === 'stroke';
		if (isColor && !PLOT_COLORS.some((color) => color === value))
			throw new FigureError(`a color is one of ${PLOT_COLORS.join(', ')}`);
	} else if (
		typeof value === 'number' &&
		['maxbins', 'tickCount', 'columns'].includes(key) &&
		value > 60
	)
		throw new FigureError(`“${key}” is more than 60`);
}
