import {
	at,
	curve,
	hue,
	ink,
	path,
	tint,
	type Point,
	type Random,
} from '#src/features/covers/pen.ts';
import { range, type Art, type Brush } from './family.ts';

type Box = { x: number; y: number; width: number; height: number };

/** Proposals around things that were seen, and the box that is kept. */
export function boxes(random: Random, { weight, fine }: Brush): Art {
	const things = range(3).map((n) => ({
		x: [240, 640, 1000][n]! + random.between(-50, 50),
		y: 330 + random.between(-70, 60),
		wide: random.between(90, 150),
		high: random.between(90, 170),
		phase: random.between(0, 6),
	}));
	const outlineOf = (
		{ x, y, wide, high, phase }: (typeof things)[number],
		scale: number,
	): Point[] =>
		range(14).map((n) => {
			const angle = (n / 14) * 2 * Math.PI;
			const bulge =
				scale * (1 + 0.13 * Math.sin(3 * angle + phase) + 0.07 * Math.sin(5 * angle - phase));
			return [x + wide * bulge * Math.cos(angle), y + high * bulge * Math.sin(angle)];
		});
	const proposalsOf = ({ x, y, wide, high }: (typeof things)[number]): Box[] =>
		range(5).map(() => {
			const [w, h] = [2 * wide * random.between(0.95, 1.45), 2 * high * random.between(0.95, 1.4)];
			return {
				x: x - w / 2 + random.between(-36, 36),
				y: Math.max(34, y - h / 2 + random.between(-34, 34)),
				width: w,
				height: Math.min(h, 540),
			};
		});
	const overlap = (a: Box, b: Box) => {
		const shared =
			Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
			Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));
		return shared / (a.width * a.height + b.width * b.height - shared);
	};
	const proposals = things.map(proposalsOf);
	const main = random.int(1, 2);
	const thing = things[main]!;
	const kept: Box = {
		x: thing.x - thing.wide * 1.12,
		y: Math.max(60, thing.y - thing.high * 1.12),
		width: Math.min(1180 - thing.x + thing.wide * 1.12, 2 * thing.wide * 1.12),
		height: Math.min(540, 2 * thing.high * 1.12),
	};
	const rectangle = ({ x, y, width, height }: Box) =>
		`${at('M', x, y)}${at('h', width)}${at('v', height)}${at('h', -width)}z`;
	const best = Math.max(...proposals[main]!.map((other) => overlap(kept, other)));
	const grid = fine ? 60 : 120;
	return {
		layers:
			path(
				`${hue(1.1 * weight, 0.35)} stroke-dasharray="2 ${grid - 2}"`,
				range(Math.floor(630 / grid))
					.map((n) => `${at('M', 0, (n + 0.5) * grid)}H1200`)
					.join(''),
			) +
			things
				.map(
					(one, n) =>
						path(tint(n === main ? 0.85 : 0.3), curve(outlineOf(one, 1), true)) +
						path(
							hue(1.6 * weight, n === main ? 1 : 0.7),
							(fine ? [1.16, 1.34] : [1.2])
								.map((scale) => curve(outlineOf(one, scale), true))
								.join(''),
						),
				)
				.join('') +
			path(tint(0.08), rectangle(kept)) +
			path(
				`${hue(1.6 * weight, 0.8)} stroke-dasharray="10 7"`,
				proposals
					.flatMap((of, n) => (n === main ? of : of.slice(0, fine ? 3 : 1)))
					.map(rectangle)
					.join(''),
			) +
			path(`${ink(2.2 * weight)} stroke-linejoin="round"`, rectangle(kept)),
		focus: { x: kept.x - 8, y: kept.y - 8, width: kept.width + 16, height: kept.height + 16 },
		label: `IoU ${best.toFixed(2)}`,
	};
}
