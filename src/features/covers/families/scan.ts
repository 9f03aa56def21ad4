import {
	arc,
	at,
	circle,
	dot,
	hue,
	ink,
	path,
	tint,
	type Point,
	type Random,
} from '#src/features/covers/pen.ts';
import { HEIGHT, WIDTH, around, range, type Art, type Brush } from './family.ts';

/** The view of a turning beam of light from one place in a room with pillars, and the nearest pillar. */
export function scan(random: Random, { weight, fine }: Brush): Art {
	const here: Point = [random.between(420, 760), random.between(270, 380)];
	const pillars = range(7)
		.map((n) => ({
			x: 110 + (n % 4) * 300 + random.between(-60, 60),
			y: (n < 4 ? 130 : 500) + random.between(-50, 50),
			r: random.between(30, 62),
		}))
		.filter(({ x, y, r }) => Math.hypot(x - here[0], y - here[1]) > r + 90);
	const [left, right, top, bottom] = [26, WIDTH - 26, 26, HEIGHT - 26];
	const rays = 64;
	const tilt = random.between(0, 0.08);
	const reachOf = (angle: number) => {
		const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
		let reach = Math.min(
			dx > 0 ? (right - here[0]) / dx : dx < 0 ? (left - here[0]) / dx : Infinity,
			dy > 0 ? (bottom - here[1]) / dy : dy < 0 ? (top - here[1]) / dy : Infinity,
		);
		let hit = -1;
		for (const [n, { x, y, r }] of pillars.entries()) {
			const [ox, oy] = [x - here[0], y - here[1]];
			const along = ox * dx + oy * dy;
			const off = r * r - (ox * ox + oy * oy - along * along);
			if (along > 0 && off > 0 && along - Math.sqrt(off) < reach) {
				reach = along - Math.sqrt(off);
				hit = n;
			}
		}
		return { reach, hit };
	};
	const beams = range(rays).map((n) => {
		const angle = tilt + (n * 2 * Math.PI) / rays;
		const { reach, hit } = reachOf(angle);
		return {
			hit,
			reach,
			end: [here[0] + reach * Math.cos(angle), here[1] + reach * Math.sin(angle)] as Point,
		};
	});
	const struck = beams.filter(({ hit }) => hit !== -1);
	const nearest = struck.reduce((best, one) => (one.reach < best.reach ? one : best));
	const shown = fine ? beams : beams.filter((beam, n) => n % 2 === 0 || beam === nearest);
	const ray = ({ end }: { end: Point }) => at('M', ...here) + at('L', ...end);
	const area = beams.map(({ end }, n) => at(n === 0 ? 'M' : 'L', ...end)).join('');
	return {
		layers:
			path(tint(0.14), `${area}z`) +
			path(
				hue(1.1 * weight, 0.55),
				shown
					.filter((beam) => beam !== nearest)
					.map(ray)
					.join(''),
			) +
			path(
				`${hue(1.4 * weight, 0.8)} stroke-dasharray="2 10"`,
				range(3)
					.map((n) => circle(...here, 90 + n * 90))
					.join(''),
			) +
			path(tint(0.45), pillars.map(({ x, y, r }) => circle(x, y, r)).join('')) +
			path(hue(2.6 * weight), `M${left} ${top}H${right}V${bottom}H${left}z`) +
			path(
				hue(11),
				shown
					.filter(({ hit }) => hit === -1)
					.map(({ end }) => dot(...end))
					.join(''),
			) +
			path(
				ink(13),
				shown
					.filter(({ hit }) => hit !== -1)
					.map(({ end }) => dot(...end))
					.join(''),
			) +
			path(ink(4 * weight), ray(nearest)) +
			path(ink(60), dot(...here)) +
			path('stroke="var(--color-raised)" stroke-width="4"', arc(...here, 18, -0.9, 0.9)) +
			path(ink(22), dot(...nearest.end)),
		focus: around([Math.max(60, nearest.end[0]), Math.min(575, Math.max(55, nearest.end[1]))], 84),
		label: `${(nearest.reach / 60).toFixed(1)} m`,
	};
}
