import { at, dot, hue, ink, path, tint, type Random } from '#src/features/covers/pen.ts';
import { WIDTH, around, range, type Art, type Brush } from './family.ts';

type Node = { x: number; y: number; from: number; to: number; children?: [Node, Node] };

/** A line of characters, joined pair by pair into words: the order of the joints is their height. */
export function merges(random: Random, { weight, fine }: Brush): Art {
	const base = 500;
	const pitch = 46;
	const count = 26;
	let nodes: Node[] = range(count).map((n) => ({ x: 25 + n * pitch, y: base, from: n, to: n }));
	const joints: Node[] = [];
	const total = random.int(19, 21);
	while (joints.length < total) {
		// Short pieces are joined first.
		const pairs = range(nodes.length - 1).map((n) => ({
			n,
			cost: nodes[n + 1]!.to - nodes[n]!.from + random.between(0, 3.2),
		}));
		const { n } = pairs.reduce((best, pair) => (pair.cost < best.cost ? pair : best));
		const [left, right] = [nodes[n]!, nodes[n + 1]!];
		const y = Math.min(left.y, right.y, base - 14 * joints.length) - random.between(14, 34);
		const joint: Node = {
			x: (left.x + right.x) / 2,
			y: Math.max(70, y),
			from: left.from,
			to: right.to,
			children: [left, right],
		};
		joints.push(joint);
		nodes = [...nodes.slice(0, n), joint, ...nodes.slice(n + 2)];
	}
	const candidates = joints.slice(9).filter(({ x, y }) => x > 260 && x < 1100 && y > 75);
	const focal = (candidates.length > 0 ? candidates : joints.slice(-1)).reduce((best, joint) =>
		joint.to - joint.from > best.to - best.from ? joint : best,
	);
	const bracket = ({ y, children }: Node) => {
		const [left, right] = children!;
		return `${at('M', left.x, left.y)}${at('V', y)}${at('H', right.x)}${at('V', right.y)}`;
	};
	const isIn = ({ from, to }: Node) => from >= focal.from && to <= focal.to;
	const bars = (filter: (n: number) => boolean, height: number) =>
		range(count)
			.filter(filter)
			.map((n) => `${at('M', 25 + n * pitch, base + 14)}v${height}`)
			.join('');
	const held = (n: number) => n >= focal.from && n <= focal.to;
	const butt = 'stroke-linecap="butt"';
	const order = joints.indexOf(focal) + 1;
	return {
		layers:
			path(
				tint(0.12),
				`${at('M', 25 + focal.from * pitch - 23, focal.y)}${at('H', 25 + focal.to * pitch + 23)}V${base + 96}${at('H', 25 + focal.from * pitch - 23)}z`,
			) +
			path(
				`${hue(1.2 * weight, 0.4)} stroke-dasharray="2 10"`,
				range(fine ? 6 : 3)
					.map((n) => `${at('M', 0, 90 + n * (fine ? 68 : 136))}H${WIDTH}`)
					.join(''),
			) +
			path(
				hue(2.2 * weight, 0.85),
				joints
					.filter((joint) => !isIn(joint))
					.map(bracket)
					.join(''),
			) +
			path(
				`${hue(30, 0.75)} ${butt}`,
				bars((n) => !held(n), 44),
			) +
			path(`${ink(30)} ${butt}`, bars(held, 44)) +
			path(
				`${hue(30, 0.25)} ${butt}`,
				bars(() => true, 78).replaceAll(`${base + 14}v`, `${base + 66}v`),
			) +
			path(ink(3.8 * weight), joints.filter(isIn).map(bracket).join('')) +
			path(
				hue(8 * weight),
				joints
					.filter((joint) => !isIn(joint))
					.map(({ x, y }) => dot(x, y))
					.join(''),
			) +
			path(
				ink(9 * weight),
				joints
					.filter((joint) => isIn(joint) && joint !== focal)
					.map(({ x, y }) => dot(x, y))
					.join(''),
			) +
			path(ink(28), dot(focal.x, focal.y)),
		focus: around([focal.x, focal.y], 92),
		label: `merge ${order}`,
	};
}
