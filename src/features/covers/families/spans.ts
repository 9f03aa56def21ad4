import { at, dot, hue, ink, path, tint, type Random } from '#src/features/covers/pen.ts';
import { range, type Art, type Brush } from './family.ts';

type Span = { from: number; to: number; depth: number; isCritical: boolean };

/** One request through its services: who waited for whom, and the step that it waited for longest. */
export function spans(random: Random, { weight, fine }: Brush): Art {
	const list: Span[] = [];
	const total = random.int(240, 960);
	const call = (from: number, to: number, depth: number, isCritical: boolean): void => {
		if (list.length >= 13) return;
		list.push({ from, to, depth, isCritical });
		if (depth === 4 || to - from < 150) return;
		const parts = random.int(2, 3);
		const cuts = [
			0,
			...range(parts - 1).map((n) => (n + 1) / parts + random.between(-0.12, 0.12)),
			1,
		];
		const longest = range(parts).reduce((best, n) =>
			cuts[n + 1]! - cuts[n]! > cuts[best + 1]! - cuts[best]! ? n : best,
		);
		for (const n of range(parts)) {
			const start = from + (to - from) * cuts[n]! + random.between(6, 18);
			const end = from + (to - from) * cuts[n + 1]! - random.between(6, 30);
			call(start, end, depth + 1, isCritical && n === longest);
		}
	};
	call(56, 1150, 0, true);
	const y = (n: number) => 62 + n * (516 / Math.max(8, list.length - 1));
	const critical = list.filter(({ isCritical }) => isCritical);
	const focal = critical.at(-1)!;
	const row = list.indexOf(focal);
	const bar = ({ from, to }: Span, n: number) => `${at('M', from, y(n))}${at('H', to)}`;
	const style = (keep: (span: Span) => boolean) =>
		list.map((span, n) => (keep(span) ? bar(span, n) : '')).join('');
	const butt = 'stroke-linecap="butt"';
	const ticks = fine ? 13 : 7;
	const waits = list
		.map((span, n) => {
			const parent = list.slice(0, n).findLastIndex(({ depth }) => depth === span.depth - 1);
			return parent === -1 ? '' : `${at('M', span.from, y(parent))}${at('V', y(n))}`;
		})
		.join('');
	return {
		layers:
			path(
				`${hue(1.2 * weight, 0.45)} stroke-dasharray="2 9"`,
				range(ticks)
					.map((n) => `${at('M', 56 + (n * 1094) / (ticks - 1), 0)}V630`)
					.join(''),
			) +
			path(tint(0.12), `${at('M', focal.from, 0)}${at('H', focal.to)}V630${at('H', focal.from)}z`) +
			path(hue(1.6 * weight, 0.8), waits) +
			path(
				`${hue(28, 0.35)} ${butt}`,
				style(({ isCritical, depth }) => !isCritical && depth % 2 === 0),
			) +
			path(
				`${hue(28, 0.75)} ${butt}`,
				style(({ isCritical, depth }) => !isCritical && depth % 2 === 1),
			) +
			path(
				`${ink(28)} ${butt}`,
				style(({ isCritical }) => isCritical),
			) +
			path(hue(10), list.map(({ from }, n) => dot(from, y(n))).join('')),
		focus: {
			x: Math.max(12, focal.from - 22),
			y: y(row) - 40,
			width: Math.min(1176 - focal.from + 22, focal.to - focal.from + 44),
			height: 80,
		},
		label: `${Math.round((total * (focal.to - focal.from)) / 1094)} ms`,
	};
}
