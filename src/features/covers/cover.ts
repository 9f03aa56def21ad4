import { compositionOf, allowedSymmetries } from './families/families.ts';
import { HEIGHT, WIDTH, type Art, type Brush } from './families/family.ts';
import { at, dot, HUE, hue, ink, path, randomOf, tint, type Random } from './pen.ts';

export { HEIGHT, WIDTH } from './families/family.ts';

/** How large a cover is shown. A card's has heavier and fewer lines, and no label. */
export type CoverSize = 'page' | 'card';

const BRUSHES: Record<CoverSize, Brush> = {
	page: { weight: 1.2, fine: true },
	card: { weight: 2, fine: false },
};

/**
 * The art of a slug in its category's family, with what its annotation frame goes around. Two slugs of one composition differ
 * in what is drawn, and in how it is looked at: from how near, which part, from which side, on which ground.
 */
export function drawArt(slug: string, category: string, brush: Brush): Art {
	const composition = compositionOf(category, slug);
	const random = randomOf(`${slug}/${category}/view`);
	const zoom = random.int(10, 16) / 10;
	const art = composition(randomOf(`${category}/${slug}`), {
		...brush,
		weight: brush.weight / zoom,
	});
	return lookAt(art, zoom, allowedSymmetries(composition), random);
}

type Turns = ReturnType<typeof allowedSymmetries>;

function lookAt(art: Art, zoom: number, turns: Turns, random: Random): Art {
	const { focus, middle } = art;
	const toX = axis(WIDTH, zoom, focus.x, focus.width, turns.mirror, random);
	const toY = axis(HEIGHT, zoom, focus.y, focus.height, turns.turn, random);
	const width = Math.round(focus.width * zoom);
	const height = Math.round(focus.height * zoom);
	const center = [toX.of(focus.x + focus.width / 2), toY.of(focus.y + focus.height / 2)] as const;
	const scale = toX.scale === toY.scale ? toX.scale : `${toX.scale} ${toY.scale}`;
	const transform = `translate(${toX.shift} ${toY.shift})scale(${scale})`;
	return {
		...art,
		layers: `${groundOf(center, random)}<g transform="${transform}">${art.layers}</g>`,
		focus: { x: center[0] - width / 2, y: center[1] - height / 2, width, height },
		...(middle !== undefined && { middle: toX.of(middle) }),
	};
}

/** One axis of a view: a window that is smaller by `zoom`, holds the focus, and may be seen from the other side. */
function axis(
	length: number,
	zoom: number,
	start: number,
	size: number,
	mayMirror: boolean,
	random: Random,
) {
	const seen = length / zoom;
	const room = 30;
	const last = Math.max(0, Math.min(length - seen, start - room));
	const first = Math.min(last, Math.max(0, start + size + room - seen));
	const from = random.between(first, last);
	const isMirrored = random.pick([true, false]) && mayMirror;
	const scale = isMirrored ? -zoom : zoom;
	const shift = Math.round(isMirrored ? length + zoom * from : -zoom * from);
	return { scale, shift, of: (place: number) => scale * place + shift };
}

/** A shape behind a drawing: none, a sheet, a disc about the focus, a half or a band. */
function groundOf([x, y]: readonly [number, number], random: Random): string {
	const slant = random.int(-260, 260);
	const left = random.int(140, 700);
	const wide = random.int(260, 420);
	return random.pick([
		'',
		path(tint(0.1), `M0 0h${WIDTH}v${HEIGHT}H0z`),
		path(hue(random.int(340, 600), 0.1), dot(x, y)),
		path(
			tint(0.1),
			`${at('M', 0, HEIGHT / 2 + slant)}${at('L', WIDTH, HEIGHT / 2 - slant)}V${HEIGHT}H0z`,
		),
		path(tint(0.1), `M${left} 0h${wide}${at('L', left + wide + slant, HEIGHT)}h${-wide}z`),
	]);
}

/** Small covers that were drawn last: a build shows each on some ten pages. Each takes some 7 kB. */
const cards = new Map<string, string>();
const MAX_CARDS = 5_000;

/**
 * The cover of a slug in its category's family, as the inside of an `<svg viewBox="0 0 1200 630">` whose fill is none and
 * whose strokes are round: always the same for the same two slugs. Colors are the page's own.
 */
export function drawCover(slug: string, category: string, size: CoverSize = 'page'): string {
	const name = `${category}/${slug}`;
	const drawn = size === 'card' && cards.get(name);
	if (drawn) return drawn;
	const brush = BRUSHES[size];
	const { layers, focus, label } = drawArt(slug, category, brush);
	const frame = corners(focus, 4 * brush.weight);
	if (size === 'card') {
		if (cards.size >= MAX_CARDS) cards.delete(cards.keys().next().value!);
		cards.set(name, layers + frame);
		return layers + frame;
	}
	const font = 19;
	// Of a monospaced face.
	const width = Math.round((label.length * 0.6 + 0.9) * font);
	const plate = plateOf(focus, width, Math.round(font * 1.5));
	return (
		layers +
		frame +
		`<path fill="${HUE}" stroke="none" d="${rectangle(plate)}"/>` +
		`<text x="${plate.x + plate.width / 2}" y="${plate.y + Math.round(font * 1.09)}" text-anchor="middle" ` +
		`font-family="var(--font-label)" font-size="${font}" fill="var(--color-paper)" stroke="none">${label}</text>`
	);
}

type Box = { x: number; y: number; width: number; height: number };

/** The annotation frame: four corner marks. */
export function corners(focus: Box, weight: number): string {
	const [x, y] = [Math.round(focus.x), Math.round(focus.y)];
	const [right, bottom] = [x + Math.round(focus.width), y + Math.round(focus.height)];
	const mark = Math.round(Math.min(30, focus.width / 4));
	return path(
		`${ink(weight)} stroke-linecap="butt"`,
		`${at('M', x, y + mark)}V${y}h${mark}` +
			`${at('M', right - mark, y)}H${right}v${mark}` +
			`${at('M', right, bottom - mark)}V${bottom}h${-mark}` +
			`${at('M', x + mark, bottom)}H${x}v${-mark}`,
	);
}

/** Where a label of this size stands: on the frame's left corner, or below it where the top has no room. */
export function plateOf(focus: Box, width: number, height: number): Box {
	const edge = 14;
	const gap = 10;
	const y = Math.round(focus.y) - gap - height;
	const below = Math.round(focus.y + focus.height) + gap;
	return {
		x: Math.max(edge, Math.min(Math.round(focus.x) - 2, WIDTH - width - edge)),
		y: y > edge ? y : Math.min(below, HEIGHT - height - edge),
		width,
		height,
	};
}

/** A rectangle as path data. */
export function rectangle({ x, y, width, height }: Box): string {
	return `${at('M', x, y)}h${width}v${height}h${-width}z`;
}
