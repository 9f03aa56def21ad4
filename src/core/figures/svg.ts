import type { Element, ElementContent } from 'hast';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { curlQuotes } from '#src/lib/quotes.ts';
import { formatCount } from '#src/lib/text.ts';
import { FigureError } from './figure-error.ts';

/** Elements of a picture. More make a page that is slow to load. */
const MAX_SHAPES = 1500;
/** Characters of a picture's outlines. */
const MAX_LENGTH = 200_000;

const TAGS = new Set(
	'svg g path line rect circle ellipse polygon polyline text tspan defs marker clipPath'.split(' '),
);
/** Attributes by their names in the tree. None refers to anything outside of the picture. */
const ATTRIBUTES = new Set(
	`viewBox width height x y x1 x2 y1 y2 cx cy r rx ry dx dy d points transform fill fillOpacity stroke strokeWidth strokeDashArray
	strokeDashOffset strokeOpacity strokeLineCap strokeLineJoin strokeMiterLimit opacity textAnchor fontFamily fontSize fontWeight fontStyle
	markerWidth markerHeight refX refY orient markerStart markerEnd id`.split(/\s+/),
);
/** The site's colors for the variables that diagrams are drawn with. */
const VARIABLES: Record<string, string> = {
	'--bg': '--color-paper',
	'--fg': '--color-ink',
	'--_text': '--color-ink',
	'--_text-sec': '--color-ink',
	'--_text-muted': '--color-muted',
	'--_text-faint': '--color-muted',
	'--_line': '--color-muted',
	'--_arrow': '--color-ink',
	'--_node-fill': '--color-raised',
	'--_node-stroke': '--color-edge',
	'--_group-fill': '--color-sunken',
	'--_group-hdr': '--color-sunken',
	'--_inner-stroke': '--color-line',
	'--_key-badge': '--color-line',
};

/** Returns a drawn picture with nothing but shapes and words, in the site's colors, as small as it looks the same. */
export function cleanSvg(svg: Element): Element {
	const { width, height, viewBox } = svg.properties;
	if (!viewBox || !(Number(width) > 0) || !(Number(height) > 0))
		throw new FigureError('nothing was drawn');
	const children = sayOnce(svg.children.flatMap(clean));
	const shapes = children.reduce((sum, child) => sum + sizeOf(child), 0);
	if (shapes > MAX_SHAPES)
		throw new FigureError(`it has more than ${formatCount(MAX_SHAPES)} shapes`);
	if (JSON.stringify(children).length > MAX_LENGTH)
		throw new FigureError(`it has outlines of more than ${formatCount(MAX_LENGTH)} characters`);
	return {
		type: 'element',
		tagName: 'svg',
		properties: { viewBox, width: Math.ceil(Number(width)), height: Math.ceil(Number(height)) },
		children,
	};
}

/** Attributes that an element has from the group around it. */
const INHERITED =
	`fill fillOpacity stroke strokeWidth strokeDashArray strokeOpacity strokeLineCap strokeLineJoin textAnchor
	fontFamily fontSize fontWeight fontStyle`.split(/\s+/);
/** Fewer elements in a row are no shorter in a group. */
const LEAST_ALIKE = 3;

/** Returns elements in groups that say what several in a row say alike: ticks, labels and points of a plot are half as long so. */
function sayOnce(children: readonly ElementContent[]): ElementContent[] {
	const rows: ElementContent[][] = [];
	for (const child of children) {
		const last = rows.at(-1)?.[0];
		const isAlike = child.type === 'element' && last?.type === 'element' && isLike(child, last);
		if (isAlike) rows.at(-1)!.push(child);
		else rows.push([child]);
	}
	return rows.flatMap((row) => {
		const [first] = row;
		if (first?.type !== 'element') return row;
		if (first.tagName === 'g') return { ...first, children: sayOnce(first.children) };
		if (row.length < LEAST_ALIKE) return row;
		const shared = INHERITED.filter((name) => first.properties[name] !== undefined);
		const own = (properties: Element['properties']) =>
			Object.fromEntries(Object.entries(properties).filter(([name]) => !shared.includes(name)));
		const alone = (row as Element[]).map((one) => ({ ...one, properties: own(one.properties) }));
		const properties = Object.fromEntries(shared.map((name) => [name, first.properties[name]]));
		return { type: 'element', tagName: 'g', properties, children: alone };
	});
}

