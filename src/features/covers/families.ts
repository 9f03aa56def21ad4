import {
	arc,
	at,
	circle,
	curve,
	dot,
	hue,
	ink,
	line,
	path,
	tint,
	type Point,
	type Random,
} from './pen.ts';

/** The size of the plate: that of a social picture. */
export const WIDTH = 1200;
export const HEIGHT = 630;

/** How an art is drawn: what is small on the page has heavier lines and fewer of them. */
export type Brush = { weight: number; fine: boolean };

/** A drawing without its annotation: `focus` is what the frame goes around, `label` a true statement about it. */
export type Art = {
	layers: string;
	focus: { x: number; y: number; width: number; height: number };
	label: string;
	/** The middle of the part to show where there is no room for the whole width, if not the focus. */
	middle?: number;
};

/** Draws one plate. Chance is drawn in the same order whatever the brush, so that it is the same art at every size. */
export type Family = (random: Random, brush: Brush) => Art;

const around = ([x, y]: Point, width: number, height = width) => ({
	x: x - width / 2,
	y: y - height / 2,
	width,
	height,
});

const dots = (points: readonly Point[]) => points.map(([x, y]) => dot(x, y)).join('');

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Contour lines of a surface with two basins, and gradient descent with momentum into the deeper one. */
function descent(random: Random, { weight, fine }: Brush): Art {
	const low: Point = [random.between(730, 930), random.between(250, 400)];
	const side = random.pick([-1, 1]);
	const bumps = [
		{ at: low, depth: -1.25, wide: random.between(230, 300), high: random.between(130, 170) },
		{
			at: [random.between(250, 420), 315 + side * random.between(60, 150)] as Point,
			depth: -random.between(0.5, 0.7),
			wide: random.between(130, 190),
			high: random.between(100, 150),
		},
		{
			at: [random.between(420, 600), 315 - side * random.between(120, 240)] as Point,
			depth: random.between(0.5, 0.8),
			wide: random.between(150, 230),
			high: random.between(110, 170),
		},
		{
			at: [random.between(1060, 1240), 315 + side * random.between(100, 300)] as Point,
			depth: random.between(0.4, 0.7),
			wide: 190,
			high: 150,
		},
	].map((bump) => ({ ...bump, turn: random.between(-0.6, 0.6) }));
	const slope = [random.between(-0.25, 0.1), side * random.between(0.05, 0.25)] as const;
	const surface = (x: number, y: number): [value: number, dx: number, dy: number] => {
		let value = slope[0] * (x / 600 - 1) + slope[1] * (y / 315 - 1);
		let dx = slope[0] / 600;
		let dy = slope[1] / 315;
		for (const {
			at: [bx, by],
			depth,
			wide,
			high,
			turn,
		} of bumps) {
			const [cos, sin] = [1 - (turn * turn) / 2, turn];
			const u = ((x - bx) * cos + (y - by) * sin) / wide;
			const v = ((y - by) * cos - (x - bx) * sin) / high;
			const height = depth * Math.exp(-u * u - v * v);
			value += height;
			dx -= 2 * height * ((u * cos) / wide - (v * sin) / high);
			dy -= 2 * height * ((u * sin) / wide + (v * cos) / high);
		}
		return [value, dx, dy];
	};

	const step = fine ? 50 : 75;
	const columns = WIDTH / step + 3;
	const rows = Math.ceil(HEIGHT / step) + 3;
	const grid = new Float64Array(columns * rows);
	let min = Infinity;
	let max = -Infinity;
	for (let i = 0; i < grid.length; i++) {
		const value = surface(((i % columns) - 1) * step, (Math.floor(i / columns) - 1) * step)[0];
		grid[i] = value;
		min = Math.min(min, value);
		max = Math.max(max, value);
	}
	const count = fine ? 12 : 6;
	const contours = range(count).map((n) => {
		const level = min + ((max - min) * (n + 0.6)) / count;
		return contoursOf(grid, columns, level).map(({ points, closed }) => ({
			closed,
			data: curve(
				points.map(([x, y]): Point => [(x - 1) * step, (y - 1) * step]),
				closed,
			),
		}));
	});
	const depths = contours.slice(0, fine ? 5 : 3).map((level) => {
		const rings = level.filter(({ closed }) => closed);
		return path(tint(fine ? 0.09 : 0.14), rings.map(({ data }) => data).join(''));
	});
	const index = fine ? 4 : 3;
	const lines = (heavy: boolean) =>
		contours
			.filter((_, n) => (n % index === 1) === heavy)
			.flatMap((level) => level.map(({ data }) => data))
			.join('');

	// Starts are tried from the far hill inwards until one leads into the deeper basin.
	const [lowX, lowY] = low;
	const [startX, startY] = [random.between(400, 560), 315 - side * random.between(170, 245)];
	let steps: Point[] = [];
	for (let nearer = 0; nearer < 0.8; nearer += 0.1) {
		let [x, y] = [startX + (lowX - startX) * nearer, startY + (lowY - startY) * nearer];
		let [vx, vy] = [0, 0];
		steps = [[x, y]];
		for (let n = 0; n < 30 && (n < 4 || Math.hypot(vx, vy) > 7); n++) {
			const [, dx, dy] = surface(x, y);
			const steep = Math.hypot(dx, dy);
			const pull = 34 / (steep + 0.0016);
			vx = 0.5 * vx - pull * dx;
			vy = 0.5 * vy - pull * dy;
			x += vx;
			y += vy;
			steps.push([x, y]);
		}
		const [endX, endY] = steps.at(-1)!;
		if (Math.hypot(endX - lowX, endY - lowY) < 90 && steps.length < 30) break;
	}
	const end = steps.at(-1)!;
	return {
		layers:
			depths.join('') +
			path(hue(1.3 * weight, 0.55), lines(false)) +
			path(hue(2.4 * weight), lines(true)) +
			path(ink(2.6 * weight), line(steps)) +
			path(
				ink(7.5 * weight),
				steps
					.slice(0, -1)
					.map(([x, y]) => dot(x, y))
					.join(''),
			) +
			path(ink(13 * weight), dot(...end)),
		focus: around(end, 110),
		label: `step ${steps.length - 1}`,
	};
}

