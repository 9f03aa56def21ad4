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

/** Losses by epoch: the training sets keep falling, the validation set turns, and there it was stopped. */
export function losses(random: Random, { weight, fine }: Brush): Art {
	const floor = 560;
	const left = 90;
	const epochs = 22;
	const x = (epoch: number) => left + (epoch * (1200 - left)) / epochs;
	const speed = random.between(0.16, 0.3);
	const wear = random.between(0.35, 0.6);
	const late = random.int(8, 13);
	const high = random.between(380, 430);
	const start = random.between(0.1, 0.16);
	const wobble = range(epochs + 1).map(() => random.normal());
	const trained = (epoch: number, pace = 1) => high * (start + Math.exp(-speed * pace * epoch));
	const held = (epoch: number) =>
		trained(epoch) +
		40 +
		(wear * 260 * Math.max(0, epoch - late + 3) ** 1.5) / 38 +
		5 * wobble[epoch]!;
	const validation = range(epochs + 1).map(held);
	const best = validation.indexOf(Math.min(...validation));
	const points = (values: readonly number[]) =>
		values.map((value, epoch): Point => [x(epoch), floor - Math.min(540, value)]);
	const runs = range(4).map(() => {
		const pace = random.between(0.55, 1.7);
		return range(epochs + 1).map((epoch) => trained(epoch, pace) + 4 * random.normal());
	});
	const training = range(epochs + 1).map((epoch) => trained(epoch));
	const spot: Point = [x(best), floor - validation[best]!];
	return {
		layers:
			path(
				tint(0.13),
				curve(points(validation)) + curve(points(training).reverse()).replace('M', 'L') + 'z',
			) +
			path(
				hue(1.3 * weight),
				`M${left} 30V${floor}H1200` +
					range(fine ? epochs : 7)
						.map(
							(n) =>
								`${at('M', x((n + 1) * (fine ? 1 : 3)), floor)}v${n % 5 === 4 && fine ? 18 : 9}`,
						)
						.join('') +
					range(5)
						.map((n) => `${at('M', left, floor - 100 * (n + 1))}h-10`)
						.join(''),
			) +
			path(
				`${hue(1.3 * weight, 0.45)} stroke-dasharray="1 9"`,
				range(fine ? 5 : 2)
					.map((n) => `${at('M', left, floor - (fine ? 100 : 200) * (n + 1))}H1200`)
					.join(''),
			) +
			path(
				hue(1.6 * weight, 0.5),
				runs
					.slice(0, fine ? 4 : 2)
					.map((run) => curve(points(run)))
					.join(''),
			) +
			path(hue(5 * weight), curve(points(training))) +
			path(`${ink(1.6 * weight)} stroke-dasharray="2 9"`, `${at('M', ...spot)}V${floor}`) +
			path(ink(4.2 * weight), curve(points(validation))) +
			path(
				hue(7 * weight),
				points(validation)
					.filter((_, n) => n !== best && n % (fine ? 1 : 3) === 0)
					.map((point) => dot(...point))
					.join(''),
			) +
			path(ink(28), dot(...spot)),
		focus: around(spot, 92),
		label: `epoch ${best}`,
	};
}
