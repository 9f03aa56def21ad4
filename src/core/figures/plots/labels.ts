import { isObject } from '#src/lib/merge.ts';
import { markOf, type Plot, type Row } from './plot.ts';

type Words = Record<string, unknown>;
type Channel = { field: string; type: string; scale?: Words };

/** Lines that can be named where they end: how they are drawn, and the last row of each. */
export type NamedLines = { x: Channel; y: Channel; color: Channel; ends: Row[] };

/** Width of a letter of the labels' font by its size. */
export const LETTER = 0.6;
/** Pixels of letters, of a line of them, and between a line's end and its name. */
const FONT_SIZE = 12;
const LINE = 14;
const GAP = 8;
/** Pixels between a line's end and its name where a thin line leads from one to the other. */
const LEADER_GAP = 24;
/** Share of a plot's width that names may take. */
const MAX_SHARE = 0.3;
/** Pixels by which a name may be moved from its line: without and with a leader. */
const MAX_SHIFT = { bare: 7, led: 45 };
const MAX_SERIES = 6;
/** Share of the width by which a line may end before the others. */
const MAX_SHORT = 0.1;

function channelOf(value: unknown): Channel | undefined {
	if (!isObject(value) || typeof value['field'] !== 'string') return undefined;
	const isPlain = ['aggregate', 'bin', 'timeUnit', 'sort'].every((key) => value[key] == null);
	return isPlain ? (value as Channel) : undefined;
}

const placeOf = (value: unknown) =>
	typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;

/** Returns the lines of a plot that is nothing but lines, each of a color, which all go as far to the right. */
export function namedLines({ spec, rows }: Plot): NamedLines | null {
	const { encoding, layer } = spec;
	if (markOf(spec) !== 'line' || layer !== undefined || !isObject(encoding)) return null;
	const { x: across, y: up, color: hue, ...others } = encoding;
	const [x, y, color] = [channelOf(across), channelOf(up), channelOf(hue)];
	if (!x || !y || !color || Object.keys(others).length > 0 || 'legend' in color) return null;
	if (!['quantitative', 'temporal'].includes(x.type) || y.type !== 'quantitative') return null;
	if (x.scale?.['reverse']) return null;
	const series = Map.groupBy(
		rows.filter((row) => typeof row[y.field] === 'number' && !Number.isNaN(placeOf(row[x.field]))),
		(row) => row[color.field],
	);
	if (series.size < 2 || series.size > MAX_SERIES) return null;
	const ends = [...series.values()].map((all) =>
		all.reduce((last, row) => (placeOf(row[x.field]) > placeOf(last[x.field]) ? row : last)),
	);
	return { x, y, color, ends };
}

/** Breaks words into lines that are no longer than a number of letters, if they allow it. */
export function breakLines(name: string, letters: number): string[] {
	if (name.length <= letters) return [name];
	return name.split(' ').reduce<string[]>((lines, word) => {
		const last = lines.at(-1);
		const joined = last === undefined ? word : `${last} ${word}`;
		return joined.length <= letters || last === undefined
			? [...lines.slice(0, -1), joined]
			: [...lines, word];
	}, []);
}

/** Pixels of a plot's height that a legend and an axis take. */
const AROUND = 95;

/** Returns a plot whose long names on the left stand in lines, where its rows are high enough for them. */
export function breakNames(plot: Plot, { width, height }: { width: number; height: number }): Plot {
	const { encoding } = plot.spec;
	const y = isObject(encoding) && isObject(encoding['y']) ? encoding['y'] : {};
	const field = String(y['field']);
	if (y['type'] !== 'nominal' && y['type'] !== 'ordinal') return plot;
	const names = new Set(plot.rows.map((row) => row[field]));
	const letters = Math.floor(width / (LETTER * FONT_SIZE));
	const most = Math.floor((height - AROUND) / names.size / LINE);
	const lines = new Map<unknown, string>();
	for (const name of names) {
		const parts = typeof name === 'string' ? breakLines(name, letters) : [];
		const last = parts.slice(most - 1).join(' ');
		if (parts.length > 1 && most > 1)
			lines.set(name, [...parts.slice(0, most - 1), last].join('\n'));
	}
	if (lines.size === 0) return plot;
	const convert = <Part>(part: Part): Part => {
		if (Array.isArray(part)) return part.map((one: unknown) => convert(one)) as Part;
		if (!isObject(part)) return (lines.get(part) ?? part) as Part;
		return Object.fromEntries(
			Object.entries(part).map(([key, one]) => [key, key === 'field' ? one : convert(one)]),
		) as Part;
	};
	return { ...plot, rows: convert(plot.rows), spec: convert(plot.spec) };
}