/** Marching squares: the lines along which a grid has a level, in the grid's own units. */
function contoursOf(
	grid: Float64Array,
	columns: number,
	level: number,
): { points: Point[]; closed: boolean }[] {
	const rows = grid.length / columns;
	// A crossing is named by its edge: twice its corner's index, one more for the edge that goes down.
	const links = new Map<number, number[]>();
	const link = (a: number, b: number) => {
		const [ofA, ofB] = [links.get(a), links.get(b)];
		if (ofA) ofA.push(b);
		else links.set(a, [b]);
		if (ofB) ofB.push(a);
		else links.set(b, [a]);
	};
	for (let row = 0; row < rows - 1; row++) {
		for (let column = 0; column < columns - 1; column++) {
			const i = row * columns + column;
			const a = grid[i]! > level;
			const b = grid[i + 1]! > level;
			const c = grid[i + columns + 1]! > level;
			const d = grid[i + columns]! > level;
			if (a === b && b === c && c === d) continue;
			const [top, left, right, bottom] = [2 * i, 2 * i + 1, 2 * i + 3, 2 * (i + columns)];
			if (a === c && b === d) {
				link(top, a ? right : left);
				link(bottom, a ? left : right);
				continue;
			}
			const crossed = [
				...(a !== b ? [top] : []),
				...(b !== c ? [right] : []),
				...(c !== d ? [bottom] : []),
				...(d !== a ? [left] : []),
			];
			link(crossed[0]!, crossed[1]!);
		}
	}
	const place = (edge: number): Point => {
		const i = edge >> 1;
		const down = edge & 1;
		const share = (level - grid[i]!) / (grid[down ? i + columns : i + 1]! - grid[i]!);
		return [(i % columns) + (down ? 0 : share), Math.floor(i / columns) + (down ? share : 0)];
	};
	const walk = (start: number) => {
		const points: Point[] = [];
		let edge: number | undefined = start;
		while (edge !== undefined) {
			const point = place(edge);
			const before = points.at(-1);
			// Crossings on both sides of a corner nearly coincide and would dent the curve.
			if (before && Math.abs(before[0] - point[0]) + Math.abs(before[1] - point[1]) < 0.45) {
				points[points.length - 1] = [(before[0] + point[0]) / 2, (before[1] + point[1]) / 2];
			} else points.push(point);
			const next: number[] = links.get(edge)!;
			links.delete(edge);
			edge = next.find((other) => links.has(other));
		}
		return points;
	};
	const found: { points: Point[]; closed: boolean }[] = [];
	const ends = [...links].filter(([, next]) => next.length === 1).map(([edge]) => edge);
	for (const edge of ends) if (links.has(edge)) found.push({ points: walk(edge), closed: false });
	for (const edge of [...links.keys()]) {
		if (links.has(edge)) found.push({ points: walk(edge), closed: true });
	}
	return found.filter(({ points }) => points.length > 4);
}

