import { at, dot, hue, ink, path, tint, type Random } from '#src/features/covers/pen.ts';
import { around, range, type Art, type Brush } from './family.ts';

/** A cipher of substitutions and crossings: one bit is turned over, and these are the bits that follow. */
export function avalanche(random: Random, { weight, fine }: Brush): Art {
	const bits = 16;
	const rounds = 4;
	const y = (bit: number) => 36 + bit * 37;
	const start = random.int(2, 13);
	const crossing = random.pick([
		(bit: number) => (bit === 15 ? 15 : (bit * 4) % 15),
		(bit: number) => (bit * 5 + 2) % 16,
		(bit: number) => (bit * 7 + 1) % 16,
	]);
	const left = (round: number) => 96 + round * 268;
	const box = 84;
	let turned = new Set([start]);
	let quiet = '';
	let loud = '';
	let asleep = '';
	let awake = '';
	for (const round of range(rounds)) {
		const from = round === 0 ? -10 : left(round - 1) + box;
		const to = left(round);
		for (const bit of range(bits)) {
			// The first wires are straight; later ones cross.
			const end = round === 0 ? bit : crossing(bit);
			const bend = (to - from) * 0.45;
			const wire =
				at('M', from, y(bit)) +
				(end === bit ? at('H', to) : at('C', from + bend, y(bit), to - bend, y(end), to, y(end)));
			if (turned.has(bit)) loud += wire;
			else if (fine || bit % 2 === 0) quiet += wire;
		}
		const arrived = new Set([...turned].map((bit) => (round === 0 ? bit : crossing(bit))));
		turned = new Set();
		for (const group of range(4)) {
			const bitsOf = range(4).map((n) => group * 4 + n);
			const mask = random.int(1, 15);
			const plate = `${at('M', to, y(group * 4) - 14)}h${box}v${3 * 37 + 28}h${-box}z`;
			if (bitsOf.some((bit) => arrived.has(bit))) {
				awake += plate;
				bitsOf.forEach((bit, n) => (mask >> n) & 1 && turned.add(bit));
			} else asleep += plate;
		}
	}
	const out = left(rounds - 1) + box;
	for (const bit of range(bits)) {
		const wire = `${at('M', out, y(bit))}H1210`;
		if (turned.has(bit)) loud += wire;
		else quiet += wire;
	}
	return {
		layers:
			path(hue(1.6 * weight, 0.6), quiet) +
			path(tint(0.16), asleep) +
			path(hue(1.6 * weight, 0.8), asleep) +
			path(tint(0.8), awake) +
			path(ink(3.4 * weight), loud) +
			path(ink(20), [...turned].map((bit) => dot(out + 34, y(bit))).join('')) +
			path(ink(26), dot(44, y(start))),
		focus: around([50, y(start)], 76),
		middle: 260,
		label: `${turned.size} of ${bits} bits`,
	};
}
