import { at, dot, line, type Point } from '#src/lib/pen.ts';
import { isObject } from '#src/lib/merge.ts';
import { markOf, type Plot } from './plot.ts';

/** The size of the plate that a plot is drawn on as a cover. */
const PLATE = { width: 1200, height: 630 };
/** Room around it, so that a place of another shape may cut some off. */
const ROOM = { x: 80, y: 100 };

/** How a plot is drawn as a cover: without all that says what it shows. */
export const ART_LOOK = {
	width: PLATE.width - 2 * ROOM.x,
	height: PLATE.height - 2 * ROOM.y,
	padding: 0,
	autosize: 'none',
	config: { view: { stroke: null }, range: { category: { scheme: 'category20' } } },
};

/** Marks of each kind and points of a line: as many as a cover can show. */
const MOST = { marks: 120, points: 60 };

type Spec = Record<string, unknown>;
type Words = Pick<Plot, 'title' | 'description' | 'rows'>;

/** Returns a specification without axes, legends and words. */
export function bareSpec({ encoding, layer, ...rest }: Spec): Spec {
	const channels = Object.entries(isObject(encoding) ? encoding : {}).flatMap(([name, channel]) => {
		if (name === 'text') return [];
		const isPlace = name === 'x' || name === 'y';
		const hasLegend = /^(color|opacity|shape|size|strokeDash)$/.test(name);
		const silent = { ...(isPlace && { axis: null }), ...(hasLegend && { legend: null }) };
		return [[name, isObject(channel) && 'field' in channel ? { ...channel, ...silent } : channel]];
	});
	return {
		...rest,
		encoding: Object.fromEntries(channels) as Spec,
		...(Array.isArray(layer) && {
			layer: (layer as Spec[]).filter((one) => markOf(one) !== 'text').map(bareSpec),
		}),
	};
}

/** A mark of a view, where it stands on the plate. */
type Item = {
	kind: string;
	x: number;
	y: number;
	width: number;
	height: number;
	/** The value that a reader reads off there. */
	value: unknown;
};

/**
 * Returns the marks of a view as the lines of a text: path data of what is black, of other lines, of areas, of dots, the
 * marked point, and its value as the article writes it. Each may be empty.
 */
export function artOf(root: unknown, { spec, ...words }: Plot, article: string): string {
	const { field, title } = valueField(spec);
	const groups: Item[][] = [];
	collect(root, ROOM.x, ROOM.y, field, groups);
	const items = groups.flat();
	fill(items);
	const claim = claimOf(words, article, items, field);
	const spot = claim?.item;
	const lines = groups.filter(([item]) => item?.kind === 'line' || item?.kind === 'area');
	const black =
		lines.find((points) => spot && points.some((one) => isAt(one, spot))) ??
		lines.find(([item]) => item!.kind === 'line');
	const others = lines.filter((points) => points !== black && points[0]!.kind === 'line');
	const rects = items.filter(({ kind }) => kind === 'rect').slice(0, MOST.marks);
	const isBlack = (item: Item) => spot !== undefined && isAt(item, spot);
	const dots = items.filter(({ kind }) => kind === 'symbol');
	const rules = items.filter(({ kind }) => kind === 'rule' || kind === 'tick');
	return [
		(black ? line(thin(black, spot)) : '') + rects.filter(isBlack).map(rectangle).join(''),
		[...others.map((points) => line(thin(points))), ...rules.slice(0, MOST.marks).map(stroke)].join(
			'',
		),
		rects
			.filter((item) => !isBlack(item))
			.map(rectangle)
			.join('') +
			lines
				.filter(([item]) => item!.kind === 'area')
				.map(area)
				.join(''),
		// A line's own points say nothing more.
		(lines.length > 0 ? [] : dots)
			.slice(0, MOST.marks)
			.map(({ x, y }) => dot(x, y))
			.join(''),
		spot ? endOf(spot).map(Math.round).join(' ') : '',
		claim ? labelOf(claim.words, title) : '',
	].join('\n');
}

/** Stretches what has no bars along the whole plate. */
function fill(items: Item[]): void {
	if (items.some(({ kind }) => kind === 'rect')) return;
	const [left, right] = [
		Math.min(...items.map(({ x }) => x)),
		Math.max(...items.map(({ x, width }) => x + width)),
	];
	const scale = ART_LOOK.width / (right - left);
	if (!Number.isFinite(scale)) return;
	for (const item of items) {
		item.x = ROOM.x + (item.x - left) * scale;
		item.width *= scale;
	}
}

/** Returns the column of which a reader reads values off: what is drawn upward, or across where names stand on the left. */
function valueField({ encoding, layer }: Spec): { field: string; title: string } {
	const parts = [{ encoding }, ...(Array.isArray(layer) ? (layer as Spec[]) : [])];
	const channels = parts.map((part) => (isObject(part.encoding) ? part.encoding : {}));
	const numbers = ['y', 'x'].flatMap((name) =>
		channels.flatMap(({ [name]: channel }) =>
			isObject(channel) && channel['type'] === 'quantitative' ? channel : [],
		),
	);
	const { field = '', title = '' } = (numbers[0] ?? {}) as Partial<Record<string, unknown>>;
	return { field: String(field), title: String(title) };
}

/** Letters of a label that a cover has room for. */
const MAX_LABEL = 13;

/**
 * Returns what a cover says of its point: a sum of money or a share as it is, any other number with what it counts or is
 * measured in, as its axis says that. A number alone says nothing.
 */
