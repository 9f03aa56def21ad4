import {
	curve,
	dot,
	hue,
	ink,
	line,
	path,
	tint,
	type Point,
	type Random,
} from '#src/features/covers/pen.ts';
import { contoursOf } from './contours.ts';
import { WIDTH, HEIGHT, around, range, type Art, type Brush } from './family.ts';

/** Contour lines of a surface with two basins, and gradient descent with momentum into the deeper one. */
export function descent(random: Random, { weight, fine }: Brush): Art {
	const low: Point = [random.between(730, 930), random.between(250, 400)];
	const side = random.pick([-1, 1]);
	const bumps = [
		{ at: low, depth: -1.25, wide: random.between(230, 300), high: random.between(130, 170) },
		{
			at: [random.between(250, 420), 315 + side * random.between(60, 150)] as Point,
			depth: -random.between(0.5, 0.7),
			wide: random.between(130, 190),
			high: random.between(100, 150),
		},
		{
			at: [random.between(420, 600), 315 - side * random.between(120, 240)] as Point,
			depth: random.between(0.5, 0.8),
			wide: random.between(150, 230),
			high: random.between(110, 170),
		},
		{
			at: [random.between(1060, 1240), 315 + side * random.between(100, 300)] as Point,
			depth: random.between(0.4, 0.7),
			wide: 190,
			high: 150,
		},
	].map((bump) => ({ ...bump, turn: random.between(-0.6, 0.6) }));
	const slope = [random.between(-0.25, 0.1), side * random.between(0.05, 0.25)] as const;
	const surface = (x: number, y: number): [value: number, dx: number, dy: number] => {
		let value = slope[0] * (x / 600 - 1) + slope[1] * (y / 315 - 1);
		let dx = slope[0] / 600;
		let dy = slope[1] / 315;
		for (const {
			at: [bx, by],
			depth,
			wide,
			high,
			turn,
		} of bumps) {
			const [cos, sin] = [1 - (turn * turn) / 2, turn];
			const u = ((x - bx) * cos + (y - by) * sin) / wide;
			const v = ((y - by) * cos - (x - bx) * sin) / high;
			const height = depth * Math.exp(-u * u - v * v);
			value += height;
			dx -= 2 * height * ((u * cos) / wide - (v * sin) / high);
			dy -= 2 * height * ((u * sin) / wide + (v * cos) / high);
		}
		return [value, dx, dy];
	};

	const step = fine ? 50 : 75;
	const columns = WIDTH / step + 3;
	const rows = Math.ceil(HEIGHT / step) + 3;
	const grid = new Float64Array(columns * rows);
	let min = Infinity;
	let max = -Infinity;
	for (let i = 0; i < grid.length; i++) {
		const value = surface(((i % columns) - 1) * step, (Math.floor(i / columns) - 1) * step)[0];
		grid[i] = value;
		min = Math.min(min, value);
		max = Math.max(max, value);
	}
	const count = fine ? 12 : 6;
	const contours = range(count).map((n) => {
		const level = min + ((max - min) * (n + 0.6)) / count;
		return contoursOf(grid, columns, level).map(({ points, closed }) => ({
			closed,
			data: curve(
				points.map(([x, y]): Point => [(x - 1) * step, (y - 1) * step]),
				closed,
			),
		}));
	});
	const depths = contours.slice(0, fine ? 5 : 3).map((level) => {
		const rings = level.filter(({ closed }) => closed);
		return path(tint(fine ? 0.09 : 0.14), rings.map(({ data }) => data).join(''));
	});
	const index = fine ? 4 : 3;
	const lines = (heavy: boolean) =>
		contours
			.filter((_, n) => (n % index === 1) === heavy)
			.flatMap((level) => level.map(({ data }) => data))
			.join('');

	// Starts are tried from the far hill inwards until one leads into the deeper basin.
	const [lowX, lowY] = low;
	const [startX, startY] = [random.between(400, 560), 315 - side * random.between(170, 245)];
	let steps: Point[] = [];
	for (let nearer = 0; nearer < 0.8; nearer += 0.1) {
		let [x, y] = [startX + (lowX - startX) * nearer, startY + (lowY - startY) * nearer];
		let [vx, vy] = [0, 0];
		steps = [[x, y]];
		for (let n = 0; n < 30 && (n < 4 || Math.hypot(vx, vy) > 7); n++) {
			const [, dx, dy] = surface(x, y);
			const steep = Math.hypot(dx, dy);
			const pull = 34 / (steep + 0.0016);
			vx = 0.5 * vx - pull * dx;
			vy = 0.5 * vy - pull * dy;
			x += vx;
			y += vy;
			steps.push([x, y]);
		}
		const [endX, endY] = steps.at(-1)!;
		if (Math.hypot(endX - lowX, endY - lowY) < 90 && steps.length < 30) break;
	}
	const end = steps.at(-1)!;
	return {
		layers:
			depths.join('') +
			path(hue(1.3 * weight, 0.55), lines(false)) +
			path(hue(2.4 * weight), lines(true)) +
			path(ink(2.6 * weight), line(steps)) +
			path(
				ink(7.5 * weight),
				steps
					.slice(0, -1)
					.map(([x, y]) => dot(x, y))
					.join(''),
			) +
			path(ink(13 * weight), dot(...end)),
		focus: around(end, 110),
		label: `step ${steps.length - 1}`,
	};
}
