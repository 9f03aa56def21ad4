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
import { WIDTH, around, range, type Art, type Brush } from './family.ts';

/** Measures of a service, strip by strip, and the day on which one leaves its limits. */
export function drift(random: Random, { weight, fine }: Brush): Art {
	const strips = 4;
	const room = 630 / strips;
	const days = 32;
	const x = (day: number) => (day * WIDTH) / (days - 1);
	const moved = random.int(1, 2);
	const start = random.int(13, 19);
	const slope = random.pick([-1, 1]) * random.between(6.5, 9);
	const series = range(strips).map((strip) => {
		let level = 0;
		return range(days).map((day) => {
			level = 0.55 * level + 9 * random.normal();
			const gone = strip === moved && day > start ? (day - start) * slope : 0;
			return 72 * Math.tanh((level + gone) / 72);
		});
	});
	const limit = 36;
	const values = series[moved]!;
	const found = values.findIndex((value, day) => day > start && Math.abs(value) > limit);
	const day = found === -1 ? days - 4 : found;
	const middle = (strip: number) => (strip + 0.5) * room;
	const points = (strip: number, from: number, to: number) =>
		range(to - from + 1).map((n): Point => [
			x(from + n),
			middle(strip) - series[strip]![from + n]!,
		]);
	const spot: Point = [x(day), middle(moved) - values[day]!];
	const band = (strip: number) => `${at('M', 0, middle(strip) - limit)}H${WIDTH}v${2 * limit}H0z`;
	return {
		layers:
			path(tint(0.12), range(strips).map(band).join('')) +
			path(
				`${hue(1.2 * weight, 0.7)} stroke-dasharray="3 8"`,
				range(strips)
					.map(
						(strip) =>
							`${at('M', 0, middle(strip) - limit)}H${WIDTH}${at('M', 0, middle(strip) + limit)}H${WIDTH}`,
					)
					.join(''),
			) +
			path(
				hue(1.2 * weight, 0.5),
				range(strips - 1)
					.map((n) => `${at('M', 0, (n + 1) * room)}H${WIDTH}`)
					.join(''),
			) +
			path(
				hue(2.6 * weight),
				range(strips)
					.filter((strip) => strip !== moved)
					.map((strip) => curve(points(strip, 0, days - 1)))
					.join(''),
			) +
			path(hue(2.6 * weight), curve(points(moved, 0, day))) +
			(fine
				? path(
						hue(9),
						range(strips)
							.flatMap((strip) =>
								points(strip, 0, strip === moved ? day - 1 : days - 1).filter(
									(_, n) => n % 4 === 0,
								),
							)
							.map((point) => dot(...point))
							.join(''),
					)
				: '') +
			path(`${ink(1.6 * weight)} stroke-dasharray="2 9"`, `${at('M', x(day), 0)}V630`) +
			path(ink(5 * weight), curve(points(moved, day, days - 1))) +
			path(ink(26), dot(...spot)),
		focus: around([Math.min(1120, spot[0]), spot[1]], 92),
		label: `day ${day}`,
	};
}
