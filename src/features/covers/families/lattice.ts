import {
	at,
	dot,
	hue,
	ink,
	path,
	tint,
	type Point,
	type Random,
} from '#src/features/covers/pen.ts';
import { WIDTH, around, range, type Art, type Brush } from './family.ts';

/** Every pair of tokens is a knot above and between them; the weights of one token's past add up to one. */
export function lattice(random: Random, { weight, fine }: Brush): Art {
	const pitch = 74;
	const rise = 47;
	const base = 545;
	const shift = random.int(-60, -10);
	const count = 18;
	const high = 10;
	const x = (n: number) => shift + n * pitch;
	const knot = (from: number, to: number): Point => [
		(x(from) + x(to)) / 2,
		base - (to - from) * rise,
	];
	const salience = range(count + high).map(() => Math.exp(1.05 * random.normal()));
	const raw = range(count).map((to) =>
		range(high + 1).map(
			(back) => (salience[to - back + high] ?? 1) * Math.exp(0.8 * random.normal() - back * 0.15),
		),
	);
	const to = random.int(11, 14);
	const span = random.int(5, 7);
	raw[to]![span] = Math.max(...raw[to]!) * random.between(1.1, 1.7);
	const from = to - span;
	const share = raw[to]![span] / raw[to]!.slice(1).reduce((sum, value) => sum + value, 0);
	const sizes = [9, 15, 23, 33];
	const dots = sizes.map(() => '');
	for (let end = 0; end < count; end++) {
		const total = raw[end]!.slice(1).reduce((sum, value) => sum + value, 0);
		for (let back = 1; back <= high; back++) {
			if (end - back < -8 || (end === to && back === span)) continue;
			const [px, py] = knot(end - back, end);
			if (px < -20 || px > WIDTH + 20) continue;
			const part = raw[end]![back]! / total;
			const size = part > 0.26 ? 3 : part > 0.13 ? 2 : part > (fine ? 0.05 : 0.07) ? 1 : 0;
			if (fine || size > 0) dots[size] += dot(px, py);
		}
	}
	const reach = (high + 1) * rise;
	const run = ((high + 1) * pitch) / 2;
	const strands = range(count + 12)
		.map((n) => n - 6)
		.filter((n) => fine || n % 2 === 0);
	const strand = (n: number, sign: number) => at('M', x(n), base) + at('l', sign * run, -reach);
	const apex = knot(from, to);
	const words = range(count)
		.filter((n) => n < from || n > to)
		.map((n) => `${at('M', x(n) - 25, base + 26)}h50`)
		.join('');
	return {
		layers:
			path(tint(0.13), at('M', x(from), base) + at('L', ...apex) + at('L', x(to), base) + 'z') +
			path(hue(1.1 * weight, 0.38), strands.map((n) => strand(n, 1) + strand(n, -1)).join('')) +
			dots.map((data, size) => path(hue(sizes[size]!, [0.7, 0.85, 0.95, 1][size]), data)).join('') +
			path(`${hue(16, 0.4)} stroke-linecap="butt"`, words) +
			path(
				`${hue(16)} stroke-linecap="butt"`,
				range(span - 1)
					.map((n) => `${at('M', x(from + n + 1) - 25, base + 26)}h50`)
					.join(''),
			) +
			path(
				`${ink(16)} stroke-linecap="butt"`,
				[from, to].map((n) => `${at('M', x(n) - 25, base + 26)}h50`).join(''),
			) +
			path(
				`${ink(4 * weight)} stroke-linejoin="round"`,
				at('M', x(from), base) + at('L', ...apex) + at('L', x(to), base),
			) +
			path(ink(36), dot(...apex)),
		focus: around(apex, 92),
		label: `p ${share.toFixed(2)}`,
	};
}
