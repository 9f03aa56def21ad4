import { at, hue, ink, path, type Point, type Random } from '#src/features/covers/pen.ts';
import { WIDTH, around, dots, range, type Art, type Brush } from './family.ts';

/** Stages of a pipeline with branches that rejoin, the one route that was released, and the way back. */
export function pipeline(random: Random, { weight, fine }: Brush): Art {
	const stages = 7;
	const counts = range(stages).map((n) =>
		n === 0 || n === stages - 1 ? random.int(1, 2) : random.int(2, 4),
	);
	const shift = random.between(-30, 30);
	const place = (n: number, count: number) => (count === 1 ? 0.5 : n / (count - 1));
	const nodes = counts.map((count, stage) =>
		range(count).map((n): Point => [
			70 + stage * 178 + random.between(-14, 14),
			285 + shift + (n - (count - 1) / 2) * (count > 3 ? 118 : 138) + random.between(-12, 12),
		]),
	);
	const route: number[] = [];
	for (const column of nodes) {
		const share = route.length === 0 ? 0.5 : place(route.at(-1)!, nodes[route.length - 1]!.length);
		const aim = (share + random.between(-0.5, 0.5)) * (column.length - 1);
		route.push(Math.max(0, Math.min(column.length - 1, Math.round(aim))));
	}
	const flow = ([x1, y1]: Point, [x2, y2]: Point) => {
		const bend = (x2 - x1) * 0.5;
		return at('M', x1, y1) + at('C', x1 + bend, y1, x2 - bend, y2, x2, y2);
	};
	let thin = '';
	let thick = '';
	for (let stage = 0; stage < stages - 1; stage++) {
		const [here, there] = [nodes[stage]!, nodes[stage + 1]!];
		const joined = new Set<string>();
		const join = (from: number, to: number) => {
			if (from === route[stage] && to === route[stage + 1]) return;
			joined.add(`${from} ${to}`);
		};
		const facing = (n: number, from: number, to: number) =>
			to === 1 ? 0 : Math.round((n * (to - 1)) / Math.max(1, from - 1));
		here.forEach((_, n) => join(n, facing(n, here.length, there.length)));
		there.forEach((_, n) => join(facing(n, there.length, here.length), n));
		join(random.int(0, here.length - 1), random.int(0, there.length - 1));
		for (const pair of joined) {
			const [from, to] = pair.split(' ').map(Number);
			const data = flow(here[from!]!, there[to!]!);
			if (random.between(0, 1) < 0.3) thick += data;
			else thin += data;
		}
	}
	const released = route.map((n, stage) => nodes[stage]![n]!);
	const inlet: Point = [-30, released[0]![1]];
	const outlet: Point = [WIDTH + 30, released.at(-1)![1]];
	const stops = [inlet, ...released, outlet];
	const course = stops
		.slice(1)
		.map((stop, n) => flow(stops[n]!, stop))
		.map((data, n) => (n === 0 ? data : data.slice(data.indexOf('C'))))
		.join('');
	const rest = nodes.flatMap((column, stage) => column.filter((_, n) => n !== route[stage]));
	const focal = random.int(3, 5);
	const back = released[1]!;
	const last = released[5]!;
	const below = Math.min(592, Math.max(...nodes.flat().map(([, y]) => y)) + 78);
	const turn = 40;
	return {
		layers:
			path(hue(30 * Math.min(1.3, weight), 0.13), course) +
			path(hue(1.4 * weight, 0.7), thin) +
			path(hue(4 * weight, 0.55), thick) +
			path(
				`${hue(1.6 * weight)} stroke-dasharray="${fine ? '2 9' : '4 14'}"`,
				at('M', last[0], last[1]) +
					`V${Math.round(below - turn)}` +
					at('q', 0, turn, -turn, turn) +
					at('H', back[0] + turn) +
					at('q', -turn, 0, -turn, -turn) +
					at('V', back[1]),
			) +
			path(hue(26), dots(rest)) +
			path(
				`stroke="var(--color-raised)" stroke-width="${26 - Math.round(4.8 * weight)}"`,
				dots(rest.filter((_, n) => n % 3 !== 0)),
			) +
			path(ink(4.5 * weight), course) +
			path(ink(34), dots(released)) +
			path(
				'stroke="var(--color-raised)" stroke-width="14"',
				dots(released.filter((_, n) => n !== focal)),
			),
		focus: around(released[focal]!, 96),
		label: `stage ${focal + 1}/${stages}`,
	};
}
