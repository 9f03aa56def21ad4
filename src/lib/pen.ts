/** A place on the plate, in its units. */
export type Point = readonly [x: number, y: number];

/** A repeatable source of chance: the same seed gives the same numbers on every machine. */
export type Random = {
	/** From `low` up to `high`. */
	between: (low: number, high: number) => number;
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

/** Makes path data of lines narrower about a place, by a share. */
export function squeeze(data: string, share: number, middle: number): string {
	if (share === 1) return data;
	return data.replace(/([MLlh])(-?\d+)/g, (_, command: string, x: string) =>
		at(command, /[ML]/.test(command) ? middle + (Number(x) - middle) * share : Number(x) * share),
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
