import {
	at,
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
import { around, dots, range, type Art, type Brush } from './family.ts';

/** A scatter, its least-squares line with both 95% bands, and the one point that does not fit. */
export function scatter(random: Random, { weight, fine }: Brush): Art {
	const rise = random.pick([-1, 1, 1]) * random.between(0.22, 0.38);
	const spread = random.between(40, 58);
	const floor = 560;
	const points: Point[] = [];
	while (points.length < 64) {
		const x = random.between(120, 1150);
		const y = 315 - rise * (x - 620) + spread * random.normal();
		if (y > 60 && y < 530) points.push([x, y]);
	}
	const oddX = random.between(520, 980);
	const side = (rise > 0 ? oddX > 700 : oddX < 540) ? 1 : -1;
	const odd: Point = [oddX, 315 - rise * (oddX - 620) + side * spread * random.between(3.2, 3.8)];
	const all = [...points, odd];
	const meanX = all.reduce((sum, [x]) => sum + x, 0) / all.length;
	const meanY = all.reduce((sum, [, y]) => sum + y, 0) / all.length;
	const sxx = all.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
	const slope = all.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / sxx;
	const fit = (x: number) => meanY + slope * (x - meanX);
	const deviation = Math.sqrt(
		all.reduce((sum, [x, y]) => sum + (y - fit(x)) ** 2, 0) / (all.length - 2),
	);
	const band = (x: number, of: number) =>
		2 * deviation * Math.sqrt(of + 1 / all.length + (x - meanX) ** 2 / sxx);
	const marks = [90, 300, 620, 940, 1200];
	const upper = (of: number) => marks.map((x): Point => [x, fit(x) - band(x, of)]);
	const lower = (of: number) => marks.map((x): Point => [x, fit(x) + band(x, of)]);
	const rug = points.map(([x]) => `${at('M', x, floor + 12)}v16`).join('');
	const size = (n: number) => n % 5;
	const open = points.filter((_, n) => size(n) > 2);
	return {
		layers:
			path(
				tint(0.16),
				curve([...upper(0)]) + curve([...lower(0)].reverse()).replace('M', 'L') + 'z',
			) +
			path(`${hue(1.3 * weight, 0.8)} stroke-dasharray="3 9"`, curve(upper(1)) + curve(lower(1))) +
			path(
				hue(1.3 * weight),
				`M90 40V${floor}H1200` +
					range(fine ? 11 : 6)
						.map((n) => `${at('M', 90 + (n + 1) * (fine ? 96 : 176), floor)}v-9`)
						.join('') +
					range(fine ? 5 : 3)
						.map((n) => `${at('M', 90, floor - (n + 1) * (fine ? 96 : 150))}h9`)
						.join(''),
			) +
			(fine ? path(hue(1.2 * weight, 0.5), rug) : '') +
			path(hue(15), dots(points.filter((_, n) => size(n) < 2))) +
			path(hue(22, 0.55), dots(points.filter((_, n) => size(n) === 2))) +
			(fine
				? path(hue(1.9 * weight), open.map(([x, y]) => circle(x, y, 9)).join(''))
				: path(hue(13, 0.7), dots(open.filter((_, n) => n % 2 === 0)))) +
			path(ink(3.6 * weight), `${at('M', 90, fit(90))}${at('L', 1200, fit(1200))}`) +
			path(
				`${ink(1.4 * weight)} stroke-dasharray="2 8"`,
				`${at('M', ...odd)}${at('V', fit(oddX))}`,
			) +
			path(ink(22), dot(...odd)),
		focus: around(odd, 84),
		label: `${odd[1] < fit(oddX) ? '+' : '-'}${(Math.abs(odd[1] - fit(oddX)) / deviation).toFixed(1)} sd`,
	};
}
