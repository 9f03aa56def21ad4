/** A place on the plate, in its units. */
export type Point = readonly [x: number, y: number];

/** A repeatable source of chance: the same seed gives the same numbers on every machine. */
export type Random = {
	/** From `low` up to `high`. */
	between: (low: number, high: number) => number;
	/** A whole number from `low` to `high`, both included. */
	int: (low: number, high: number) => number;
	/** Normally distributed, mean 0, deviation 1. */
	normal: () => number;
	pick: <Item>(items: readonly Item[]) => Item;
};

/** Chance from a text (FNV-1a into mulberry32). */
export function randomOf(seed: string): Random {
	let state = 0x811c9dc5;
	for (let i = 0; i < seed.length; i++) {
		state = Math.imul(state ^ seed.charCodeAt(i), 0x01000193);
	}
	const next = () => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
	return {
		between: (low, high) => low + (high - low) * next(),
		int: (low, high) => low + Math.floor((high - low + 1) * next()),
		normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
		pick: (items) => items[Math.floor(items.length * next())]!,
	};
}

/** Path data: a command and its numbers, rounded, with no space that can be left out. */
export function at(command: string, ...numbers: number[]): string {
	let data = command;
	for (let i = 0; i < numbers.length; i++) {
		const value = Math.round(numbers[i]!);
		data += i === 0 || value < 0 ? value : ` ${value}`;
	}
	return data;
}

/** Straight lines through points. */
export function line(points: readonly Point[]): string {
	let data = '';
	let x = 0;
	let y = 0;
	for (const point of points) {
		const nextX = Math.round(point[0]);
		const nextY = Math.round(point[1]);
		data += data ? at('l', nextX - x, nextY - y) : at('M', nextX, nextY);
		x = nextX;
		y = nextY;
	}
	return data;
}

/**
 * A smooth curve (a quadratic B-spline) that starts and ends at its first and last point, or a closed one.
 * Each control point is the reflection of the one before, so only the joints are written; what rounding moves in one
 * joint, the next takes back.
 */
export function curve(points: readonly Point[], closed = false): string {
	const count = points.length;
	if (count < 3) return line(points);
	const [a, b] = [points[0]!, points[1]!];
	let x = Math.round(closed ? (points[count - 1]![0] + a[0]) / 2 : a[0]);
	let y = Math.round(closed ? (points[count - 1]![1] + a[1]) / 2 : a[1]);
	let controlX = Math.round(closed ? a[0] : b[0]);
	let controlY = Math.round(closed ? a[1] : b[1]);
	let data = at('M', x, y);
	const first = closed ? 1 : 2;
	for (let i = first; i < count; i++) {
		const last = !closed && i === count - 1;
		const nextX = Math.round(last ? points[i]![0] : (controlX + points[i]![0]) / 2);
		const nextY = Math.round(last ? points[i]![1] : (controlY + points[i]![1]) / 2);
		data +=
			i === first
				? at('q', controlX - x, controlY - y, nextX - x, nextY - y)
				: at('t', nextX - x, nextY - y);
		controlX = 2 * nextX - controlX;
		controlY = 2 * nextY - controlY;
		x = nextX;
		y = nextY;
	}
	return closed ? `${data}T${data.slice(1, data.indexOf('q'))}z` : data;
}

/** A full circle. */
export function circle(x: number, y: number, radius: number): string {
	const r = Math.round(radius);
	return `${at('M', x - r, y)}${at('a', r, r, 0, 1, 1, 2 * r, 0)}${at('a', r, r, 0, 1, 1, -2 * r, 0)}`;
}

/** A part of a circle, clockwise from one angle to another (radians; 0 is to the right). */
export function arc(x: number, y: number, radius: number, from: number, to: number): string {
	const large = to - from > Math.PI ? 1 : 0;
	return (
		at('M', x + radius * Math.cos(from), y + radius * Math.sin(from)) +
		at('A', radius, radius, 0, large, 1, x + radius * Math.cos(to), y + radius * Math.sin(to))
	);
}

/** A dot, as a line of no length: its size is the stroke's width, its shape the stroke's cap. */
export function dot(x: number, y: number): string {
	return `${at('M', x, y)}h0`;
}

/** One path, or nothing where there is no data. `style` holds presentation attributes. */
export function path(style: string, data: string): string {
	return data && `<path ${style} d="${data}"/>`;
}

/** Attributes of a stroke in ink (the page's text color). */
export function ink(width: number, opacity = 1): string {
	return stroke('', width, opacity);
}

/** Attributes of a stroke in the category's hue. */
export function hue(width: number, opacity = 1): string {
	return stroke(`stroke="${HUE}" `, width, opacity);
}

/** Attributes of an area in the category's hue, without an outline. */
export function tint(opacity: number): string {
	return `fill="${HUE}" stroke="none" fill-opacity="${short(opacity)}"`;
}

/** How the drawings name the category's hue; the page's styles say what it is. */
export const HUE = 'var(--hue)';

function stroke(color: string, width: number, opacity: number): string {
	const weight = `${color}stroke-width="${short(width)}"`;
	return opacity === 1 ? weight : `${weight} opacity="${short(opacity)}"`;
}

/** Two decimals at most, without a leading zero. */
function short(value: number): string {
	return String(Math.round(value * 100) / 100).replace(/^0\./, '.');
}
