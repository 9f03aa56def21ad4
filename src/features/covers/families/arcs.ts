import { at, dot, hue, ink, path, tint, type Random } from '#src/features/covers/pen.ts';
import { WIDTH, around, range, type Art, type Brush } from './family.ts';

/** A sentence of bars with the arcs of its dependency tree, which never cross. */
export function arcs(random: Random, { weight, fine }: Brush): Art {
	const baseline = random.int(420, 470);
	const words: { x: number; width: number }[] = [];
	for (let x = random.int(-60, 30); x < WIDTH - 20;) {
		const width = random.int(34, 128);
		words.push({ x, width });
		x += width + 24;
	}
	const middle = (n: number) => words[n]!.x + words[n]!.width / 2;
	const links: { head: number; child: number; depth: number }[] = [];
	const attach = (from: number, to: number, head: number | undefined, depth: number): void => {
		if (from > to) return;
		const own = random.int(Math.ceil(from + (to - from) * 0.2), Math.floor(to - (to - from) * 0.2));
		if (head !== undefined) links.push({ head, child: own, depth });
		attach(from, own - 1, own, depth + 1);
		attach(own + 1, to, own, depth + 1);
	};
	const root = random.int(1, 3);
	attach(0, root - 1, root, 1);
	attach(root + 1, words.length - 1, root, 1);
	const focal = links
		.filter(({ child }) => middle(child) > 380 && middle(child) < 1080)
		.reduce((best, other) =>
			Math.abs(other.head - other.child) > Math.abs(best.head - best.child) ? other : best,
		);
	const bow = ({ head, child }: { head: number; child: number }, lift = 0) => {
		const [from, to] = [middle(Math.min(head, child)), middle(Math.max(head, child))];
		const height = Math.min(baseline - 70, 34 + (to - from) * 0.52) + lift;
		return (
			at('M', from, baseline - 22) +
			at(
				'C',
				from,
				baseline - 22 - height * 1.3,
				to,
				baseline - 22 - height * 1.3,
				to,
				baseline - 22,
			)
		);
	};
	const others = links.filter((link) => link !== focal);
	const shadow = range(fine ? 3 : 2).map((row) => {
		let data = '';
		for (let x = random.int(-70, 0); x < WIDTH;) {
			const width = random.int(34, 150);
			data += `${at('M', x, baseline + 54 + row * 48)}h${width}`;
			x += width + 24;
		}
		return path(`${hue(12, [0.3, 0.17, 0.08][row])} stroke-linecap="butt"`, data);
	});
	const bar = (n: number) => `${at('M', words[n]!.x, baseline)}h${words[n]!.width}`;
	return {
		layers:
			shadow.join('') +
			path(
				`${hue(20, 0.85)} stroke-linecap="butt"`,
				range(words.length)
					.filter((n) => n !== focal.child && n !== focal.head)
					.map(bar)
					.join(''),
			) +
			path(tint(0.1), bow(focal)) +
			path(
				hue(1.4 * weight, 0.75),
				others
					.filter(({ depth }) => depth > 2)
					.map((l) => bow(l))
					.join(''),
			) +
			path(
				hue(2.8 * weight),
				others
					.filter(({ depth }) => depth < 3)
					.map((l) => bow(l))
					.join(''),
			) +
			path(hue(8 * weight), others.map(({ child }) => dot(middle(child), baseline - 22)).join('')) +
			path(ink(4.5 * weight), bow(focal)) +
			path(`${ink(20)} stroke-linecap="butt"`, bar(focal.child) + bar(focal.head)) +
			path(ink(12 * weight), dot(middle(focal.child), baseline - 22)),
		focus: around([middle(focal.child), baseline - 4], words[focal.child]!.width + 52, 92),
		middle: middle(focal.child) + (focal.head < focal.child ? -140 : 140),
		label: `head ${focal.head < focal.child ? '-' : '+'}${Math.abs(focal.head - focal.child)}`,
	};
}
