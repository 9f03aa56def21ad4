import { PAPER } from '#src/core/figures/svg.ts';

/** Elements that are kept. What is none of these is left out, with what is in it. */
export const ELEMENTS = new Set(
	`svg g defs symbol use path rect circle ellipse line polyline polygon text tspan textPath linearGradient radialGradient stop
	clipPath mask pattern marker filter feBlend feColorMatrix feComponentTransfer feFuncA feFuncB feFuncG feFuncR feComposite
	feDropShadow feFlood feGaussianBlur feMerge feMergeNode feOffset`.split(/\s+/),
);
/** Elements of which only what is in them is kept. */
export const WRAPPERS = new Set(['a', 'switch']);
/** Elements that show nothing: nobody is told that they are gone. */
export const UNSEEN = new Set(['metadata', 'title', 'desc', 'view', 'color-profile', 'cursor']);

type Kind = 'words' | 'path' | 'transform' | 'paint' | 'reference' | 'family' | 'link';

const KINDS: Record<Kind, string> = {
	words: `viewBox preserveAspectRatio width height x y x1 x2 y1 y2 dx dy cx cy r rx ry fx fy fr points pathLength rotate textLength
		lengthAdjust offset startOffset method spacing side xml:space gradientUnits spreadMethod clipPathUnits maskUnits
		maskContentUnits patternUnits patternContentUnits markerUnits markerWidth markerHeight refX refY orient filterUnits
		primitiveUnits in in2 result stdDeviation type values mode operator k1 k2 k3 k4 tableValues slope intercept amplitude exponent`,
	path: 'd',
	transform: 'transform gradientTransform patternTransform',
	link: 'href',
	...{ paint: '', reference: '', family: '' },
};
/** Properties of CSS that are attributes as well. */
const LOOKS: Record<Exclude<Kind, 'path' | 'link'>, string> = {
	words: `fill-opacity fill-rule stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset
		stroke-opacity opacity clip-rule stop-opacity flood-opacity font-size font-weight font-style font-stretch font-variant
		text-anchor letter-spacing word-spacing dominant-baseline alignment-baseline baseline-shift text-decoration writing-mode
		direction display visibility overflow paint-order vector-effect mask-type shape-rendering text-rendering
		color-interpolation-filters color-interpolation`,
	transform: '',
	paint: 'fill stroke color stop-color flood-color',
	reference: 'clip-path mask filter marker-start marker-mid marker-end',
	family: 'font-family',
};

const listed = (kinds: Partial<Record<Kind, string>>) =>
	Object.entries(kinds).flatMap(([kind, names]) =>
		names
			.split(/\s+/)
			.filter(Boolean)
			.map((name): [string, Kind] => [name, kind as Kind]),
	);
export const PROPERTIES = new Map(listed(LOOKS));
export const ATTRIBUTES = new Map([...listed(KINDS), ...PROPERTIES]);

const WORDS = /^[-+\w.,%\s]*$/;
const PATH = /^[-+\d.eE,\sMmZzLlHhVvCcSsQqTtAa]*$/;
const TRANSFORM =
	/^(?:\s*,?\s*(?:matrix|translate|scale|rotate|skewX|skewY)\s*\([-+\d.eE,\s]*\))*\s*$/;
const FAMILY = /^[\p{L}\d\s,'_.-]*$/u;
const COLOR =
	/^(?:#[\da-f]{3,8}|[a-z]+(?:-[a-z]+)?|(?:rgb|rgba|hsl|hsla|hwb|lab|lch|oklab|oklch)\([-+\d.,%/\sa-z]*\))$/i;
const OWN = /^url\(\s*(?:"#([^"]+)"|'#([^']+)'|#([^\s"')]+))\s*\)\s*(.*)$/s;
/** Numbers that no drawing needs: they make pictures that take for ever. */
const HUGE = /(?<![\d.])\d{8}|e\+?\d{2}/i;

/** A value that may stay, and the id that it refers to. */
export type Value = { text: string; id?: string };

/** Returns an attribute's value with nothing that leads elsewhere, or null where there is none. */
export function cleanValue(name: string, given: string): Value | null {
	const kind = ATTRIBUTES.get(name);
	const text = given.replace(/\s+/g, ' ').trim();
	if (!kind || (kind !== 'paint' && kind !== 'family' && HUGE.test(text))) return null;
	switch (kind) {
		case 'words':
			return WORDS.test(text) ? { text } : null;
		case 'path':
			return PATH.test(text) ? { text } : null;
		case 'transform': {
			// As CSS it may name units, which attributes may not.
			const plain = text.replace(/(?<=\d)(?:px|deg)/g, '');
			return TRANSFORM.test(plain) ? { text: plain } : null;
		}
		case 'family': {
			const plain = text.replaceAll('"', "'");
			return FAMILY.test(plain) ? { text: plain } : null;
		}
		case 'link':
			return /^#[^\s"'()<>&]+$/.test(text) ? { text: '', id: text.slice(1) } : null;
		case 'reference': {
			if (text === 'none') return { text };
			const own = OWN.exec(text);
			return own?.[4] === '' ? { text: '', id: (own[1] ?? own[2] ?? own[3])! } : null;
		}
		case 'paint':
			return cleanPaint(text, 3);
	}
}

/** Returns a color, a gradient of the drawing's own with what replaces it, or one of the site's colors. */
function cleanPaint(text: string, depth: number): Value | null {
	if (depth === 0 || text.length > 300) return null;
	const [, name, inside] = /^(var|light-dark)\((.*)\)$/is.exec(text) ?? [];
	if (name !== undefined) {
		const [first, rest] = splitOnce(inside!);
		if (name.toLowerCase() === 'light-dark') return cleanPaint(first, depth - 1);
		const paper = Object.hasOwn(PAPER, first) && first.startsWith('--') ? PAPER[first] : undefined;
		if (paper?.startsWith('#')) return { text: `var(${first}, ${paper})` };
		return rest === undefined ? null : cleanPaint(rest, depth - 1);
	}
	const own = OWN.exec(text);
	if (!own) return COLOR.test(text) ? { text } : null;
	const fallback = own[4]!.trim();
	const instead = fallback && COLOR.test(fallback) ? fallback : 'none';
	return { text: instead, id: (own[1] ?? own[2] ?? own[3])! };
}

/** Returns what stands before the first comma that is in no parentheses, and what stands after it. */
function splitOnce(text: string): [string, string?] {
	let depth = 0;
	for (let index = 0; index < text.length; index++) {
		if (text[index] === '(') depth++;
		else if (text[index] === ')') depth--;
		else if (text[index] === ',' && depth === 0)
			return [text.slice(0, index).trim(), text.slice(index + 1).trim()];
	}
	return [text.trim()];
}

/** Pixels of each unit. */
const UNITS: Record<string, number> = {
	'': 1,
	px: 1,
	pt: 4 / 3,
	pc: 16,
	in: 96,
	cm: 96 / 2.54,
	mm: 96 / 25.4,
	q: 96 / 101.6,
};

/** Returns a length in pixels, or undefined where it says none. */
export function pixelsOf(length: string | undefined): number | undefined {
	const [, number, unit = ''] =
		/^\s*\+?(\d*\.?\d+(?:e[-+]?\d)?)\s*([a-z]*)\s*$/i.exec(length ?? '') ?? [];
	const factor = UNITS[unit.toLowerCase()];
	const pixels = Number(number) * (factor ?? Number.NaN);
	return pixels > 0 && pixels < 1e6 ? pixels : undefined;
}
