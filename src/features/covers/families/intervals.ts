import { at, dot, hue, ink, path, tint, type Random } from '#src/features/covers/pen.ts';
import { WIDTH, around, range, type Art, type Brush } from './family.ts';

/** An experiment done forty times: its intervals, the truth, and those that miss it. */
export function intervals(random: Random, { weight, fine }: Brush): Art {
	const truth = random.between(270, 360);
	const error = random.between(52, 68);
	const count = 38;
	const runs = range(count).map((n) => ({
		x: 36 + n * 30.5,
		off: error * random.normal(),
		half: 1.96 * error * random.between(0.82, 1.18),
	}));
	const forced = random.int(12, 30);
	runs[forced]!.off = random.pick([-1, 1]) * runs[forced]!.half * random.between(1.08, 1.3);
	for (const run of runs)
		run.off = Math.max(-truth + run.half + 54, Math.min(576 - truth - run.half, run.off));
	const misses = runs.filter(({ off, half }) => Math.abs(off) > half);
	const focal = misses.includes(runs[forced]!) ? runs[forced]! : (misses[0] ?? runs[forced]!);
	const hits = runs.filter((run) => !misses.includes(run));
	const shown = fine ? hits : hits.filter((_, n) => n % 2 === 0);
	const bar = ({ x, off, half }: (typeof runs)[number]) =>
		`${at('M', x, truth + off - half)}${at('v', 2 * half)}`;
	const middle = ({ x, off }: (typeof runs)[number]) => dot(x, truth + off);
	return {
		layers:
			path(tint(0.12), `${at('M', 0, truth - 1.96 * error)}H${WIDTH}${at('v', 3.92 * error)}H0z`) +
			path(
				`${hue(1.2 * weight, 0.5)} stroke-dasharray="2 9"`,
				[-2.94, -0.98, 0.98, 2.94].map((n) => `${at('M', 0, truth + n * error)}H${WIDTH}`).join(''),
			) +
			path(`${hue(fine ? 8 : 16, 0.55)}`, shown.map(bar).join('')) +
			path(hue(fine ? 17 : 24), shown.map(middle).join('')) +
			path(ink(3.4 * weight), `${at('M', 0, truth)}H${WIDTH}`) +
			path(ink(fine ? 8 : 14), misses.map(bar).join('')) +
			path(ink(fine ? 20 : 28), misses.map(middle).join('')),
		focus: around(
			[focal.x, truth + focal.off],
			64,
			Math.min(2 * focal.half + 44, 1.9 * Math.min(truth + focal.off, 630 - truth - focal.off)),
		),
		label: `${misses.length} of ${count} miss`,
	};
}
