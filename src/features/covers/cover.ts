import { at, dot, HUE, hue, ink, path, randomOf, squeeze, tint, type Point } from '#src/lib/pen.ts';

/** The size of the plate: that of a social picture. */
export const WIDTH = 1200;
export const HEIGHT = 630;

/** How large a cover is shown. A row's has no label, and a tile's no frame. */
export type CoverSize = 'page' | 'card' | 'row' | 'tile';

/** `isOnBlack` where its corners may lie on black, and have the hue to be seen. */
type Box = { x: number; y: number; width: number; height: number; isOnBlack?: boolean };

/** A drawing without its annotation: `focus` is what the frame goes around, if anything, `label` what stands beside it and not on `data`. */
type Art = { layers: string; focus?: Box | undefined; label: string; data: string };

/** Room between a frame and the edge of the plate, which a row's must not touch. */
const EDGE = 8;
const ROW_EDGE = 40;
const ROW_WIDTH = 1060;

/** Side of the frame, so that it is one at every size. */
const FRAME: Record<CoverSize, number> = { page: 80, card: 100, row: 190, tile: 190 };

/**
 * Returns the art of an article: the plot that `artOf` has drawn, black where the article points, or, without one, a field of
 * needles that is always the same for the same slug and says nothing. A plot takes the middle `width` of the plate.
 */
export function drawArt(
	slug: string,
	plot: string,
	size: CoverSize,
	{ weight = 1, width = size === 'row' ? ROW_WIDTH : WIDTH } = {},
): Art {
	return drawPlot(plot, size, weight, width) ?? drawNeedles(slug, size === 'page', weight);
}

function drawPlot(plot: string, size: CoverSize, weight: number, width: number): Art | undefined {
	const parts = plot.split('\n');
	const [spot = '', label = ''] = parts.slice(4);
	// As our own pen writes it, whatever stored it.
	const isOurs =
		[6, 7].includes(parts.length) &&
		parts.slice(0, 4).every((data) => /^[MLlhvz\d -]*$/.test(data));
	if (!isOurs || parts.slice(0, 4).join('') === '') return undefined;
	const share = width / WIDTH;
	const [black, lines, areas, dots] = parts.map((data) => squeeze(data, share, WIDTH / 2));
	const [left, y] = spot.split(' ').map(Number);
	const x = WIDTH / 2 + (left! - WIDTH / 2) * share;
	const isMarked = spot !== '' && Number.isFinite(x + y!);
	const isBar = black!.includes('z');
	return {
		layers:
			path(tint(0.35), areas!) +
			path(hue(1.6 * weight, 0.8), lines!) +
			path(hue(7 * weight), dots!) +
			path(isBar ? 'fill="currentColor" stroke="none"' : ink(2.6 * weight), black!) +
			(isMarked && !isBar ? path(ink(7 * weight), dot(x, y!)) : ''),
		// In a row it would hold bars beside the black one, which stands out without it.
		focus:
			isMarked && !(isBar && size === 'row')
				? { ...frameAround(x, y!, size), ...(isBar && { isOnBlack: true }) }
				: undefined,
		data: [black, lines, areas, dots].join(''),
		// As the plot's own pen writes it, whatever stored it. A digit alone says nothing.
		label: /^(?!\d$)[$€£\d.,%]*(?: (?:of )?[\p{L}\d]+(?: [\p{L}]+)?)?$/u.test(label) ? label : '',
	};
}

/** Returns the title of the plot that a cover shows, as a sentence. */
export function captionOf(plot: string): string | undefined {
	const title = plot.split('\n')[6];
	return title && title.replace(/(?<![.!?…])$/, '.');
}

/** Returns the frame around a point, whole where the point is near an edge of the plate. */
function frameAround(x: number, y: number, size: CoverSize): Box {
	const side = FRAME[size];
	const edge = size === 'row' ? ROW_EDGE : EDGE;
	const inside = (at: number, end: number) =>
		Math.max(edge, Math.min(at - side / 2, end - side - edge));
	return { x: inside(x, WIDTH), y: inside(y, HEIGHT), width: side, height: side };
}