function labelOf(words: string, title: string): string {
	if (/[$€£%]/.test(words)) return words;
	const [, after] = /, (?:in )?(?!and |or )([^,;]+)$/.exec(title) ?? [];
	if (after === '%') return `${words}%`;
	const isCount = /^[\d,]+$/.test(words) && !/^(?:count|number|value|balance)$/i.test(title);
	const named = after ?? (/^[A-Z]+$/.test(title) ? title : isCount ? title.toLowerCase() : '');
	// "days of review time" is measured in days, "cells expanded" counts cells.
	const [short] = /^\w+s(?= )/.exec(named) ?? [];
	const label = [named, short ?? ''].map((unit) => `${words} ${unit}`).find(isShort);
	return named && label && /\S \S/.test(label) ? label : '';
}
const isShort = (label: string) => label.length <= MAX_LABEL;

type Node = Record<string, unknown>;

/** Puts the items of a view's marks into groups, each a line or the marks of one kind. */
function collect(node: unknown, dx: number, dy: number, field: string, groups: Item[][]): void {
	if (!isObject(node) || !Array.isArray(node['items'])) return;
	const kind = typeof node['marktype'] === 'string' ? node['marktype'] : '';
	const number = (value: unknown) => (typeof value === 'number' ? value : 0);
	if (!kind || kind === 'group') {
		for (const item of node['items'] as Node[])
			collect(
				item,
				dx + (kind ? 0 : number(node['x'])),
				dy + (kind ? 0 : number(node['y'])),
				field,
				groups,
			);
		return;
	}
	const items = (node['items'] as Node[]).filter(({ defined }) => defined !== false);
	if (items.length === 0) return;
	groups.push(
		items.map((item) => {
			const [x, y] = [number(item['x']), number(item['y'])];
			return {
				kind: kind === 'trail' ? 'line' : kind,
				x: x + dx,
				y: y + dy,
				width: number(item['width'] ?? (item['x2'] === undefined ? 0 : number(item['x2']) - x)),
				height: number(item['height'] ?? (item['y2'] === undefined ? 0 : number(item['y2']) - y)),
				value: isObject(item['datum']) ? item['datum'][field] : undefined,
			};
		}),
	);
}

/** A number as people write it, with a sign of money or of a share. */
const NUMBER = /(?<![\w.,-])[$€£]?\d+(?:,\d{3})*(?:\.\d+)?%?(?![\w-])/g;

type Claim = { item: Item; words: string; value: number };

/**
 * Returns the number that a plot's own words say of one place alone: one that its article begins with, else one of its
 * title, else the one farthest from the first that it names.
 */
function claimOf(
	{ title, description, rows }: Words,
	article: string,
	items: Item[],
	field: string,
): Claim | undefined {
	const isShare = rows.every(({ [field]: value }) => typeof value !== 'number' || value <= 1);
	// Such a number may say where, not what.
	const places = new Set(
		rows.flatMap((row) =>
			Object.entries(row).flatMap(([name, cell]) => (name === field ? [] : cell)),
		),
	);
	const numbersOf = (text: string) =>
		[...text.matchAll(NUMBER)].map(([words]) => {
			const value = Number(words.replace(/[^\d.]/g, ''));
			return { words, value: isShare && words.endsWith('%') ? value / 100 : value };
		});
	const claims = (text: string) =>
		numbersOf(text).flatMap(({ words, value }): Claim | [] => {
			if (places.has(value) && /^\d[^%]*$/.test(words)) return [];
			const [item, ...others] = items.filter((one) => one.value === value);
			return item && others.every((other) => isAt(other, item)) ? { item, words, value } : [];
		});
	const told = new Set(numbersOf(article).map(({ value }) => value));
	const [inTitle, all] = [claims(title), claims(description)];
	const first = all[0];
	return (
		[...inTitle, ...all].find(({ value }) => told.has(value)) ??
		inTitle[0] ??
		(first && all.reduce((far, one) => (distance(one, first) > distance(far, first) ? one : far)))
	);
}

const distance = (one: Claim, other: Claim) => Math.abs(one.value - other.value);

/** Where a mark ends that begins at an axis, and where any other stands. */
function endOf({ kind, x, y, width, height }: Item): [number, number] {
	if (kind !== 'rect') return [x, y];
	return width > height ? [x + width, y + height / 2] : [x + width / 2, y];
}

function isAt(one: Item, other: Item): boolean {
	const [a, b] = [endOf(one), endOf(other)];
	return Math.hypot(a[0] - b[0], a[1] - b[1]) < 2;
}

/** Returns a line's points, of very many only some: the ends and the marked one among them. */
function thin(points: readonly Item[], spot?: Item): Point[] {
	const step = Math.ceil(points.length / MOST.points);
	return points
		.filter((point, n) => n % step === 0 || n === points.length - 1 || (spot && isAt(point, spot)))
		.map(({ x, y }) => [x, y]);
}

const rectangle = ({ x, y, width, height }: Item) => {
	const [right, foot] = [Math.round(x + width), Math.round(y + height)];
	const [left, top] = [Math.round(x), Math.round(y)];
	return `${at('M', left, top)}${at('h', right - left)}${at('v', foot - top)}${at('h', left - right)}z`;
};

const stroke = ({ x, y, width, height }: Item) => at('M', x, y) + at('l', width, height);

/** Returns path data of an area: along its upper edge and back along its lower one. */
const area = (points: readonly Item[]) =>
	`${line([
		...points.map(({ x, y }): Point => [x, y]),
		...points.map(({ x, y, width, height }): Point => [x + width, y + height]).reverse(),
	])}z`;
