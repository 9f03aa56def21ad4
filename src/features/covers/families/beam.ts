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
import { around, range, type Art, type Brush } from './family.ts';

type Node = { point: Point; logit: number; before?: Node };

/** Ways to go on with a sentence: at each word the likeliest four are kept, and one is said in the end. */
export function beam(random: Random, { weight, fine }: Brush): Art {
	const steps = 6;
	const wide = 4;
	const x = (step: number) => 70 + step * 176;
	let kept: Node[] = [{ point: [x(0), 315 + random.between(-60, 60)], logit: 0 }];
	const dropped: Node[] = [];
	const all: Node[] = [];
	for (const step of range(steps).map((n) => n + 1)) {
		const tried = kept.flatMap((before) =>
			range(3).map(() => ({ before, logit: before.logit + Math.log(random.between(0.12, 0.72)) })),
		);
		const order = [...tried].sort((a, b) => b.logit - a.logit);
		const pitch = 560 / tried.length;
		const placed = tried.map((one, n) => ({
			one,
			node: {
				...one,
				point: [
					x(step) + random.between(-12, 12),
					315 + (n - (tried.length - 1) / 2) * Math.min(92, pitch),
				] as Point,
			},
		}));
		kept = placed.filter(({ one }) => order.indexOf(one) < wide).map(({ node }) => node);
		dropped.push(...placed.filter(({ one }) => order.indexOf(one) >= wide).map(({ node }) => node));
		all.push(...kept);
	}
	const best = kept.reduce((one, other) => (other.logit > one.logit ? other : one));
	const way: Node[] = [];
	for (let node: Node | undefined = best; node; node = node.before) way.push(node);
	const flow = ({ point: [x2, y2], before }: Node) => {
		const [x1, y1] = before!.point;
		const bend = (x2 - x1) * 0.5;
		return at('M', x1, y1) + at('C', x1 + bend, y1, x2 - bend, y2, x2, y2);
	};
	const said = way.filter(({ before }) => before);
	const others = all.filter((node) => !way.includes(node));
	return {
		layers:
			range(steps + 1)
				.map((step) =>
					path(tint(step % 2 === 0 ? 0.1 : 0.03), `${at('M', x(step) - 88, 0)}h176v630h-176z`),
				)
				.join('') +
			path(
				hue(1.3 * weight, 0.5),
				(fine ? dropped : dropped.filter((_, n) => n % 3 === 0)).map(flow).join(''),
			) +
			path(hue(3 * weight, 0.9), others.map(flow).join('')) +
			path(
				hue(12, 0.7),
				(fine ? dropped : dropped.filter((_, n) => n % 3 === 0))
					.map(({ point }) => dot(...point))
					.join(''),
			) +
			path(hue(24), others.map(({ point }) => dot(...point)).join('')) +
			path(ink(5 * weight), said.map(flow).join('')) +
			path(ink(30), way.map(({ point }) => dot(...point)).join('')),
		focus: around([Math.min(1130, best.point[0]), Math.min(560, Math.max(60, best.point[1]))], 88),
		label: `p ${Math.exp(best.logit).toFixed(3)}`,
	};
}
