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

/** Walls without a loop, so that there is one way in: the shortest is the only one. */
export function maze(random: Random, { weight, fine }: Brush): Art {
	const columns = 15;
	const rows = 8;
	const pitch = 76;
	const left = 30;
	const top = 11;
	const open = new Map<number, number[]>(range(columns * rows).map((cell) => [cell, []]));
	const nextTo = (cell: number) =>
		[
			cell % columns > 0 ? cell - 1 : -1,
			cell % columns < columns - 1 ? cell + 1 : -1,
			cell - columns,
			cell + columns,
		].filter((other) => other >= 0 && other < columns * rows);
	const inside = random.int(3, 4) * columns + random.int(8, 11);
	const seen = new Set([inside]);
	const stack = [inside];
	while (stack.length > 0) {
		const cell = stack.at(-1)!;
		const free = nextTo(cell).filter((other) => !seen.has(other));
		if (free.length === 0) {
			stack.pop();
			continue;
		}
		const next = random.pick(free);
		open.get(cell)!.push(next);
		open.get(next)!.push(cell);
		seen.add(next);
		stack.push(next);
	}
	const gate = random.int(1, rows - 2) * columns;
	const before = new Map([[gate, -1]]);
	const queue = [gate];
	for (const cell of queue)
		for (const next of open.get(cell)!)
			if (!before.has(next)) {
				before.set(next, cell);
				queue.push(next);
			}
	const way: number[] = [];
	for (let cell = inside; cell !== -1; cell = before.get(cell)!) way.push(cell);
	const place = (cell: number): Point => [
		left + ((cell % columns) + 0.5) * pitch,
		top + (Math.floor(cell / columns) + 0.5) * pitch,
	];
	let walls = '';
	for (const cell of range(columns * rows)) {
		const [x, y] = place(cell);
		const half = pitch / 2;
		if ((cell + 1) % columns > 0 && !open.get(cell)!.includes(cell + 1))
			walls += `${at('M', x + half, y - half)}v${pitch}`;
		if (cell + columns < columns * rows && !open.get(cell)!.includes(cell + columns))
			walls += `${at('M', x - half, y + half)}h${pitch}`;
	}
	const [, gateY] = place(gate);
	const [width, height] = [columns * pitch, rows * pitch];
	const outer =
		`${at('M', left, gateY - pitch / 2)}V${top}h${width}v${height}h${-width}` +
		at('V', gateY + pitch / 2);
	const spot = place(inside);
	const steps = way.reverse();
	return {
		layers:
			path(tint(0.1), `M${left} ${top}h${width}v${height}h${-width}z`) +
			(fine
				? path(
						hue(10, 0.35),
						range(columns * rows)
							.filter((cell) => !way.includes(cell))
							.map((cell) => dot(...place(cell)))
							.join(''),
					)
				: '') +
			path(hue(5 * Math.min(weight, 1.6)), walls) +
			path(`${hue(11)} stroke-linejoin="round"`, outer) +
			path(
				`${ink(5 * weight)} stroke-linejoin="round"`,
				`${at('M', -10, gateY)}${line(steps.map(place)).replace('M', 'L')}`,
			) +
			path(ink(34), dot(...spot)),
		focus: around(spot, 88),
		label: `${steps.length} steps`,
	};
}
