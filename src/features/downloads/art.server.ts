import { drawArt, HEIGHT, WIDTH } from '#src/features/covers/cover.ts';
import { HUE } from '#src/features/covers/pen.ts';
import { INK, type Press } from './press.server.ts';

type Area = { x: number; y: number; width: number; height: number };

/** A post's generated cover in an area, its annotated part in the middle, with the annotation frame. */
export function placeArt(
	press: Press,
	{ slug, category, color }: { slug: string; category: string; color: string },
	area: Area,
	fine = false,
): void {
	const { doc } = press;
	const scale = area.height / HEIGHT;
	const weight = fine ? 1.2 : 2.4;
	const { layers, focus, middle } = drawArt(slug, category, { weight, fine });
	const shown = area.width / scale;
	const center = middle ?? focus.x + focus.width / 2;
	const left = Math.max(0, Math.min(WIDTH - shown, center - shown / 2));
	doc.save();
	doc.rect(area.x, area.y, area.width, area.height).clip();
	doc.rect(area.x, area.y, area.width, area.height).fill(tinted(color));
	doc.transform(scale, 0, 0, scale, area.x - left * scale, area.y);
	for (const part of layers.split(/(?=<)/)) {
		if (part.startsWith('<g')) {
			doc.save();
			const [a, b, c, d, e, f] = (/matrix\(([^)]+)\)/.exec(part)?.[1] ?? '1 0 0 1 0 0')
				.split(' ')
				.map(Number) as [number, number, number, number, number, number];
			doc.transform(a, b, c, d, e, f);
		} else if (part.startsWith('</g')) doc.restore();
		else if (part.startsWith('<path')) drawPath(doc, part, color);
	}
	const mark = Math.min(30, focus.width / 4);
	press.frame(focus.x, focus.y, focus.width, focus.height, {
		mark,
		weight: 4 * weight,
		color: INK,
	});
	doc.restore();
}

function drawPath(doc: PDFKit.PDFDocument, element: string, color: string): void {
	const value = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(element)?.[1];
	const colorOf = (paint: string | undefined, none: string | undefined) => {
		if (paint === undefined) return none;
		if (paint === 'none') return undefined;
		if (paint === HUE) return color;
		if (paint === 'currentColor') return INK;
		return paint.startsWith('var(') ? '#ffffff' : paint;
	};
	const fill = colorOf(value('fill'), undefined);
	const stroke = colorOf(value('stroke'), INK);
	const opacity = Number(value('opacity') ?? 1);
	const data = value('d');
	if (!data) return;
	doc.save();
	doc.path(data);
	doc.lineWidth(Number(value('stroke-width') ?? 1));
	doc.lineCap((value('stroke-linecap') as 'round' | undefined) ?? 'round');
	const dash = value('stroke-dasharray')?.split(/[ ,]+/).map(Number);
	if (dash?.[0]) doc.dash(dash[0], { space: dash[1] ?? dash[0] });
	doc.fillOpacity(Number(value('fill-opacity') ?? 1) * opacity).strokeOpacity(opacity);
	if (fill && stroke) doc.fillAndStroke(fill, stroke);
	else if (fill) doc.fill(fill);
	else if (stroke) doc.stroke(stroke);
	doc.restore();
}

/** A color on white, as light as a marker. */
function tinted(color: string): string {
	const channels = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
	return `#${channels
		.map((value) => Math.round(255 - (255 - value) * 0.09))
		.map((value) => value.toString(16).padStart(2, '0'))
		.join('')}`;
}
