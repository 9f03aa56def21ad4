import { at, dot, hue, ink, path, tint, type Random } from '#src/features/covers/pen.ts';
import { around, range, type Art, type Brush } from './family.ts';

/** Everybody a decision was about, in two groups, and the few it was made against. */
export function crowd(random: Random, { weight, fine }: Brush): Art {
	const rows = 9;
	const columns = 19;
	const pitch = 58;
	const split = random.int(9, 13);
	const x = (column: number) => 58 + column * pitch + (column >= split ? 46 : 0);
	const y = (row: number) => 84 + row * pitch;
	const rates = random.pick([
		[0.08, 0.34],
		[0.3, 0.1],
		[0.12, 0.42],
	]);
	const people = range(rows * columns).map((n) => {
		const column = n % columns;
		const group = column < split ? 0 : 1;
		return {
			column,
			row: Math.floor(n / columns),
			group,
			isRefused: random.between(0, 1) < rates[group]!,
			tall: random.int(0, 2),
		};
	});
	const worse = rates[1]! > rates[0]! ? 1 : 0;
	const refused = people.filter(({ isRefused }) => isRefused);
	const focal = refused
		.filter(
			({ group, row, column }) =>
				group === worse && row > 0 && row < rows - 1 && column > 0 && column < columns - 1,
		)
		.reduce(
			(best, one) => (Math.abs(x(one.column) - 600) < Math.abs(x(best.column) - 600) ? one : best),
			refused[0]!,
		);
	const of = people.filter(({ group }) => group === focal.group);
	const place = ({ column, row }: (typeof people)[number]) => dot(x(column), y(row));
	const sizes = fine ? [22, 28, 34] : [26, 32, 38];
	const [left, right] = focal.group === 0 ? [20, x(split - 1) + 38] : [x(split) - 38, 1190];
	return {
		layers:
			path(
				tint(0.09),
				`${at('M', left, 46)}${at('H', right)}V${y(rows - 1) + 38}${at('H', left)}z`,
			) +
			sizes
				.map((size, tall) =>
					path(
						hue(size, [0.35, 0.5, 0.65][tall]),
						people
							.filter(
								(one) =>
									!one.isRefused && one.tall === tall && (fine || (one.row + one.column) % 2 === 0),
							)
							.map(place)
							.join(''),
					),
				)
				.join('') +
			path(ink(30), refused.map(place).join('')) +
			path('stroke="var(--color-raised)" stroke-width="10"', refused.map(place).join('')) +
			path(
				`${hue(2 * weight)} stroke-dasharray="3 9"`,
				`${at('M', (x(split - 1) + x(split)) / 2, 20)}V610`,
			),
		focus: around([x(focal.column), y(focal.row)], 74),
		label: `${of.filter(({ isRefused }) => isRefused).length} of ${of.length}`,
	};
}
