import { compositionOf } from './families/families.ts';
import { HEIGHT, WIDTH, type Art, type Brush } from './families/family.ts';
import { at, HUE, ink, path, randomOf } from './pen.ts';

export { HEIGHT, WIDTH } from './families/family.ts';

/** How large a cover is shown. A card's has heavier and fewer lines, and no label. */
export type CoverSize = 'page' | 'card';

const BRUSHES: Record<CoverSize, Brush> = {
	page: { weight: 1.2, fine: true },
	card: { weight: 2, fine: false },
};

/** The art of a slug in its category's family, with what its annotation frame goes around. */
export function drawArt(slug: string, category: string, brush: Brush): Art {
	return compositionOf(category, slug)(randomOf(`${category}/${slug}`), brush);
}

/** Small covers that were drawn: a build shows each on some ten pages. */
const cards = new Map<string, string>();

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
