import { corners, drawArt, HEIGHT, WIDTH } from '#src/features/covers/cover.ts';
import { HUE } from '#src/features/covers/pen.ts';

export type Subject = { slug: string; category: string; color: string };

const INK = '#10161d';

/** Returns a post's cover as an SVG file of this shape: the part around its annotated place, with the frame. */
export function coverPicture(
	{ slug, category, color }: Subject,
	shape: { width: number; height: number },
	isFine: boolean,
): string {
	const weight = isFine ? 1.2 : 2.4;
	const { layers, focus, middle } = drawArt(slug, category, { weight, fine: isFine });
	const width = Math.round((HEIGHT * shape.width) / shape.height);
	const center = middle ?? focus.x + focus.width / 2;
	const left = Math.round(Math.max(0, Math.min(WIDTH - width, center - width / 2)));
	const drawn = (layers + corners(focus, 4 * weight))
		.replaceAll(HUE, color)
		.replace(/var\([^)]*\)/g, '#ffffff')
		.replaceAll('currentColor', INK);
	return (
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="${left} 0 ${width} ${HEIGHT}">` +
		`<path fill="#ffffff" d="M0 0h${WIDTH}v${HEIGHT}H0z"/><path fill="${color}" fill-opacity=".09" d="M0 0h${WIDTH}v${HEIGHT}H0z"/>` +
		`<g fill="none" stroke="${INK}" stroke-linecap="round">${drawn}</g></svg>`
	);
}
