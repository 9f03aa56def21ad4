import type { Element } from 'hast';
import type { PlacedDrawing } from '#src/core/figures/blocks.ts';
import { treeOf } from '#src/core/figures/draw.ts';
import { pictureOf } from '#src/core/figures/figure-element.ts';
import { FigureError } from '#src/core/figures/figure-error.ts';
import { withIds } from '#src/core/figures/svg.ts';
import { element } from '#src/lib/hast.ts';
import { cleanDrawing } from './drawing.ts';

/** Looks of text where a file says nothing of it, as in a browser that shows the file alone. */
const TEXT = { fontSize: '16', fontFamily: 'sans-serif' };
/** Pixels that a drawing's words need: in a narrower column it is moved sideways. */
const BROAD = 560;

/**
 * Returns an article's figure of a drawing, cleaned again, because a database may hold what no upload has cleaned. Returns null where
 * there is no drawing, or none that can be shown: its picture stays.
 */
export function placeDrawing(
	{ alt, caption }: PlacedDrawing,
	file: string | undefined,
	id: string,
	number: number,
): Element | null {
	const svg = file === undefined ? null : readDrawing(file);
	if (!svg) return null;
	const label = `Figure ${number}.`;
	const isBroad = Number(svg.properties.width) > BROAD;
	const className = [
		'drawn-drawing',
		...(takesColors(svg) ? [] : ['drawn-plate']),
		...(isBroad ? ['drawn-broad'] : []),
	];
	const dataPicture = pictureOf(svg);
	const properties = {
		...svg.properties,
		className,
		role: 'img',
		ariaLabel: alt || label,
		dataPicture,
	};
	const words: Element['children'] = caption.length > 0 ? caption : [{ type: 'text', value: alt }];
	return element('figure', { id, className: ['drawn'] }, [
		element(
			'div',
			{ className: ['drawn-scroll'], tabIndex: 0, role: 'group', ariaLabel: 'Drawing' },
			[{ ...withIds(svg, id), properties }],
		),
		element('figcaption', {}, [
			element('strong', {}, [{ type: 'text', value: label }]),
			{ type: 'text', value: ' ' },
			...words,
		]),
	]);
}

/** Returns whether a drawing has colors of the page, and so is made for both of its themes. One that sets `color` has its own current color. */
function takesColors(svg: Element): boolean {
	const text = JSON.stringify(svg);
	return text.includes('var(--') || (/currentcolor/i.test(text) && !text.includes('"color":'));
}

function readDrawing(file: string): Element | null {
	try {
		const { properties, ...svg } = treeOf(cleanDrawing(file).svg);
		const { xmlns: _xmlns, ...own } = properties;
		return { ...svg, properties: { ...TEXT, ...own } };
	} catch (error) {
		if (error instanceof FigureError) return null;
		throw error;
	}
}