/** A sentence of bars with the arcs of its dependency tree, which never cross. */
function arcs(random: Random, { weight, fine }: Brush): Art {
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

/** A picture of pixels, a 3 by 3 window on it, and the edges that the window finds. */
function convolution(random: Random, { weight, fine }: Brush): Art {
	const cell = 57;
	const columns = 11;
	const rows = 12;
	const top = (HEIGHT - rows * cell) / 2;
	const shapes = range(2).map((n) => ({
		x: n === 0 ? random.between(5.5, 7.5) : random.between(0, 2.5),
		y: n === 0 ? random.between(4.5, 7) : random.between(0, 11),
		wide: n === 0 ? random.between(2.6, 3.8) : random.between(1.6, 2.6),
		high: n === 0 ? random.between(2.2, 3.6) : random.between(1.6, 2.6),
		turn: random.between(-0.8, 0.8),
	}));
	const hole = random.between(0.15, 0.45);
	const value = (column: number, row: number) => {
		let best = 0.1;
		for (const [n, { x, y, wide, high, turn }] of shapes.entries()) {
			const u = ((column - x) * Math.cos(turn) + (row - y) * Math.sin(turn)) / wide;
			const v = ((row - y) * Math.cos(turn) - (column - x) * Math.sin(turn)) / high;
			const distance = Math.hypot(u, v);
			const inside = 1 / (1 + Math.exp((distance - 1) * 9));
			const ring = n === 0 ? 1 / (1 + Math.exp((hole - distance) * 12)) : 0.8;
			best = Math.max(best, inside * ring);
		}
		return best;
	};
	const pixels = range(rows).map((row) => range(columns).map((column) => value(column, row)));
	const pixel = (column: number, row: number) => pixels[row]![column]!;
	const [outColumns, outRows] = [columns - 2, rows - 2];
	const edges = range(outRows).map((row) =>
		range(outColumns).map((column) => {
			const weigh = (a: number, b: number, c: number, d: number, e: number, f: number) =>
				pixel(column + a, row + b) + 2 * pixel(column + c, row + d) + pixel(column + e, row + f);
			return (
				Math.hypot(
					weigh(2, 0, 2, 1, 2, 2) - weigh(0, 0, 0, 1, 0, 2),
					weigh(0, 2, 1, 2, 2, 2) - weigh(0, 0, 1, 0, 2, 0),
				) / 4
			);
		}),
	);
	let best: { column: number; row: number; strength: number } | undefined;
	for (let row = 2; row < outRows - 3; row++) {
		for (let column = 4; column < outColumns; column++) {
			const strength = edges[row]![column]! + random.between(0, 0.12);
			if (!best || strength > best.strength) best = { column, row, strength };
		}
	}
	const { column, row } = best!;
	const grain = pixels.map((cells) =>
		cells.map((value) => Math.max(value, random.between(0.03, 0.23))),
	);
	const small = 42;
	const left = 744;
	const ceiling = (HEIGHT - outRows * small) / 2;
	const seen = [left + column * small, ceiling + row * small] as const;
	const window = { x: column * cell, y: top + row * cell, width: 3 * cell, height: 3 * cell };
	const rays = [
		[window.x + window.width, window.y, seen[0], seen[1]],
		[window.x + window.width, window.y + window.height, seen[0], seen[1] + small],
	]
		.map(([x1, y1, x2, y2]) => at('M', x1!, y1!) + at('L', x2!, y2!))
		.join('');
	return {
		layers:
			(fine ? '' : path(tint(0.05), `M0 0H${columns * cell}V${HEIGHT}H0z`)) +
			mosaic(fine ? grain : pixels, 0, top, cell, 4, fine) +
			path(
				hue(1.2 * weight, 0.4),
				at('M', left - 14, ceiling - 14) +
					`h${outColumns * small + 28}v${outRows * small + 28}h${-outColumns * small - 28}z`,
			) +
			mosaic(edges, left, ceiling, small, 4, fine) +
			path(
				`fill="currentColor" stroke="none" fill-opacity=".07"`,
				at('M', window.x + window.width, window.y) +
					at('L', ...seen) +
					`v${small}` +
					at('L', window.x + window.width, window.y + window.height) +
					'z',
			) +
			path(ink(1.5 * weight, 0.8), rays) +
			path(
				`fill="currentColor" stroke="none"`,
				`${at('M', seen[0] + 2, seen[1] + 2)}h${small - 4}v${small - 4}h${4 - small}z`,
			),
		focus: window,
		middle: window.x + 210,
		label: `edge ${edges[row]![column]!.toFixed(2)}`,
	};
}

/** Squares in five strengths, the faintest only for a fine brush; a run of equals is one dashed line. */
function mosaic(
	values: number[][],
	left: number,
	top: number,
	cell: number,
	gap: number,
	fine: boolean,
): string {
	const shades = [0.05, 0.16, 0.34, 0.6, 0.95];
	const runs = shades.map(() => '');
	const shadeOf = (value: number) => Math.min(shades.length - 1, Math.floor(value * shades.length));
	for (const [row, cells] of values.entries()) {
		for (let from = 0, to = 0; from < cells.length; from = to) {
			const shade = shadeOf(cells[from]!);
			while (to < cells.length && shadeOf(cells[to]!) === shade) to++;
			runs[shade] +=
				`${at('M', left + from * cell + gap / 2, top + (row + 0.5) * cell)}h${(to - from) * cell - gap}`;
		}
	}
	return runs
		.map((data, n) =>
			path(
				`${hue(cell - gap, shades[n])} stroke-linecap="butt" stroke-dasharray="${cell - gap} ${gap}"`,
				n > 0 || fine ? data : '',
			),
		)
		.join('');
}

/** A scatter, its least-squares line with both 95% bands, and the one point that does not fit. */
function scatter(random: Random, { weight, fine }: Brush): Art {
	const rise = random.pick([-1, 1, 1]) * random.between(0.22, 0.38);
	const spread = random.between(40, 58);
	const floor = 560;
	const points: Point[] = [];
	while (points.length < 64) {
		const x = random.between(120, 1150);
		const y = 315 - rise * (x - 620) + spread * random.normal();
		if (y > 60 && y < 530) points.push([x, y]);
	}
	const oddX = random.between(520, 980);
	const side = (rise > 0 ? oddX > 700 : oddX < 540) ? 1 : -1;
	const odd: Point = [oddX, 315 - rise * (oddX - 620) + side * spread * random.between(3.2, 3.8)];
	const all = [...points, odd];
	const meanX = all.reduce((sum, [x]) => sum + x, 0) / all.length;
	const meanY = all.reduce((sum, [, y]) => sum + y, 0) / all.length;
	const sxx = all.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
	const slope = all.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / sxx;
	const fit = (x: number) => meanY + slope * (x - meanX);
	const deviation = Math.sqrt(
		all.reduce((sum, [x, y]) => sum + (y - fit(x)) ** 2, 0) / (all.length - 2),
	);
	const band = (x: number, of: number) =>
		2 * deviation * Math.sqrt(of + 1 / all.length + (x - meanX) ** 2 / sxx);
	const marks = [90, 300, 620, 940, 1200];
	const upper = (of: number) => marks.map((x): Point => [x, fit(x) - band(x, of)]);
	const lower = (of: number) => marks.map((x): Point => [x, fit(x) + band(x, of)]);
	const rug = points.map(([x]) => `${at('M', x, floor + 12)}v16`).join('');
	const size = (n: number) => n % 5;
	const open = points.filter((_, n) => size(n) > 2);
	return {
		layers:
			path(
				tint(0.16),
				curve([...upper(0)]) + curve([...lower(0)].reverse()).replace('M', 'L') + 'z',
			) +
			path(`${hue(1.3 * weight, 0.8)} stroke-dasharray="3 9"`, curve(upper(1)) + curve(lower(1))) +
			path(
				hue(1.3 * weight),
				`M90 40V${floor}H1200` +
					range(fine ? 11 : 6)
						.map((n) => `${at('M', 90 + (n + 1) * (fine ? 96 : 176), floor)}v-9`)
						.join('') +
					range(fine ? 5 : 3)
						.map((n) => `${at('M', 90, floor - (n + 1) * (fine ? 96 : 150))}h9`)
						.join(''),
			) +
			(fine ? path(hue(1.2 * weight, 0.5), rug) : '') +
			path(hue(15), dots(points.filter((_, n) => size(n) < 2))) +
			path(hue(22, 0.55), dots(points.filter((_, n) => size(n) === 2))) +
			(fine
				? path(hue(1.9 * weight), open.map(([x, y]) => circle(x, y, 9)).join(''))
				: path(hue(13, 0.7), dots(open.filter((_, n) => n % 2 === 0)))) +
			path(ink(3.6 * weight), `${at('M', 90, fit(90))}${at('L', 1200, fit(1200))}`) +
			path(
				`${ink(1.4 * weight)} stroke-dasharray="2 8"`,
				`${at('M', ...odd)}${at('V', fit(oddX))}`,
			) +
			path(ink(22), dot(...odd)),
		focus: around(odd, 84),
		label: `${odd[1] < fit(oddX) ? '+' : '-'}${(Math.abs(odd[1] - fit(oddX)) / deviation).toFixed(1)} sd`,
	};
}

/** Bars of different height and distance whose moments about the pivot are the same on both sides. */
function balance(random: Random, { weight, fine }: Brush): Art {
	const beam = 408;
	const pivot = random.int(500, 720);
	const slot = 74;
	const makeSide = (sign: number) => {
		const room = Math.floor(((sign < 0 ? pivot : WIDTH - pivot) - 40) / slot) - 1;
		const count = Math.min(room, random.int(4, 6));
		const places = range(room)
			.map((n) => ({ n, key: random.between(0, 1) }))
			.sort((a, b) => a.key - b.key)
			.slice(0, count)
			.map(({ n }) => n)
			.sort((a, b) => a - b);
		return places.map((n) => ({
			x: pivot + sign * (n + 1.15) * slot,
			arm: n + 1.15,
			height: random.between(60, 330),
			style: random.int(0, 3),
		}));
	};
	const sides = [makeSide(-1), makeSide(1)];
	const moment = (side: { arm: number; height: number }[]) =>
		side.reduce((sum, { arm, height }) => sum + arm * height, 0);
	const target = Math.min(...sides.map(moment));
	const even = sides.map((side) =>
		side.map((bar) => ({ ...bar, height: (bar.height * target) / moment(side) })),
	);
	const tallest = Math.max(...even.flat().map(({ height }) => height));
	const scaled = even.map((side) =>
		side.map((bar) => ({ ...bar, height: (bar.height * 318) / tallest })),
	);
	const bars = scaled.flat();
	const longest = Math.max(...bars.map(({ arm, height }) => arm * height));
	const drop = ({ arm, height }: { arm: number; height: number }) =>
		beam + 18 + (150 * arm * height) / longest;
	const styled = (style: number) =>
		bars
			.filter((bar) => bar.style === style)
			.map(({ x, height }) => `${at('M', x, beam - 7)}v${-Math.round(height)}`)
			.join('');
	const butt = 'stroke-linecap="butt"';
	const reach = (sign: number) =>
		pivot + sign * Math.max(...bars.map(({ x }) => (x - pivot) * sign)) + sign * 60;
	const top = beam - Math.max(...bars.map(({ height }) => height));
	return {
		layers:
			path(
				`${hue(1.2 * weight, 0.6)} stroke-dasharray="2 10"`,
				`${at('M', pivot, Math.max(40, top - 40))}V${beam}`,
			) +
			path(`${hue(52)} ${butt}`, styled(0)) +
			path(`${hue(52, 0.3)} ${butt}`, styled(1)) +
			path(`${hue(52, 0.9)} ${butt} stroke-dasharray="${fine ? '3 7' : '6 10'}"`, styled(2)) +
			path(
				hue(2 * weight),
				bars
					.filter(({ style }) => style === 3)
					.map(
						({ x, height }) =>
							`${at('M', x - 25, beam - 8)}v${-Math.round(height)}h50v${Math.round(height)}z`,
					)
					.join(''),
			) +
			path(
				hue(1.3 * weight),
				bars.map((bar) => `${at('M', bar.x, beam)}V${Math.round(drop(bar))}`).join(''),
			) +
			path(hue(11), bars.map((bar) => dot(bar.x, drop(bar))).join('')) +
			path(ink(4.5 * weight), `${at('M', reach(-1), beam)}${at('H', reach(1))}`) +
			path('fill="currentColor" stroke="none"', `${at('M', pivot, beam + 2)}l26 52h-52z`),
		focus: around([pivot, beam + 24], 104, 92),
		label: scaled.map((side) => (moment(side) / 100).toFixed(1)).join(' = '),
	};
}

/** Stages of a pipeline with branches that rejoin, the one route that was released, and the way back. */
function pipeline(random: Random, { weight, fine }: Brush): Art {
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

/** Every pair of tokens is a knot above and between them; the weights of one token's past add up to one. */
function lattice(random: Random, { weight, fine }: Brush): Art {
	const pitch = 74;
	const rise = 47;
	const base = 545;
	const shift = random.int(-60, -10);
	const count = 18;
	const high = 10;
	const x = (n: number) => shift + n * pitch;
	const knot = (from: number, to: number): Point => [
		(x(from) + x(to)) / 2,
		base - (to - from) * rise,
	];
	const salience = range(count + high).map(() => Math.exp(1.05 * random.normal()));
	const raw = range(count).map((to) =>
		range(high + 1).map(
			(back) => (salience[to - back + high] ?? 1) * Math.exp(0.8 * random.normal() - back * 0.15),
		),
	);
	const to = random.int(11, 14);
	const span = random.int(5, 7);
	raw[to]![span] = Math.max(...raw[to]!) * random.between(1.1, 1.7);
	const from = to - span;
	const share = raw[to]![span] / raw[to]!.slice(1).reduce((sum, value) => sum + value, 0);
	const sizes = [9, 15, 23, 33];
	const dots = sizes.map(() => '');
	for (let end = 0; end < count; end++) {
		const total = raw[end]!.slice(1).reduce((sum, value) => sum + value, 0);
		for (let back = 1; back <= high; back++) {
			if (end - back < -8 || (end === to && back === span)) continue;
			const [px, py] = knot(end - back, end);
			if (px < -20 || px > WIDTH + 20) continue;
			const part = raw[end]![back]! / total;
			const size = part > 0.26 ? 3 : part > 0.13 ? 2 : part > (fine ? 0.05 : 0.07) ? 1 : 0;
			if (fine || size > 0) dots[size] += dot(px, py);
		}
	}
	const reach = (high + 1) * rise;
	const run = ((high + 1) * pitch) / 2;
	const strands = range(count + 12)
		.map((n) => n - 6)
		.filter((n) => fine || n % 2 === 0);
	const strand = (n: number, sign: number) => at('M', x(n), base) + at('l', sign * run, -reach);
	const apex = knot(from, to);
	const words = range(count)
		.filter((n) => n < from || n > to)
		.map((n) => `${at('M', x(n) - 25, base + 26)}h50`)
		.join('');
	return {
		layers:
			path(tint(0.13), at('M', x(from), base) + at('L', ...apex) + at('L', x(to), base) + 'z') +
			path(hue(1.1 * weight, 0.38), strands.map((n) => strand(n, 1) + strand(n, -1)).join('')) +
			dots.map((data, size) => path(hue(sizes[size]!, [0.7, 0.85, 0.95, 1][size]), data)).join('') +
			path(`${hue(16, 0.4)} stroke-linecap="butt"`, words) +
			path(
				`${hue(16)} stroke-linecap="butt"`,
				range(span - 1)
					.map((n) => `${at('M', x(from + n + 1) - 25, base + 26)}h50`)
					.join(''),
			) +
			path(
				`${ink(16)} stroke-linecap="butt"`,
				[from, to].map((n) => `${at('M', x(n) - 25, base + 26)}h50`).join(''),
			) +
			path(
				`${ink(4 * weight)} stroke-linejoin="round"`,
				at('M', x(from), base) + at('L', ...apex) + at('L', x(to), base),
			) +
			path(ink(36), dot(...apex)),
		focus: around(apex, 92),
		label: `p ${share.toFixed(2)}`,
	};
}

/** A stream that parts around a walled field, and the one line that found the gap. */
function breach(random: Random, { weight, fine }: Brush): Art {
	const center: Point = [random.between(690, 850), random.between(290, 340)];
	const radius = random.between(185, 212);
	const gap = random.between(0.16, 0.3);
	const where = Math.PI + random.pick([-1, 1]) * random.between(0.2, 0.55);
	const [cx, cy] = center;
	const stream = (far: number) => {
		const step = (Math.abs(far) < 190 ? 70 : 124) * (fine ? 1 : 1.3);
		const points: Point[] = [];
		for (let x = -40; x < WIDTH + 1.6 * step; x += step) {
			// The stream function of a flow around a cylinder, solved for y.
			let [low, high] = [Math.abs(far), Math.abs(far) + radius];
			for (let n = 0; n < 14; n++) {
				const y = (low + high) / 2;
				const value = y * (1 - (radius + 10) ** 2 / ((x - cx) ** 2 + y * y));
				if (value < Math.abs(far)) low = y;
				else high = y;
			}
			points.push([x, cy + Math.sign(far) * ((low + high) / 2)]);
		}
		return points;
	};
	const spacing = fine ? 25 : 52;
	const fars = range(fine ? 17 : 8)
		.flatMap((n) => [(n + 0.5) * spacing, -(n + 0.5) * spacing])
		.filter((far) => cy + far > -80 && cy + far < HEIGHT + 80);
	const rings = [
		{ r: radius, from: where + gap / 2, to: where + 2 * Math.PI - gap / 2 },
		...[0.72, 0.44].map((share) => {
			const open = where + random.pick([-1, 1]) * random.between(0.9, 2.4);
			const wide = random.between(0.35, 0.5) / share;
			return { r: radius * share, from: open + wide / 2, to: open + 2 * Math.PI - wide / 2, open };
		}),
	];
	const ring = (n: number) => arc(cx, cy, rings[n]!.r, rings[n]!.from, rings[n]!.to);
	const polar = (r: number, angle: number): Point => [
		cx + r * Math.cos(angle),
		cy + r * Math.sin(angle),
	];
	const way: Point[] = [];
	const entry = polar(radius, where);
	way.push(
		[-40, entry[1] + 0.35 * (entry[1] - cy)],
		[entry[0] - 260, entry[1] + 0.3 * (entry[1] - cy)],
	);
	way.push(polar(radius * 1.25, where), polar(radius, where), polar(radius * 0.86, where));
	let angle = where;
	for (const [n, middle] of [
		[1, 0.58],
		[2, 0.2],
	] as const) {
		const { open } = rings[n] as { open: number };
		const outer = n === 1 ? 0.86 : 0.58;
		const span = Math.atan2(Math.sin(open - angle), Math.cos(open - angle));
		const legs = Math.max(2, Math.ceil(Math.abs(span) / 0.5));
		for (let leg = 1; leg <= legs; leg++)
			way.push(polar(radius * outer, angle + (span * leg) / legs));
		angle += span;
		way.push(polar(radius * middle, angle));
	}
	way.push(center);
	const soft = fars.filter((_, n) => Math.floor(n / 2) % 3 !== 0);
	const firm = fars.filter((_, n) => Math.floor(n / 2) % 3 === 0);
	return {
		layers:
			path(tint(0.12), circle(cx, cy, radius)) +
			path(tint(0.12), circle(cx, cy, rings[1]!.r)) +
			path(tint(0.2), circle(cx, cy, rings[2]!.r)) +
			path(hue(1.2 * weight, 0.6), soft.map((far) => curve(stream(far))).join('')) +
			path(hue(2.4 * weight), firm.map((far) => curve(stream(far))).join('')) +
			path(`${hue(13)} stroke-linecap="butt"`, ring(0)) +
			path(`${hue(5 * Math.min(weight, 1.5))} stroke-linecap="butt"`, ring(1)) +
			path(`${hue(3 * Math.min(weight, 1.5))} stroke-linecap="butt"`, ring(2)) +
			path(ink(3.8 * weight), curve(way)) +
			path(ink(28), dot(...center)),
		focus: around(entry, 92),
		middle: cx - 60,
		label: `gap ${Math.round((gap * 180) / Math.PI)}°`,
	};
}

/** An arm of three links in many instants of one motion, the last of them whole. */
function arm(random: Random, { weight, fine }: Brush): Art {
	const base: Point = [random.between(390, 580), 556];
	const [first, second, third] = [
		random.between(235, 265),
		random.between(195, 230),
		random.between(85, 110),
	];
	const from = -random.between(2.3, 2.62);
	const to = -random.between(0.4, 1.05);
	const radiusFrom = (first + second) * random.between(0.6, 0.72);
	const radiusTo = (first + second) * random.between(0.74, 0.93);
	const wristFrom = from - random.between(0.3, 0.9);
	const wristTo = to + random.between(0.4, 0.9);
	const wave = random.between(0.05, 0.12);
	const mirrored = random.pick([true, false]);
	const pose = (t: number): [Point, Point, Point, Point] => {
		const ease = t * t * (3 - 2 * t);
		const angle = from + (to - from) * ease;
		const radius =
			(radiusFrom + (radiusTo - radiusFrom) * t) * (1 + wave * Math.sin(t * Math.PI * 2));
		const bend = Math.acos((first ** 2 + radius ** 2 - second ** 2) / (2 * first * radius));
		const elbow: Point = [
			base[0] + first * Math.cos(angle - bend),
			base[1] + first * Math.sin(angle - bend),
		];
		const wrist: Point = [base[0] + radius * Math.cos(angle), base[1] + radius * Math.sin(angle)];
		const hand = wristFrom + (wristTo - wristFrom) * ease;
		return [
			base,
			elbow,
			wrist,
			[wrist[0] + third * Math.cos(hand), wrist[1] + third * Math.sin(hand)],
		];
	};
	const instants = fine ? 13 : 8;
	const ghosts = range(instants).map((n) => pose(n / instants));
	const last = pose(1);
	const trace = range(15).map((n) => pose(n / 14));
	const joint = Math.atan2(last[1][1] - last[2][1], last[1][0] - last[2][0]);
	const shoulder = Math.atan2(last[1][1] - base[1], last[1][0] - base[0]);
	const fore = Math.atan2(last[2][1] - last[1][1], last[2][0] - last[1][0]);
	const hatch = range(fine ? 9 : 6)
		.map((n) => `${at('M', base[0] - 92 + n * (fine ? 23 : 36), 586)}l-16 18`)
		.join('');
	const slow = Math.floor(ghosts.length / 2);
	const layers =
		path(
			`${hue(1.4 * weight, 0.6)} stroke-dasharray="2 10"`,
			arc(base[0], base[1], first + second, Math.PI * 1.02, Math.PI * 1.98) +
				arc(base[0], base[1], first - 20, Math.PI * 1.02, Math.PI * 1.98),
		) +
		path(tint(0.1), `${line(trace.map((p) => p[2]))}${at('L', ...last[1])}${at('L', ...base)}z`) +
		path(hue(1.3 * weight, 0.5), ghosts.slice(0, slow).map(line).join('')) +
		path(hue(1.7 * weight, 0.85), ghosts.slice(slow).map(line).join('')) +
		path(hue(9), ghosts.map((p) => dot(...p[1]) + dot(...p[2])).join('')) +
		path(hue(4 * weight), curve(trace.map((p) => p[3]))) +
		path(hue(1.3 * weight, 0.8), `${at('M', 0, 586)}H${WIDTH}${hatch}`) +
		path(
			hue(2 * weight),
			arc(last[1][0], last[1][1], 62, Math.min(shoulder, fore), Math.max(shoulder, fore)),
		) +
		path('fill="currentColor" stroke="none"', `${at('M', base[0] - 46, 586)}l20-34h52l20 34z`) +
		path(`${ink(20)} stroke-linejoin="round"`, line(last.slice(0, 3))) +
		path(ink(9), line(last.slice(2))) +
		path(ink(46), dot(...base) + dot(...last[1])) +
		path(ink(34), dot(...last[2])) +
		path(
			'stroke="var(--color-raised)" stroke-width="16"',
			dot(...base) + dot(...last[1]) + dot(...last[2]),
		) +
		path(ink(16), dot(...last[3]));
	const [handX, handY] = last[3];
	return {
		layers: mirrored ? `<g transform="matrix(-1 0 0 1 ${WIDTH} 0)">${layers}</g>` : layers,
		focus: around([mirrored ? WIDTH - handX : handX, handY], 88),
		middle: mirrored ? WIDTH - handX + 140 : handX - 140,
		label: `${Math.round((Math.abs(joint) * 180) / Math.PI)}°`,
	};
}

/** For every other category: a field of small needles, and the one at which it was read. */
function needles(random: Random, { weight, fine }: Brush): Art {
	const poles = range(3).map(() => ({
		x: random.between(0, WIDTH),
		y: random.between(-100, HEIGHT + 100),
		turn: random.pick([-1, 1]) * random.between(0.6, 1.4),
	}));
	const lean = random.between(-0.6, 0.6);
	const direction = (x: number, y: number) =>
		poles.reduce(
			(sum, pole) => sum + pole.turn * Math.sin(Math.hypot(x - pole.x, y - pole.y) / 260),
			lean,
		);
	const step = fine ? 52 : 96;
	const weights = ['', '', ''];
	const spot: Point = [random.between(700, 930), random.between(210, 420)];
	const reach = 95 + step * 0.3;
	for (let y = step / 2; y < HEIGHT; y += step) {
		for (let x = step / 2; x < WIDTH; x += step) {
			if (Math.abs(x - spot[0]) < reach && Math.abs(y - spot[1]) < reach) continue;
			const angle = direction(x, y);
			const [dx, dy] = [Math.cos(angle) * step * 0.36, Math.sin(angle) * step * 0.36];
			const band = Math.min(2, Math.floor((1 + Math.sin(angle * 1.5 + x / 400)) * 1.5));
			weights[band] += at('M', x - dx, y - dy) + at('l', 2 * dx, 2 * dy);
		}
	}
	const angle = direction(...spot);
	const tip: Point = [70 * Math.cos(angle), 70 * Math.sin(angle)];
	const degrees = Math.round((((angle * 180) / Math.PI) % 180) + 180) % 180;
	return {
		layers:
			weights
				.map((data, n) => path(hue([1.2, 2.2, 3.6][n]! * weight, [0.55, 0.8, 1][n]), data))
				.join('') +
			path(
				ink(7 * weight),
				at('M', spot[0] - tip[0], spot[1] - tip[1]) + at('l', 2 * tip[0], 2 * tip[1]),
			),
		focus: around(spot, 190),
		label: `${degrees}°`,
	};
}

const families: Record<string, Family> = {
	'machine-learning': descent,
	'natural-language-processing': arcs,
	'computer-vision': convolution,
	'data-science': scatter,
	'ai-ethics': balance,
	mlops: pipeline,
	'large-language-models': lattice,
	'ai-security': breach,
	robotics: arm,
};

/** The categories that have a family of their own. */
export const FAMILIES = Object.keys(families);

/** The family of a category; those without one of their own share the needles. */
export function familyOf(category: string): Family {
	return Object.hasOwn(families, category) ? families[category]! : needles;
}
