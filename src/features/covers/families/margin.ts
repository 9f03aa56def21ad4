import {
	circle,
	dot,
	hue,
	ink,
	line,
	path,
	tint,
	type Point,
	type Random,
} from '#src/features/covers/pen.ts';
import { HEIGHT, WIDTH, around, dots, range, type Art, type Brush } from './family.ts';

/** Two classes, the line between them with the widest margin, and the points that hold it there. */
export function margin(random: Random, { weight, fine }: Brush): Art {
	const center: Point = [random.between(540, 740), random.between(290, 340)];
	const tilt = random.pick([-1, 1]) * random.between(0.25, 0.75);
	const half = random.between(52, 88);
	/** A place from its distance to the line and its way along it. */
	const place = (across: number, along: number): Point => [
		center[0] + across * Math.cos(tilt) - along * Math.sin(tilt),
		center[1] + across * Math.sin(tilt) + along * Math.cos(tilt),
	];
	const inside = ([x, y]: Point) => x > 40 && x < WIDTH - 40 && y > 40 && y < HEIGHT - 40;
	const classes = [-1, 1].map((sign) =>
		range(62)
			.map(() =>
				place(sign * (half + 34 + 150 * Math.abs(random.normal())), random.between(-420, 420)),
			)
			.filter(inside),
	);
	const holders = [
		place(-half, random.between(-190, -90)),
		place(-half, random.between(60, 170)),
		place(half, random.between(-110, 110)),
	];
	const along = (across: number) => line([place(across, -900), place(across, 900)]);
	const focal = holders[random.int(0, 2)]!;
	return {
		layers:
			path(
				tint(0.14),
				`${along(-half)}${line([place(half, 900), place(half, -900)]).replace('M', 'L')}z`,
			) +
			path(
				hue(1.2 * weight, 0.3),
				range(fine ? 5 : 2)
					.flatMap((n) => [n + 1, -n - 1])
					.map((n) => along(n * (fine ? 78 : 160) + Math.sign(n) * half))
					.join(''),
			) +
			path(`${hue(1.6 * weight, 0.9)} stroke-dasharray="3 9"`, along(-half) + along(half)) +
			path(hue(18), dots(classes[0]!)) +
			(fine
				? path(hue(2 * weight, 0.9), classes[1]!.map(([x, y]) => circle(x, y, 10)).join(''))
				: path(hue(20, 0.4), dots(classes[1]!))) +
			path(ink(4.2 * weight), along(0)) +
			path(
				ink(1.6 * weight),
				holders
					.map((point, n) => {
						const across = n < 2 ? half : -half;
						return line([
							point,
							[point[0] + across * Math.cos(tilt), point[1] + across * Math.sin(tilt)],
						]);
					})
					.join(''),
			) +
			path(ink(24), holders.map((point) => dot(...point)).join('')),
		focus: around(
			[Math.min(1120, Math.max(80, focal[0])), Math.min(560, Math.max(70, focal[1]))],
			84,
		),
		label: `margin ${(half / 50).toFixed(2)}`,
	};
}