/** Returns the names of lines, each in lines of letters, as they fit beside a plot of this width, or null. */
export function fitLineLabels({ color, ends }: NamedLines, width: number) {
	const letters = Math.floor((MAX_SHARE * width - GAP) / (LETTER * FONT_SIZE));
	const names = ends.map((row) => breakLines(String(row[color.field]), letters));
	return names.flat().some(({ length }) => length > letters) ? null : names;
}

/** How a drawn plot places values. */
export type Scales = Record<'x' | 'y' | 'color', (value: unknown) => unknown>;

/** Returns layers that name lines at their ends, or null where names would lie on each other. */
export function nameLayers(
	{ x, y, color, ends }: NamedLines,
	names: readonly string[][],
	scales: Scales,
	{ width, height }: { width: number; height: number },
): Words[] | null {
	const places = ends.map((row, index) => {
		const value = x.type === 'temporal' ? new Date(placeOf(row[x.field])) : row[x.field];
		return {
			row,
			lines: names[index]!,
			right: Number(scales.x(value)),
			at: Number(scales.y(row[y.field])),
			hue: String(scales.color(row[color.field])),
		};
	});
	if (places.some(({ right }) => !(width - right <= MAX_SHORT * width))) return null;
	const shifts = spread(
		places.map(({ at, lines }) => ({ at, height: lines.length * LINE })),
		height,
	);
	const farthest = Math.max(...shifts.map(Math.abs));
	if (farthest > MAX_SHIFT.led) return null;
	const isLed = farthest > MAX_SHIFT.bare;
	// At the side of the plot: a name that began within it would be counted as narrower than it is.
	const side = { value: 'width' };
	return places.flatMap(({ row, lines, hue }, index) => {
		const data = { values: [row] };
		const shift = shifts[index]!;
		const name = {
			data,
			mark: {
				type: 'text',
				align: 'left',
				baseline: 'middle',
				dx: isLed ? LEADER_GAP : GAP,
				dy: shift - ((lines.length - 1) * LINE) / 2,
				lineHeight: LINE,
				color: hue,
			},
			encoding: { x: side, y, text: { value: lines.length > 1 ? lines : lines[0] } },
		};
		const leader = {
			data,
			mark: {
				type: 'rule',
				color: hue,
				strokeDash: [1, 0],
				xOffset: GAP / 2,
				x2Offset: LEADER_GAP - GAP / 2,
				y2Offset: shift,
			},
			encoding: { x: side, x2: side, y, y2: { field: y.field } },
		};
		return isLed ? [leader, name] : [name];
	});
}

/** Returns by how much each of some boxes has to move up or down so that none lies on another, or below the bottom. */
function spread(boxes: { at: number; height: number }[], bottom: number): number[] {
	const order = boxes.map((_, index) => index).sort((a, b) => boxes[a]!.at - boxes[b]!.at);
	const places = boxes.map(({ at }) => at);
	const settle = () =>
		boxes.forEach(({ height }, index) => {
			places[index] = Math.min(places[index]!, bottom - height / 2);
		});
	// Each round moves neighbors apart by half of what they share.
	for (let round = 0; round < 20; round++) {
		order.slice(1).forEach((lower, index) => {
			const upper = order[index]!;
			const room = (boxes[upper]!.height + boxes[lower]!.height) / 2;
			const overlap = room - (places[lower]! - places[upper]!);
			if (overlap <= 0) return;
			places[upper]! -= overlap / 2;
			places[lower]! += overlap / 2;
		});
		settle();
	}
	return boxes.map(({ at }, index) => Math.round(places[index]! - at));
}
