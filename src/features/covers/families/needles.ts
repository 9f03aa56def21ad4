import { at, hue, ink, path, type Point, type Random } from '#src/features/covers/pen.ts';
import { WIDTH, HEIGHT, around, range, type Art, type Brush } from './family.ts';

/** For every other category: a field of small needles, and the one at which it was read. */
export function needles(random: Random, { weight, fine }: Brush): Art {
	const poles = range(3).map(() => ({
		x: random.between(0, WIDTH),
		y: random.between(-100, HEIGHT + 100),
		turn: random.pick([-1, 1]) * random.between(0.6, 1.4),
	}));
	const lean = random.between(-0.6, 0.6);
	const direction = (x: number, y: number) =>
		poles.reduce(
			(sum, pole) => sum + pole.turn * Math.sin(Math.hypot(x - pole.x, y - pole.y) / 260),
			lean,
		);
	const step = fine ? 52 : 96;
	const weights = ['', '', ''];
	const spot: Point = [random.between(700, 930), random.between(210, 420)];
	const reach = 95 + step * 0.3;
	for (let y = step / 2; y < HEIGHT; y += step) {
		for (let x = step / 2; x < WIDTH; x += step) {
			if (Math.abs(x - spot[0]) < reach && Math.abs(y - spot[1]) < reach) continue;
			const angle = direction(x, y);
			const [dx, dy] = [Math.cos(angle) * step * 0.36, Math.sin(angle) * step * 0.36];
			const band = Math.min(2, Math.floor((1 + Math.sin(angle * 1.5 + x / 400)) * 1.5));
			weights[band] += at('M', x - dx, y - dy) + at('l', 2 * dx, 2 * dy);
		}
	}
	const angle = direction(...spot);
	const tip: Point = [70 * Math.cos(angle), 70 * Math.sin(angle)];
	const degrees = Math.round((((angle * 180) / Math.PI) % 180) + 180) % 180;
	return {
		layers:
			weights
				.map((data, n) => path(hue([1.2, 2.2, 3.6][n]! * weight, [0.55, 0.8, 1][n]), data))
				.join('') +
			path(
				ink(7 * weight),
				at('M', spot[0] - tip[0], spot[1] - tip[1]) + at('l', 2 * tip[0], 2 * tip[1]),
			),
		focus: around(spot, 190),
		label: `${degrees}°`,
	};
}
