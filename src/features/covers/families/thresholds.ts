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

/** The scores of two groups on both sides of one line, and the share of each that passes the same mark. */
export function thresholds(random: Random, { weight, fine }: Brush): Art {
	const line = random.between(290, 340);
	const groups = [-1, 1].map((sign) => ({
		sign,
		mean: 560 + sign * random.between(40, 130),
		wide: random.between(120, 180),
		high: random.between(180, 215),
	}));
	const mark = random.between(600, 800);
	const bell = ({ mean, wide, high, sign }: (typeof groups)[number], x: number): Point => [
		x,
		line + sign * high * Math.exp(-(((x - mean) / wide) ** 2) / 2),
	];
	const xs = range(27).map((n) => -20 + n * 48);
	const passing = ({ mean, wide }: (typeof groups)[number]) => {
		const steps = range(600).map((n) => Math.exp(-(((-600 + n * 4 - mean) / wide) ** 2) / 2));
		const above = steps
			.filter((_, n) => -600 + n * 4 > mark)
			.reduce((sum, value) => sum + value, 0);
		return above / steps.reduce((sum, value) => sum + value, 0);
	};
	const over = (group: (typeof groups)[number]) => {
		const points = [mark, ...xs.filter((x) => x > mark), 1220].map((x) => bell(group, x));
		return `${at('M', mark, line)}${points.map((point) => at('L', ...point)).join('')}${at('V', line)}z`;
	};
	const people = range(fine ? 90 : 40).map((n) => {
		const group = groups[n % 2]!;
		const x = group.mean + group.wide * random.normal();
		const share = random.between(0.06, 0.92);
		return { x, y: line + (bell(group, x)[1] - line) * share, passes: x > mark };
	});
	const shown = people.filter(({ x }) => x > 20 && x < 1180);
	return {
		layers:
			groups.map((group) => path(tint(0.1), `${curve(xs.map((x) => bell(group, x)))}z`)).join('') +
			groups.map((group, n) => path(tint(n === 0 ? 0.3 : 0.5), over(group))).join('') +
			path(
				hue(2.6 * weight),
				groups.map((group) => curve(xs.map((x) => bell(group, x)))).join(''),
			) +
			path(
				hue(12, 0.7),
				shown
					.filter(({ passes }) => !passes)
					.map(({ x, y }) => dot(x, y))
					.join(''),
			) +
			path(
				ink(12),
				shown
					.filter(({ passes }) => passes)
					.map(({ x, y }) => dot(x, y))
					.join(''),
			) +
			path(
				hue(1.4 * weight),
				`${at('M', 0, line)}H1200` +
					range(fine ? 23 : 11)
						.map((n) => `${at('M', (n + 1) * (fine ? 50 : 100), line - 6)}v12`)
						.join(''),
			) +
			path(ink(4.2 * weight), `${at('M', mark, 62)}V590`) +
			path(ink(26), dot(mark, line)),
		focus: around([mark, line], 96),
		label: groups.map((group) => `${Math.round(100 * passing(group))}%`).join(' / '),
	};
}
