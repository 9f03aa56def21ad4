import { breakLines } from './labels.ts';
import { isObject } from '#src/lib/merge.ts';
import { markOf, type Plot, type Row } from './plot.ts';

type Channel = Record<string, unknown>;

/** Ticks at which there is room for numbers on a logarithmic axis, by where it stands, and letters of a line below a plot. */
export type Room = { x: number; y: number; letters: number };

/**
 * Returns a plot with the axes that its specification leaves open: names in the order of the data, not of the alphabet, and
 * logarithmic axes from the first to the last value, with as many ticks as there is room for, and long titles in lines.
 */
export function withAxes(plot: Plot, room: Room): Plot {
	return { ...plot, spec: withChannels(plot.spec, plot.rows, room) };
}

function withChannels(view: Record<string, unknown>, rows: readonly Row[], room: Room) {
	const { encoding, layer } = view;
	// Lines begin and end at the sides of a plot, where their names stand.
	const isLine = markOf(view) === 'line';
	const channels = Object.entries(isObject(encoding) ? encoding : {}).map(([name, channel]) => {
		if (!isObject(channel) || typeof channel['field'] !== 'string') return [name, channel];
		const values = rows.map((row) => row[String(channel['field'])]);
		const axis =
			name === 'x' || name === 'y'
				? logarithmic(channel, values, room[name], isLine && name === 'x')
				: {};
		const { title } = channel;
		const isLong = name === 'x' && typeof title === 'string' && title.length > room.letters;
		const lines = isLong ? { title: breakLines(title, room.letters) } : {};
		return [name, { ...ordered(channel, values), ...axis, ...lines }];
	});
	return {
		...view,
		...(isObject(encoding) && { encoding: Object.fromEntries(channels) as object }),
		...(Array.isArray(layer) && {
			layer: layer.map((one: Record<string, unknown>): object => withChannels(one, rows, room)),
		}),
	};
}

function ordered(channel: Channel, values: readonly unknown[]): Channel {
	const isOfNames =
		!['quantitative', 'temporal'].includes(String(channel['type'])) &&
		values.every((value) => typeof value === 'string');
	return isOfNames && !('sort' in channel) ? { ...channel, sort: null } : channel;
}

/** Returns the scale and the axis of a logarithmic channel that names neither a domain nor ticks; nothing for any other. */
function logarithmic(
	channel: Channel,
	values: readonly unknown[],
	maxTicks: number,
	isExact: boolean,
): Channel {
	const { scale, axis } = channel;
	if (!isObject(scale) || scale['type'] !== 'log' || 'domain' in scale) return {};
	if (axis === null || (isObject(axis) && ('values' in axis || 'tickCount' in axis))) return {};
	const numbers = values.filter((value): value is number => Number(value) > 0);
	const base = Number(scale['base'] ?? 10);
	// A base near 1 has more powers than anybody waits for.
	if (numbers.length === 0 || !(base >= 2)) return {};
	const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
	const around = ticksAround(least, most, base);
	const domain = isExact ? [least, most] : [around[0], around.at(-1)];
	const ticks = isExact ? around.filter((tick) => tick >= least && tick <= most) : around;
	const powers = ticks.filter((tick) => Number.isInteger(round(Math.log(tick) / Math.log(base))));
	return {
		scale: { ...scale, domain },
		// Vega leaves out every second tick where there are more than this count.
		axis: { ...axis, values: ticks.length > maxTicks ? powers : ticks, tickCount: ticks.length },
	};
}

/** Returns powers of a base, and 2 and 5 times those of ten, from the last below a number to the first above another. */
function ticksAround(least: number, most: number, base: number): number[] {
	const steps = base === 10 ? [1, 2, 5] : [1];
	const power = (value: number) => Math.floor(Math.log(value) / Math.log(base));
	const ticks: number[] = [];
	for (let exponent = power(least) - 1; exponent <= power(most) + 1; exponent++)
		ticks.push(...steps.map((step) => round(step * base ** exponent)));
	const first = ticks.findLastIndex((tick) => tick <= least);
	const last = ticks.findIndex((tick) => tick >= most);
	return ticks.slice(first, last + 1);
}

/** Returns a number without the last digits, in which computed powers differ from written ones. */
const round = (value: number) => Number(value.toPrecision(12));