const isLike = (one: Element, other: Element) =>
	one.tagName !== 'g' &&
	one.tagName === other.tagName &&
	INHERITED.every((name) => one.properties[name] === other.properties[name]);

const sizeOf = (node: ElementContent): number =>
	node.type === 'element' ? node.children.reduce((sum, child) => sum + sizeOf(child), 1) : 0;

function clean(node: ElementContent): ElementContent[] {
	if (node.type === 'text')
		return node.value.trim() === '' ? [] : [{ ...node, value: curlQuotes(node.value) }];
	if (node.type !== 'element' || !TAGS.has(node.tagName) || isUnseen(node)) return [];
	const properties = Object.fromEntries(
		Object.entries(node.properties).flatMap(([name, value]) => {
			if (!ATTRIBUTES.has(name) || (name === 'opacity' && String(value) === '1')) return [];
			const short = shorten(String(value));
			return short === null || (name === 'transform' && short === 'translate(0,0)')
				? []
				: [[name, short]];
		}),
	);
	const children = node.children.flatMap(clean);
	if (node.tagName === 'g' && (children.length === 0 || Object.keys(properties).length === 0))
		return children;
	return [{ type: 'element', tagName: node.tagName, properties, children }];
}

/** Frames of groups that have no color of their own. */
function isUnseen({ properties: { className, stroke, fill, display } }: Element): boolean {
	const isFrame = ['background', 'foreground'].some((one) => [className].flat().includes(one));
	return display === 'none' || (isFrame && !stroke && !fill);
}

/** Returns a value with numbers of one decimal and the site's variables, or null for one that leads elsewhere. */
function shorten(value: string): string | null {
	if (/url\((?!#[\w-]+\))|javascript:|expression/i.test(value)) return null;
	return value
		.replace(/-?\d+\.\d{2,}/g, (number) => String(Math.round(Number(number) * 10) / 10))
		.replace(/var\((--[\w-]+)\)/g, (whole, name: string) =>
			name in VARIABLES ? `var(${VARIABLES[name]})` : whole,
		);
}

/** Returns a picture whose ids begin with this one, so that they are unique in the page. */
export function withIds(svg: Element, id: string): Element {
	const rename = (node: Element): Element => ({
		...node,
		properties: Object.fromEntries(
			Object.entries(node.properties).map(([name, value]) => [
				name,
				name === 'id'
					? `${id}-${String(value)}`
					: String(value).replace(name === 'href' ? /^#/ : 'url(#', (start) => `${start}${id}-`),
			]),
		),
		children: node.children.map((child) => (child.type === 'element' ? rename(child) : child)),
	});
	return rename(svg);
}

/** Colors and fonts on paper, and wherever there are no style sheets. */
export const PAPER: Record<string, string> = {
	'--color-paper': '#ffffff',
	'--color-raised': '#ffffff',
	'--color-sunken': '#f1f1ec',
	'--color-ink': '#10161d',
	'--color-muted': '#4c5761',
	'--color-line': '#d9dbd5',
	'--color-edge': '#7d868d',
	'--color-accent': '#0e7490',
	'--color-danger': '#b42318',
	'--plot-1': '#0e7490',
	'--plot-2': '#b45309',
	'--plot-3': '#6d28d9',
	'--plot-4': '#3f6212',
	'--plot-5': '#be185d',
	'--plot-6': '#4c5761',
	'--font-label': 'Geist Mono',
};

/** Returns a drawn picture as a file of its own, in the colors of paper. */
export function fileOf(svg: Element): string {
	const {
		className: _className,
		role: _role,
		ariaLabel: _label,
		dataPicture: _picture,
		...properties
	} = svg.properties;
	// Typst knows the font by its file's name.
	const fontFamily = "'Bricolage Grotesque', 'Bricolage Grotesque 96pt'";
	const font = { xmlns: 'http://www.w3.org/2000/svg', fontFamily };
	const alone: Element = { ...svg, properties: { ...font, ...properties } };
	return unified()
		.use(rehypeStringify)
		.stringify({ type: 'root', children: [alone] })
		.replace(/var\((--[\w-]+)(?:, #\w+)?\)/g, (_, name: string) => PAPER[name] ?? '#10161d');
}
