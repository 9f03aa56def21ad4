/** Elements that a logo may be drawn with. Everything else is left out, with what is in it. */
const ELEMENTS = new Set(
	'svg g path circle ellipse rect line polyline polygon defs linearGradient radialGradient stop clipPath mask symbol use title desc text tspan'.split(
		' ',
	),
);
const DRAWN = /<(path|circle|ellipse|rect|line|polyline|polygon|use|text)[ />]/;
const ATTRIBUTES = new Set(
	`viewBox width height x y x1 x2 y1 y2 dx dy cx cy r rx ry fx fy d points transform id href offset preserveAspectRatio
	fill fill-opacity fill-rule clip-rule clip-path clipPathUnits mask maskUnits maskContentUnits opacity color style
	stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset stroke-opacity
	stop-color stop-opacity gradientUnits gradientTransform spreadMethod
	font-family font-size font-weight font-style text-anchor letter-spacing`.split(/\s+/),
);

const TOKEN =
	/<\?[^>]*\?>|<!--[\s\S]*?-->|<(\/?)([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Longest drawing, in characters. */
const MAX_SVG_LENGTH = 30_000;

/**
 * Returns a drawing with nothing in it but shapes and their looks: no scripts, no events, nothing from elsewhere. Or the
 * reason why it cannot be used.
 */
export function cleanSvg(source: string): { svg: string } | { problem: string } {
	if (source.length > MAX_SVG_LENGTH) {
		return { problem: 'This drawing is too large. Use an SVG of 30,000 characters or fewer.' };
	}
	let svg = '';
	const open: string[] = [];
	let isDone = false;
	/** How many elements around are left out. */
	let dropped = 0;
	TOKEN.lastIndex = 0;
	const text = source.trim();
	while (TOKEN.lastIndex < text.length) {
		const [token, closes, name, attributes = '', isEmpty, words] = TOKEN.exec(text) ?? [];
		if (token === undefined) return { problem: UNREADABLE };
		if (words !== undefined) {
			if (words.trim() !== '' && open.length === 0) return { problem: UNREADABLE };
			if (dropped === 0 && open.length > 0)
				svg += words.replace(/&(?!amp;|lt;|gt;|#\d+;)/g, '&amp;');
			continue;
		}
		if (!name) continue;
		if (isDone || (open.length === 0 && (closes || name !== 'svg'))) return { problem: UNREADABLE };
		if (name === 'style') return { problem: STYLED };
		if (closes) {
			if (open.pop() !== name) return { problem: UNREADABLE };
			if (dropped > 0) dropped--;
			else svg += token.replace(/\s/g, '');
			isDone = open.length === 0;
			continue;
		}
		const isKept = dropped === 0 && ELEMENTS.has(name);
		if (isKept) {
			const root = open.length === 0 ? ' xmlns="http://www.w3.org/2000/svg"' : '';
			svg += `<${name}${root}${keptAttributes(attributes)}${isEmpty}>`;
		}
		if (isEmpty) {
			isDone = open.length === 0;
			continue;
		}
		open.push(name);
		if (!isKept) dropped++;
	}
	if (!isDone) return { problem: UNREADABLE };
	if (!DRAWN.test(svg)) return { problem: 'This drawing has no shapes that can be shown.' };
	if (!/^<svg[^>]* (viewBox|width)=/.test(svg)) {
		return { problem: 'This drawing says nothing of its size: give its svg element a viewBox.' };
	}
	return { svg };
}

const UNREADABLE = 'This is no SVG that can be read: it begins with <svg and is well-formed XML.';
const STYLED =
	'This drawing has a style sheet, which is not used here. Export it with presentation attributes instead.';

function keptAttributes(attributes: string): string {
	let kept = '';
	for (const [, name = '', double, single] of attributes.matchAll(ATTRIBUTE)) {
		const value = double ?? single ?? '';
		const plain = name === 'xlink:href' ? 'href' : name;
		if (ATTRIBUTES.has(plain) && isHarmless(plain, value)) kept += ` ${plain}="${value}"`;
	}
	return kept;
}

/** Nothing that leads elsewhere, and nothing that reads otherwise than it looks. */
function isHarmless(name: string, value: string): boolean {
	if (name === 'href') return /^#[\w.-]+$/.test(value);
	if (/["&\\@]|\/\*/.test(value)) return false;
	return !/url\s*\(/i.test(value.replace(/url\(#[\w.-]+\)/g, ''));
}
