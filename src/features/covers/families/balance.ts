import { at, dot, hue, ink, path, type Random } from '#src/features/covers/pen.ts';
import { WIDTH, around, range, type Art, type Brush } from './family.ts';

/** Bars of different height and distance whose moments about the pivot are the same on both sides. */
export function balance(random: Random, { weight, fine }: Brush): Art {
	const beam = 408;
	const pivot = random.int(500, 720);
	const slot = 74;
	const makeSide = (sign: number) => {
		const room = Math.floor(((sign < 0 ? pivot : WIDTH - pivot) - 40) / slot) - 1;
		const count = Math.min(room, random.int(4, 6));
		const places = range(room)
			.map((n) => ({ n, key: random.between(0, 1) }))
			.sort((a, b) => a.key - b.key)
			.slice(0, count)
			.map(({ n }) => n)
			.sort((a, b) => a - b);
		return places.map((n) => ({
			x: pivot + sign * (n + 1.15) * slot,
			arm: n + 1.15,
			height: random.between(60, 330),
			style: random.int(0, 3),
		}));
	};
	const sides = [makeSide(-1), makeSide(1)];
	const moment = (side: { arm: number; height: number }[]) =>
		side.reduce((sum, { arm, height }) => sum + arm * height, 0);
	const target = Math.min(...sides.map(moment));
	const even = sides.map((side) =>
		side.map((bar) => ({ ...bar, height: (bar.height * target) / moment(side) })),
	);
	const tallest = Math.max(...even.flat().map(({ height }) => height));
	const scaled = even.map((side) =>
		side.map((bar) => ({ ...bar, height: (bar.height * 318) / tallest })),
	);
	const bars = scaled.flat();
	const longest = Math.max(...bars.map(({ arm, height }) => arm * height));
	const drop = ({ arm, height }: { arm: number; height: number }) =>
		beam + 18 + (150 * arm * height) / longest;
	const styled = (style: number) =>
		bars
			.filter((bar) => bar.style === style)
			.map(({ x, height }) => `${at('M', x, beam - 7)}v${-Math.round(height)}`)
			.join('');
	const butt = 'stroke-linecap="butt"';
	const reach = (sign: number) =>
		pivot + sign * Math.max(...bars.map(({ x }) => (x - pivot) * sign)) + sign * 60;
	const top = beam - Math.max(...bars.map(({ height }) => height));
	return {
		layers:
			path(
				`${hue(1.2 * weight, 0.6)} stroke-dasharray="2 10"`,
				`${at('M', pivot, Math.max(40, top - 40))}V${beam}`,
			) +
			path(`${hue(52)} ${butt}`, styled(0)) +
			path(`${hue(52, 0.3)} ${butt}`, styled(1)) +
			path(`${hue(52, 0.9)} ${butt} stroke-dasharray="${fine ? '3 7' : '6 10'}"`, styled(2)) +
			path(
				hue(2 * weight),
				bars
					.filter(({ style }) => style === 3)
					.map(
						({ x, height }) =>
							`${at('M', x - 25, beam - 8)}v${-Math.round(height)}h50v${Math.round(height)}z`,
					)
					.join(''),
			) +
			path(
				hue(1.3 * weight),
				bars.map((bar) => `${at('M', bar.x, beam)}V${Math.round(drop(bar))}`).join(''),
			) +
			path(hue(11), bars.map((bar) => dot(bar.x, drop(bar))).join('')) +
			path(ink(4.5 * weight), `${at('M', reach(-1), beam)}${at('H', reach(1))}`) +
			path('fill="currentColor" stroke="none"', `${at('M', pivot, beam + 2)}l26 52h-52z`),
		focus: around([pivot, beam + 24], 104, 92),
		label: scaled.map((side) => (moment(side) / 100).toFixed(1)).join(' = '),
	};
}
