import { at, hue, ink, path, tint, type Random } from '#src/features/covers/pen.ts';
import { HEIGHT, range, type Art, type Brush } from './family.ts';

/** A picture of pixels, a 3 by 3 window on it, and the edges that the window finds. */
export function convolution(random: Random, { weight, fine }: Brush): Art {
	const cell = 57;
	const columns = 11;
	const rows = 12;
	const top = (HEIGHT - rows * cell) / 2;
	const shapes = range(2).map((n) => ({
		x: n === 0 ? random.between(5.5, 7.5) : random.between(0, 2.5),
		y: n === 0 ? random.between(4.5, 7) : random.between(0, 11),
		wide: n === 0 ? random.between(2.6, 3.8) : random.between(1.6, 2.6),
		high: n === 0 ? random.between(2.2, 3.6) : random.between(1.6, 2.6),
		turn: random.between(-0.8, 0.8),
	}));
	const hole = random.between(0.15, 0.45);
	const value = (column: number, row: number) => {
		let best = 0.1;
		for (const [n, { x, y, wide, high, turn }] of shapes.entries()) {
			const u = ((column - x) * Math.cos(turn) + (row - y) * Math.sin(turn)) / wide;
			const v = ((row - y) * Math.cos(turn) - (column - x) * Math.sin(turn)) / high;
			const distance = Math.hypot(u, v);
			const inside = 1 / (1 + Math.exp((distance - 1) * 9));
			const ring = n === 0 ? 1 / (1 + Math.exp((hole - distance) * 12)) : 0.8;
			best = Math.max(best, inside * ring);
		}
		return best;
	};
	const pixels = range(rows).map((row) => range(columns).map((column) => value(column, row)));
	const pixel = (column: number, row: number) => pixels[row]![column]!;
	const [outColumns, outRows] = [columns - 2, rows - 2];
	const edges = range(outRows).map((row) =>
		range(outColumns).map((column) => {
			const weigh = (a: number, b: number, c: number, d: number, e: number, f: number) =>
				pixel(column + a, row + b) + 2 * pixel(column + c, row + d) + pixel(column + e, row + f);
			return (
				Math.hypot(
					weigh(2, 0, 2, 1, 2, 2) - weigh(0, 0, 0, 1, 0, 2),
					weigh(0, 2, 1, 2, 2, 2) - weigh(0, 0, 1, 0, 2, 0),
				) / 4
			);
		}),
	);
	let best: { column: number; row: number; strength: number } | undefined;
	for (let row = 2; row < outRows - 3; row++) {
		for (let column = 4; column < outColumns; column++) {
			const strength = edges[row]![column]! + random.between(0, 0.12);
			if (!best || strength > best.strength) best = { column, row, strength };
		}
	}
	const { column, row } = best!;
	const grain = pixels.map((cells) =>
		cells.map((value) => Math.max(value, random.between(0.03, 0.23))),
	);
	const small = 42;
	const left = 744;
	const ceiling = (HEIGHT - outRows * small) / 2;
	const seen = [left + column * small, ceiling + row * small] as const;
	const window = { x: column * cell, y: top + row * cell, width: 3 * cell, height: 3 * cell };
	const rays = [
		[window.x + window.width, window.y, seen[0], seen[1]],
		[window.x + window.width, window.y + window.height, seen[0], seen[1] + small],
	]
		.map(([x1, y1, x2, y2]) => at('M', x1!, y1!) + at('L', x2!, y2!))
		.join('');
	return {
		layers:
			(fine ? '' : path(tint(0.05), `M0 0H${columns * cell}V${HEIGHT}H0z`)) +
			mosaic(fine ? grain : pixels, 0, top, cell, 4, fine) +
			path(
				hue(1.2 * weight, 0.4),
				at('M', left - 14, ceiling - 14) +
					`h${outColumns * small + 28}v${outRows * small + 28}h${-outColumns * small - 28}z`,
			) +
			mosaic(edges, left, ceiling, small, 4, fine) +
			path(
				`fill="currentColor" stroke="none" fill-opacity=".07"`,
				at('M', window.x + window.width, window.y) +
					at('L', ...seen) +
					`v${small}` +
					at('L', window.x + window.width, window.y + window.height) +
					'z',
			) +
			path(ink(1.5 * weight, 0.8), rays) +
			path(
				`fill="currentColor" stroke="none"`,
				`${at('M', seen[0] + 2, seen[1] + 2)}h${small - 4}v${small - 4}h${4 - small}z`,
			),
		focus: window,
		middle: window.x + 210,
		label: `edge ${edges[row]![column]!.toFixed(2)}`,
	};
}

/** Squares in five strengths, the faintest only for a fine brush; a run of equals is one dashed line. */
function mosaic(
	values: number[][],
	left: number,
	top: number,
	cell: number,
	gap: number,
	fine: boolean,
): string {
	const shades = [0.05, 0.16, 0.34, 0.6, 0.95];
	const runs = shades.map(() => '');
	const shadeOf = (value: number) => Math.min(shades.length - 1, Math.floor(value * shades.length));
	for (const [row, cells] of values.entries()) {
		for (let from = 0, to = 0; from < cells.length; from = to) {
			const shade = shadeOf(cells[from]!);
			while (to < cells.length && shadeOf(cells[to]!) === shade) to++;
			runs[shade] +=
				`${at('M', left + from * cell + gap / 2, top + (row + 0.5) * cell)}h${(to - from) * cell - gap}`;
		}
	}
	return runs
		.map((data, n) =>
			path(
				`${hue(cell - gap, shades[n])} stroke-linecap="butt" stroke-dasharray="${cell - gap} ${gap}"`,
				n > 0 || fine ? data : '',
			),
		)
		.join('');
}
