import {
	at,
	curve,
	dot,
	hue,
	ink,
	path,
	tint,
	type Point,
	type Random,
} from '#src/features/covers/pen.ts';
import { around, range, type Art, type Brush } from './family.ts';

/** One distribution a week, each with its median; the week in which it moved. */
export function ridges(random: Random, { weight, fine }: Brush): Art {
	const all = range(8).map((row) => ({
		low: 0.32 + 0.045 * row * random.between(0.4, 1) + random.between(-0.03, 0.03),
		wide: random.between(0.07, 0.11),
		second: random.between(0.62, 0.8),
		share: random.between(0.1, 0.55),
	}));
	const moved = random.int(3, 4);
	all[moved]!.low += random.pick([0.16, 0.2]);
	const density = (row: number, u: number) => {
		const { low, wide, second, share } = all[row]!;
		const bell = (at: number) => Math.exp(-(((u - at) / wide) ** 2) / 2) / wide;
		return (1 - share) * bell(low) + share * bell(second);
	};
	const floor = (row: number) => 155 + row * (fine ? 58 : 92);
	const shown = fine ? range(8) : [0, 2, moved, moved + 2, 7].sort((a, b) => a - b);
	const grid = range(25).map((n) => n / 24);
	const x = (u: number) => 40 + u * 1120;
	const ridge = (row: number, index: number): Point[] =>
		grid.map((u) => [x(u), floor(index) - density(row, u) * 15.5]);
	const median = (row: number) => {
		const steps = range(400).map((n) => density(row, n / 400));
		const half = steps.reduce((sum, value) => sum + value, 0) / 2;
		let sum = 0;
		return steps.findIndex((value) => (sum += value) >= half) / 400;
	};
	const index = shown.indexOf(moved);
	const middle = median(moved);
	const spot: Point = [x(middle), 155 + moved * 58];
	// The same place at every size: a card leaves rows out and keeps this one's.
	const lift = fine ? 0 : spot[1] - floor(index);
	const ridgeAt = (row: number, n: number) =>
		ridge(row, n).map(([px, py]): Point => [px, py + lift]);
	const tick = (row: number, n: number) =>
		`${at('M', x(median(row)), floor(n) + lift)}v-${fine ? 26 : 40}`;
	return {
		layers:
			shown
				.map((row, n) => path(tint(row === moved ? 0.34 : 0.13), `${curve(ridgeAt(row, n))}z`))
				.join('') +
			path(
				hue(2 * weight, 0.85),
				shown.map((row, n) => (row === moved ? '' : curve(ridgeAt(row, n)))).join(''),
			) +
			path(
				hue(1.2 * weight, 0.6),
				shown.map((_, n) => `${at('M', 0, floor(n) + lift)}H1200`).join(''),
			) +
			path(hue(5 * weight), shown.map((row, n) => (row === moved ? '' : tick(row, n))).join('')) +
			path(ink(4 * weight), curve(ridgeAt(moved, index))) +
			path(ink(5.5 * weight), tick(moved, index)) +
			path(ink(26), dot(...spot)),
		focus: around([spot[0], spot[1] - 8], 92),
		label: `median ${middle.toFixed(2)}`,
	};
}
