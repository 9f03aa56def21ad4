import {
	at,
	dot,
	hue,
	ink,
	line,
	path,
	tint,
	type Point,
	type Random,
} from '#src/features/covers/pen.ts';
import { around, range, type Art, type Brush } from './family.ts';

/** A map of occupied cells, the cells that a search looked at, and the way that it found. */
export function route(random: Random, { weight, fine }: Brush): Art {
	const columns = 24;
	const rows = 12;
	const pitch = 52;
	const place = (cell: number): Point => [
		2 + ((cell % columns) + 0.5) * 50,
		3 + (Math.floor(cell / columns) + 0.5) * pitch,
	];
	const start = random.int(3, 8) * columns + 2;
	const goal = random.int(2, 9) * columns + random.int(18, 20);
	// A free column stands between two of them, so that there is a way.
	const blocks = range(5).map((n) => {
		const shift = random.int(0, 1);
		return {
			column: 4 + n * 3 + shift,
			row: n % 2 === 0 ? random.int(-1, 2) : random.int(4, 6),
			wide: 2 - shift,
			high: random.int(6, 7),
		};
	});
	const taken = new Set(
		range(columns * rows).filter((cell) =>
			blocks.some(
				({ column, row, wide, high }) =>
					cell % columns >= column &&
					cell % columns < column + wide &&
					Math.floor(cell / columns) >= row &&
					Math.floor(cell / columns) < row + high,
			),
		),
	);
	taken.delete(start);
	taken.delete(goal);
	const away = (cell: number) =>
		Math.abs((cell % columns) - (goal % columns)) +
		Math.abs(Math.floor(cell / columns) - Math.floor(goal / columns));
	const before = new Map([[start, -1]]);
	const cost = new Map([[start, 0]]);
	const closed: number[] = [];
	const open = [start];
	while (open.length > 0 && closed.at(-1) !== goal) {
		const best = open.reduce((one, other) =>
			cost.get(other)! + away(other) < cost.get(one)! + away(one) ? other : one,
		);
		open.splice(open.indexOf(best), 1);
		closed.push(best);
		const next = [best - columns, best + columns];
		if (best % columns > 0) next.push(best - 1);
		if (best % columns < columns - 1) next.push(best + 1);
		for (const cell of next) {
			if (cell < 0 || cell >= columns * rows || taken.has(cell) || cost.has(cell)) continue;
			cost.set(cell, cost.get(best)! + 1);
			before.set(cell, best);
			open.push(cell);
		}
	}
	const way: number[] = [];
	for (let cell = goal; cell !== -1; cell = before.get(cell) ?? -1) way.push(cell);
	const looked = closed.filter((cell) => !way.includes(cell));
	const early = looked.slice(0, looked.length / 2);
	const late = looked.slice(looked.length / 2);
	const shown = (cells: readonly number[]) =>
		(fine ? cells : cells.filter((_, n) => n % 2 === 0))
			.map((cell) => dot(...place(cell)))
			.join('');
	const walls = blocks
		.map(({ column, row, wide, high }) => {
			const from = Math.max(0, row);
			return `${at('M', 2 + column * 50, 3 + from * pitch)}h${wide * 50}v${Math.round((Math.min(rows, row + high) - from) * pitch)}h${-wide * 50}z`;
		})
		.join('');
	const spot = place(goal);
	return {
		layers:
			path(
				hue(1.1 * weight, 0.3),
				range(fine ? 11 : 5)
					.map((n) => `${at('M', 0, 3 + (n + 1) * pitch * (fine ? 1 : 2))}H1200`)
					.join('') +
					range(fine ? 23 : 11)
						.map((n) => `${at('M', 2 + (n + 1) * 50 * (fine ? 1 : 2), 0)}V630`)
						.join(''),
			) +
			path(tint(0.7), walls) +
			path(hue(15, 0.45), shown(early)) +
			path(hue(23, 0.45), shown(late)) +
			path(`${ink(6 * weight)} stroke-linejoin="round"`, line(way.map(place))) +
			path(ink(30), dot(...place(start))) +
			path('stroke="var(--color-raised)" stroke-width="11"', dot(...place(start))) +
			path(ink(30), dot(...spot)),
		focus: around(spot, 84),
		label: `${way.length - 1} steps`,
	};
}