function drawNeedles(slug: string, isFine: boolean, weight: number): Art {
	const random = randomOf(slug);
	const poles = Array.from({ length: 3 }, () => ({
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
	const step = isFine ? 60 : 100;
	const spot: Point = [random.between(300, 900), random.between(210, 420)];
	const reach = 140;
	const weights = ['', '', ''];
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
	const [dx, dy] = [70 * Math.cos(angle), 70 * Math.sin(angle)];
	return {
		layers:
			weights
				.map((data, n) => path(hue([0.8, 1.4, 2][n]! * weight, [0.55, 0.8, 1][n]), data))
				.join('') +
			path(ink(3.5 * weight), at('M', spot[0] - dx, spot[1] - dy) + at('l', 2 * dx, 2 * dy)),
		focus: { x: spot[0] - 95, y: spot[1] - 95, width: 190, height: 190 },
		label: '',
		data: '',
	};
}

/** Returns an article's cover as the inside of an `<svg class="cover" viewBox="0 0 1200 630">`. Colors are the page's own. */
export function drawCover(slug: string, plot: string, size: CoverSize = 'page'): string {
	const { layers, focus, label, data } = drawArt(slug, plot, size);
	if (size === 'tile' || !focus) return layers;
	const drawn = layers + corners(focus, 2);
	if (size === 'row' || !label) return drawn;
	const font = size === 'page' ? 40 : 50;
	// Of a monospaced face.
	const width = Math.round((label.length * 0.6 + 0.9) * font);
	const plate = plateOf(focus, { width, height: Math.round(font * 1.4) }, data);
	if (!plate) return drawn;
	return (
		drawn +
		`<g stroke="none"><path fill="${HUE}" d="${rectangle(plate)}"/>` +
		`<text x="${plate.x + plate.width / 2}" y="${plate.y + font}" text-anchor="middle" ` +
		`font-family="var(--font-label)" font-size="${font}" fill="var(--color-paper)">${label}</text></g>`
	);
}

/** The annotation frame: four corner marks. */
export function corners(focus: Box, weight: number): string {
	const [x, y] = [Math.round(focus.x), Math.round(focus.y)];
	const [right, bottom] = [x + Math.round(focus.width), y + Math.round(focus.height)];
	const mark = Math.round(Math.min(30, focus.width / 4));
	return path(
		`${focus.isOnBlack ? hue(weight) : ink(weight)} stroke-linecap="butt"`,
		`${at('M', x, y + mark)}V${y}h${mark}` +
			`${at('M', right - mark, y)}H${right}v${mark}` +
			`${at('M', right, bottom - mark)}V${bottom}h${-mark}` +
			`${at('M', x + mark, bottom)}H${x}v${-mark}`,
	);
}

/** Height that a band of 21 to 9, as an article has on narrow screens, cuts off the plate above and below. */
const CUT = Math.round((HEIGHT - (WIDTH * 9) / 21) / 2);

/** Room between a label and what is beside it. */
const GAP = 10;
const MARGIN = 14;

/**
 * Returns where a label of this size stands: above the frame, below or beside it, the first place where it lies on nothing of
 * `drawn`, between the sides. Returns nothing where there is no such place.
 */
export function plateOf(
	focus: Box,
	{ width, height }: Pick<Box, 'width' | 'height'>,
	drawn: string,
	sides: readonly [left: number, right: number] = [0, WIDTH],
): Box | undefined {
	const [left, top] = [Math.round(focus.x), Math.round(focus.y)];
	const [right, bottom] = [left + Math.round(focus.width), top + Math.round(focus.height)];
	const lowest = sides[0] + MARGIN;
	const highest = sides[1] - MARGIN - width;
	const inside = (x: number) => Math.max(lowest, Math.min(x, highest));
	const above = top - GAP - height;
	const below = bottom + GAP;
	const level = Math.round((top + bottom - height) / 2);
	const rows = [above, below].flatMap((y): Point[] => [
		[inside(left - 2), y],
		[inside(right + 2 - width), y],
	]);
	/** Level with the frame first, then up and down along its side, then the same farther away. */
	const beside = [GAP, 6 * GAP].flatMap((gap) =>
		[0, -1, 1, -2, 2, -3, 3].flatMap((steps): Point[] => {
			const y = Math.round(level + (steps * focus.height) / 4);
			const whole = Math.max(CUT + MARGIN, Math.min(y, HEIGHT - CUT - MARGIN - height));
			return [
				[right + gap, whole],
				[left - gap - width, whole],
			];
		}),
	);
	const lines = segmentsOf(drawn);
	return [rows[0]!, beside[0]!, ...rows.slice(1), ...beside.slice(1)]
		.map(([x, y]) => ({ x, y, width, height }))
		.filter(({ x, y }) => x >= lowest && x <= highest && y >= CUT + MARGIN)
		.filter(({ y }) => y + height <= HEIGHT - CUT - MARGIN)
		.find((plate) => !lines.some(([from, to]) => crosses(plate, from, to)));
}

/** Returns the straight lines of path data as our pen writes it. */
function segmentsOf(data: string): (readonly [Point, Point])[] {
	const segments: (readonly [Point, Point])[] = [];
	let start: Point = [0, 0];
	let here: Point = start;
	for (const [, command, one = '0', two = '0'] of data.matchAll(
		/([MLlhvz])(-?\d+)?(?: ?(-?\d+))?/g,
	)) {
		const [x, y] = [Number(one), Number(two)];
		const next: Point =
			command === 'z'
				? start
				: command === 'h'
					? [here[0] + x, here[1]]
					: command === 'v'
						? [here[0], here[1] + x]
						: command === 'l'
							? [here[0] + x, here[1] + y]
							: [x, y];
		if (command === 'M') start = next;
		else segments.push([here, next]);
		// A bar is not empty inside.
		for (let deep = 40; command === 'v' && deep < Math.abs(x); deep += 40) {
			const y = here[1] + Math.sign(x) * deep;
			segments.push([
				[start[0], y],
				[here[0], y],
			]);
		}
		here = next;
	}
	return segments;
}

/** Returns whether a line enters a box or comes as near to it as the line is wide. */
function crosses({ x, y, width, height }: Box, from: Point, to: Point): boolean {
	const near = 4;
	let [first, last] = [0, 1];
	for (const [axis, low, high] of [
		[0, x - near, x + width + near],
		[1, y - near, y + height + near],
	] as const) {
		const along = to[axis] - from[axis];
		if (along === 0 && (from[axis] < low || from[axis] > high)) return false;
		if (along === 0) continue;
		const [enters, leaves] = [(low - from[axis]) / along, (high - from[axis]) / along].sort(
			(a, b) => a - b,
		);
		first = Math.max(first, enters!);
		last = Math.min(last, leaves!);
	}
	return first <= last;
}

/** A rectangle as path data. */
export function rectangle({ x, y, width, height }: Box): string {
	return `${at('M', x, y)}h${width}v${height}h${-width}z`;
}
