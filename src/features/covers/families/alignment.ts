import { at, dot, hue, ink, path, tint, type Random } from '#src/features/covers/pen.ts';
import { around, range, type Art, type Brush } from './family.ts';

/** Two sentences at right angles, and how much each word of one is about each word of the other. */
export function alignment(random: Random, { weight, fine }: Brush): Art {
	const rows = 8;
	const columns = 15;
	const left = 190;
	const top = 110;
	const pitch = 68;
	const x = (column: number) => left + (column + 0.5) * pitch;
	const y = (row: number) => top + (row + 0.5) * 62;
	const order = range(rows);
	const swapped = random.int(1, rows - 3);
	[order[swapped], order[swapped + 1]] = [order[swapped + 1]!, order[swapped]!];
	const lean = random.between(0.85, 1.1);
	const middle = (row: number) =>
		0.8 + order[row]! * ((columns - 2.6) / (rows - 1)) * lean + random.between(-0.5, 0.5);
	const shares = range(rows).map((row) => {
		const peak = Math.min(columns - 1, middle(row));
		const sharp = random.between(0.5, 1.5);
		const raw = range(columns).map(
			(column) => Math.exp(-sharp * (column - peak) ** 2) + 0.09 * random.between(0, 1) ** 3,
		);
		const total = raw.reduce((sum, value) => sum + value, 0);
		return raw.map((value) => value / total);
	});
	const row = swapped + random.int(0, 1);
	const column = shares[row]!.indexOf(Math.max(...shares[row]!));
	const sizes = [8, 16, 28, 44];
	const layers = sizes.map(() => '');
	for (const [r, values] of shares.entries())
		for (const [c, value] of values.entries()) {
			if (r === row && c === column) continue;
			const size = value > 0.4 ? 3 : value > 0.18 ? 2 : value > 0.04 ? 1 : 0;
			if (size > 0 || fine) layers[size] += dot(x(c), y(r));
		}
	const lengths = range(rows).map(() => random.int(60, 128));
	const heights = range(columns).map(() => random.int(30, 74));
	const bar = (n: number) => `${at('M', left - 26, y(n))}h${-lengths[n]!}`;
	const post = (n: number) => `${at('M', x(n), top - 16)}v${-heights[n]!}`;
	const butt = 'stroke-linecap="butt"';
	const others = (count: number, not: number) => range(count).filter((n) => n !== not);
	return {
		layers:
			path(
				tint(0.1),
				`${at('M', left, y(row) - 31)}H1200v62H${left}z${at('M', x(column) - 34, top)}h68V630h-68z`,
			) +
			path(
				hue(1.1 * weight, 0.35),
				range(rows + 1)
					.filter((n) => fine || n % 2 === 0)
					.map((n) => `${at('M', left, top + n * 62)}H1200`)
					.join('') +
					range(columns + 1)
						.filter((n) => fine || n % 3 === 0)
						.map((n) => `${at('M', left + n * pitch, top)}V606`)
						.join(''),
			) +
			layers
				.map((data, size) => path(hue(sizes[size]!, [0.5, 0.7, 0.85, 1][size]), data))
				.join('') +
			path(
				`${hue(20, 0.85)} ${butt}`,
				others(rows, row).map(bar).join('') + others(columns, column).map(post).join(''),
			) +
			path(`${ink(20)} ${butt}`, bar(row) + post(column)) +
			path(
				`${ink(2 * weight)}`,
				`${at('M', left - 20, y(row))}H${Math.round(x(column))}V${top - 10}`,
			) +
			path(ink(44), dot(x(column), y(row))),
		focus: around([x(column), y(row)], 96),
		label: `w ${shares[row]![column]!.toFixed(2)}`,
	};
}
