import { arc, at, dot, hue, ink, path, tint, type Random } from '#src/features/covers/pen.ts';
import { around, range, type Art, type Brush } from './family.ts';

/** A position as a row of clocks of ever slower hands, for one position after another. */
export function dials(random: Random, { weight, fine }: Brush): Art {
	const columns = 13;
	const rows = 6;
	const pitch = 96;
	const radius = 36;
	const first = random.int(3, 400);
	const fast = random.between(0.75, 1.35);
	const slower = random.between(0.42, 0.6);
	const x = (column: number) => 24 + column * pitch;
	const y = (row: number) => 76 + row * pitch;
	const angle = (column: number, row: number) => (first + column) * fast * slower ** row;
	const [column, row] = [random.int(4, 9), random.int(1, 4)];
	const cells = range(rows).flatMap((r) => range(columns).map((c) => ({ c, r })));
	const others = cells.filter(({ c, r }) => c !== column || r !== row);
	const shown = fine ? others : others.filter(({ c, r }) => (c + r + column + row) % 2 === 0);
	const hand = ({ c, r }: { c: number; r: number }, long: number) =>
		at('M', x(c), y(r)) + at('l', long * Math.cos(angle(c, r)), long * Math.sin(angle(c, r)));
	const degrees = Math.round((angle(column, row) * 180) / Math.PI) % 360;
	const turn = (degrees * Math.PI) / 180;
	const [fx, fy] = [x(column), y(row)];
	const sizes = [1.6, 3, 5];
	return {
		layers:
			path(tint(0.1), `${at('M', x(column) - 48, 0)}h96v630h-96z`) +
			path(hue(2 * radius, 0.13), shown.map(({ c, r }) => dot(x(c), y(r))).join('')) +
			path(
				`${hue(1.2 * weight, 0.5)}`,
				range(rows)
					.map((r) => `${at('M', 0, y(r) + 48)}H1200`)
					.join(''),
			) +
			sizes
				.map((size, n) =>
					path(
						hue(size * weight, 0.95),
						shown
							.filter(({ r }) => (n === 0 ? r < 2 : n === 1 ? r === 2 || r === 3 : r > 3))
							.map((one) => hand(one, radius - 2))
							.join(''),
					),
				)
				.join('') +
			path(hue(9), shown.map(({ c, r }) => dot(x(c), y(r))).join('')) +
			path(hue(2 * radius + 8, 0.3), dot(fx, fy)) +
			(degrees > 3 ? path(hue(4 * weight), arc(fx, fy, radius - 12, 0, Math.min(turn, 6.2))) : '') +
			path(ink(2 * weight, 0.6), at('M', fx, fy) + at('h', radius)) +
			path(ink(5.5 * weight), hand({ c: column, r: row }, radius)) +
			path(ink(14), dot(fx, fy)),
		focus: around([fx, fy], 96),
		label: `${degrees}°`,
	};
}
