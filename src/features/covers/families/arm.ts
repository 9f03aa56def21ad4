import {
	arc,
	at,
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
import { WIDTH, around, range, type Art, type Brush } from './family.ts';

/** An arm of three links in many instants of one motion, the last of them whole. */
export function arm(random: Random, { weight, fine }: Brush): Art {
	const base: Point = [random.between(390, 580), 556];
	const [first, second, third] = [
		random.between(235, 265),
		random.between(195, 230),
		random.between(85, 110),
	];
	const from = -random.between(2.3, 2.62);
	const to = -random.between(0.4, 1.05);
	const radiusFrom = (first + second) * random.between(0.6, 0.72);
	const radiusTo = (first + second) * random.between(0.74, 0.93);
	const wristFrom = from - random.between(0.3, 0.9);
	const wristTo = to + random.between(0.4, 0.9);
	const wave = random.between(0.05, 0.12);
	const mirrored = random.pick([true, false]);
	const pose = (t: number): [Point, Point, Point, Point] => {
		const ease = t * t * (3 - 2 * t);
		const angle = from + (to - from) * ease;
		const radius =
			(radiusFrom + (radiusTo - radiusFrom) * t) * (1 + wave * Math.sin(t * Math.PI * 2));
		const bend = Math.acos((first ** 2 + radius ** 2 - second ** 2) / (2 * first * radius));
		const elbow: Point = [
			base[0] + first * Math.cos(angle - bend),
			base[1] + first * Math.sin(angle - bend),
		];
		const wrist: Point = [base[0] + radius * Math.cos(angle), base[1] + radius * Math.sin(angle)];
		const hand = wristFrom + (wristTo - wristFrom) * ease;
		return [
			base,
			elbow,
			wrist,
			[wrist[0] + third * Math.cos(hand), wrist[1] + third * Math.sin(hand)],
		];
	};
	const instants = fine ? 13 : 8;
	const ghosts = range(instants).map((n) => pose(n / instants));
	const last = pose(1);
	const trace = range(15).map((n) => pose(n / 14));
	const joint = Math.atan2(last[1][1] - last[2][1], last[1][0] - last[2][0]);
	const shoulder = Math.atan2(last[1][1] - base[1], last[1][0] - base[0]);
	const fore = Math.atan2(last[2][1] - last[1][1], last[2][0] - last[1][0]);
	const hatch = range(fine ? 9 : 6)
		.map((n) => `${at('M', base[0] - 92 + n * (fine ? 23 : 36), 586)}l-16 18`)
		.join('');
	const slow = Math.floor(ghosts.length / 2);
	const layers =
		path(
			`${hue(1.4 * weight, 0.6)} stroke-dasharray="2 10"`,
			arc(base[0], base[1], first + second, Math.PI * 1.02, Math.PI * 1.98) +
				arc(base[0], base[1], first - 20, Math.PI * 1.02, Math.PI * 1.98),
		) +
		path(tint(0.1), `${line(trace.map((p) => p[2]))}${at('L', ...last[1])}${at('L', ...base)}z`) +
		path(hue(1.3 * weight, 0.5), ghosts.slice(0, slow).map(line).join('')) +
		path(hue(1.7 * weight, 0.85), ghosts.slice(slow).map(line).join('')) +
		path(hue(9), ghosts.map((p) => dot(...p[1]) + dot(...p[2])).join('')) +
		path(hue(4 * weight), curve(trace.map((p) => p[3]))) +
		path(hue(1.3 * weight, 0.8), `${at('M', 0, 586)}H${WIDTH}${hatch}`) +
		path(
			hue(2 * weight),
			arc(last[1][0], last[1][1], 62, Math.min(shoulder, fore), Math.max(shoulder, fore)),
		) +
		path('fill="currentColor" stroke="none"', `${at('M', base[0] - 46, 586)}l20-34h52l20 34z`) +
		path(`${ink(20)} stroke-linejoin="round"`, line(last.slice(0, 3))) +
		path(ink(9), line(last.slice(2))) +
		path(ink(46), dot(...base) + dot(...last[1])) +
		path(ink(34), dot(...last[2])) +
		path(
			'stroke="var(--color-raised)" stroke-width="16"',
			dot(...base) + dot(...last[1]) + dot(...last[2]),
		) +
		path(ink(16), dot(...last[3]));
	const [handX, handY] = last[3];
	return {
		layers: mirrored ? `<g transform="matrix(-1 0 0 1 ${WIDTH} 0)">${layers}</g>` : layers,
		focus: around([mirrored ? WIDTH - handX : handX, handY], 88),
		middle: mirrored ? WIDTH - handX + 140 : handX - 140,
		label: `${Math.round((Math.abs(joint) * 180) / Math.PI)}°`,
	};
}
