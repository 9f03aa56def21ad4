import {
	arc,
	circle,
	curve,
	dot,
	hue,
	ink,
	path,
	tint,
	type Point,
	type Random,
} from '#src/features/covers/pen.ts';
import { WIDTH, HEIGHT, around, range, type Art, type Brush } from './family.ts';

/** A stream that parts around a walled field, and the one line that found the gap. */
export function breach(random: Random, { weight, fine }: Brush): Art {
	const center: Point = [random.between(690, 850), random.between(290, 340)];
	const radius = random.between(185, 212);
	const gap = random.between(0.16, 0.3);
	const where = Math.PI + random.pick([-1, 1]) * random.between(0.2, 0.55);
	const [cx, cy] = center;
	const stream = (far: number) => {
		const step = (Math.abs(far) < 190 ? 70 : 124) * (fine ? 1 : 1.3);
		const points: Point[] = [];
		for (let x = -40; x < WIDTH + 1.6 * step; x += step) {
			// The stream function of a flow around a cylinder, solved for y.
			let [low, high] = [Math.abs(far), Math.abs(far) + radius];
			for (let n = 0; n < 14; n++) {
				const y = (low + high) / 2;
				const value = y * (1 - (radius + 10) ** 2 / ((x - cx) ** 2 + y * y));
				if (value < Math.abs(far)) low = y;
				else high = y;
			}
			points.push([x, cy + Math.sign(far) * ((low + high) / 2)]);
		}
		return points;
	};
	const spacing = fine ? 25 : 52;
	const fars = range(fine ? 17 : 8)
		.flatMap((n) => [(n + 0.5) * spacing, -(n + 0.5) * spacing])
		.filter((far) => cy + far > -80 && cy + far < HEIGHT + 80);
	const rings = [
		{ r: radius, from: where + gap / 2, to: where + 2 * Math.PI - gap / 2 },
		...[0.72, 0.44].map((share) => {
			const open = where + random.pick([-1, 1]) * random.between(0.9, 2.4);
			const wide = random.between(0.35, 0.5) / share;
			return { r: radius * share, from: open + wide / 2, to: open + 2 * Math.PI - wide / 2, open };
		}),
	];
	const ring = (n: number) => arc(cx, cy, rings[n]!.r, rings[n]!.from, rings[n]!.to);
	const polar = (r: number, angle: number): Point => [
		cx + r * Math.cos(angle),
		cy + r * Math.sin(angle),
	];
	const way: Point[] = [];
	const entry = polar(radius, where);
	way.push(
		[-40, entry[1] + 0.35 * (entry[1] - cy)],
		[entry[0] - 260, entry[1] + 0.3 * (entry[1] - cy)],
	);
	way.push(polar(radius * 1.25, where), polar(radius, where), polar(radius * 0.86, where));
	let angle = where;
	for (const [n, middle] of [
		[1, 0.58],
		[2, 0.2],
	] as const) {
		const { open } = rings[n] as { open: number };
		const outer = n === 1 ? 0.86 : 0.58;
		const span = Math.atan2(Math.sin(open - angle), Math.cos(open - angle));
		const legs = Math.max(2, Math.ceil(Math.abs(span) / 0.5));
		for (let leg = 1; leg <= legs; leg++)
			way.push(polar(radius * outer, angle + (span * leg) / legs));
		angle += span;
		way.push(polar(radius * middle, angle));
	}
	way.push(center);
	const soft = fars.filter((_, n) => Math.floor(n / 2) % 3 !== 0);
	const firm = fars.filter((_, n) => Math.floor(n / 2) % 3 === 0);
	return {
		layers:
			path(tint(0.12), circle(cx, cy, radius)) +
			path(tint(0.12), circle(cx, cy, rings[1]!.r)) +
			path(tint(0.2), circle(cx, cy, rings[2]!.r)) +
			path(hue(1.2 * weight, 0.6), soft.map((far) => curve(stream(far))).join('')) +
			path(hue(2.4 * weight), firm.map((far) => curve(stream(far))).join('')) +
			path(`${hue(13)} stroke-linecap="butt"`, ring(0)) +
			path(`${hue(5 * Math.min(weight, 1.5))} stroke-linecap="butt"`, ring(1)) +
			path(`${hue(3 * Math.min(weight, 1.5))} stroke-linecap="butt"`, ring(2)) +
			path(ink(3.8 * weight), curve(way)) +
			path(ink(28), dot(...center)),
		focus: around(entry, 92),
		middle: cx - 60,
		label: `gap ${Math.round((gap * 180) / Math.PI)}°`,
	};
}
