import { SaxesParser, type SaxesTagNS } from 'saxes';
import { FigureError } from '#src/core/figures/figure-error.ts';
import { formatCount } from '#src/lib/text.ts';
import { MAX_DRAWING_BYTES } from './library.ts';
import { keepReferences } from './references.ts';
import { writeShape, type Shape } from './shape.ts';
import { applyStyles } from './styles.ts';
import { ATTRIBUTES, cleanValue, ELEMENTS, pixelsOf, UNSEEN, WRAPPERS } from './values.ts';

/** Limits of a drawing. What is kept of it is part of the page. */
export const DRAWING_LIMITS = {
	/** Characters of the file. */
	source: MAX_DRAWING_BYTES,
	/** Characters of what is kept. */
	length: 300_000,
	/** Elements of the file, and of what is kept. */
	elements: 30_000,
	shapes: 5_000,
	depth: 50,
	/** Cost of showing it, as `keepReferences` counts. */
	cost: 30_000,
	/** Pixels of a side, where the file says more. */
	side: 3_000,
	entities: 1_000,
	entityLength: 300,
};

const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';
const XML = 'http://www.w3.org/XML/1998/namespace';
const XHTML = 'http://www.w3.org/1999/xhtml';

/** A drawing as a file with nothing in it but shapes and words, and what was taken out of it. */
export type CleanDrawing = {
	svg: string;
	width: number;
	height: number;
	/** The file's own title; may be empty. */
	title: string;
	/** Each kind of what was taken out, with its number, in words for the writer. */
	removed: string[];
};

/**
 * Returns an SVG file as a drawing that may stand in a page: what is not on the list of what a drawing needs is left out, and
 * so is all that leads anywhere. Cleaning twice changes nothing. Throws a `FigureError` that says why a file cannot be used.
 */
export function cleanDrawing(source: string, limits = DRAWING_LIMITS): CleanDrawing {
	if (source.length > limits.source)
		throw new FigureError(`it has more than ${formatCount(limits.source)} characters`);
	const removed = new Map<string, number>();
	const tell = (what: string) => void removed.set(what, (removed.get(what) ?? 0) + 1);
	const { root, sheets, title } = read(source, tell, limits);
	const { width, height, viewBox } = sizeOf(root, limits.side);
	chooseOfSwitches(root);
	applyStyles(root, sheets, tell);
	const [, , wide, high] = viewBox.split(' ').map(Number);
	cleanAttributes(root, Math.max(wide!, high!), tell);
	root.attributes = new Map([
		['xmlns', SVG],
		['viewBox', viewBox],
		['width', String(width)],
		['height', String(height)],
		...[...root.attributes].filter(([name]) => !PLACING.has(name)),
	]);
	keepReferences(root, limits.cost);
	if (!shows(root)) throw new FigureError('it has no shapes or words that can be shown');
	const svg = writeShape(root);
	if (svg.length > limits.length)
		throw new FigureError(
			`its shapes have more than ${formatCount(limits.length)} characters: simplify them`,
		);
	const words = [...removed].map(([what, count]) => (count > 1 ? `${what} (${count})` : what));
	return { svg, width, height, title, removed: words };
}

const SHOWN = /^(path|rect|circle|ellipse|line|polyline|polygon|text|use)$/;
const shows = ({ name, children }: Shape): boolean =>
	SHOWN.test(name) || children.some((child) => typeof child !== 'string' && shows(child));

/** Attributes that say how large the whole drawing is, and where it stands. */
const PLACING = new Set(['xmlns', 'viewBox', 'width', 'height', 'x', 'y', 'transform', 'id']);

/** Reads a file into the elements that are kept, with all that their attributes say. */
function read(source: string, tell: (what: string) => void, limits: typeof DRAWING_LIMITS) {
	const parser = new SaxesParser({ xmlns: true, additionalNamespaces: { xlink: XLINK } });
	const open: Shape[] = [];
	const sheets: string[] = [];
	let root: Shape | undefined;
	let title = '';
	/** Where words go that come next. */
	let words: 'none' | 'sheet' | 'title' = 'none';
	let depth = 0;
	let count = 0;
	let shapes = 0;
	/** Depth of the element that is left out with what is in it. */
	let leftOut = 0;

	const start = (tag: SaxesTagNS) => {
		depth++;
		if (++count > limits.elements)
			throw new FigureError(`it has more than ${formatCount(limits.elements)} elements`);
		if (depth > limits.depth)
			throw new FigureError(`its elements are nested more than ${limits.depth} deep`);
		if (leftOut > 0) return;
		const name = tag.uri === SVG || tag.uri === '' ? tag.local : '';
		const parent = open.at(-1);
		if (!parent && (root || name !== 'svg')) throw new FigureError('it is no SVG');
		if (name === 'style') {
			words = 'sheet';
			sheets.push('');
		} else if (name === 'title' && open.length === 1 && !title) words = 'title';
		// What needs an extension of its program is not shown by others.
		const isOfProgram = Boolean(tag.attributes['requiredExtensions']?.value);
		if (isOfProgram || (!ELEMENTS.has(name) && !WRAPPERS.has(name))) {
			leftOut = depth;
			const what = isOfProgram ? null : nameOf(tag, name);
			if (what) tell(what);
			if (PRIMITIVE.test(name) && parent) parent.isBroken = true;
			return;
		}
		if (++shapes > limits.shapes)
			throw new FigureError(`it has more than ${formatCount(limits.shapes)} shapes`);
		const shape: Shape = { name, attributes: new Map(), children: [] };
		if (name === 'a') tell('a link');
		for (const attribute of Object.values(tag.attributes)) {
			if (attribute.uri === '') shape.attributes.set(attribute.local, attribute.value);
			else if (attribute.uri === XML && attribute.local === 'space')
				shape.attributes.set('xml:space', attribute.value);
			else if (attribute.uri === XLINK && attribute.local === 'href' && !tag.attributes['href'])
				shape.attributes.set('href', attribute.value);
		}
		parent?.children.push(shape);
		root ??= shape;
		open.push(shape);
	};
	parser.on('opentag', start);
	parser.on('closetag', () => {
		if (leftOut === 0) open.pop();
		else if (depth === leftOut) {
			leftOut = 0;
			words = 'none';
		}
		depth--;
	});
	const text = (value: string) => {
		if (words === 'sheet') sheets[sheets.length - 1] += value;
		else if (words === 'title') title += value;
		else if (leftOut === 0 && isWordy(open.at(-1)))
			open.at(-1)!.children.push(value.replace(/\s/g, ' '));
	};
	parser.on('text', text);
	parser.on('cdata', text);
	parser.on('doctype', (doctype) => {
		const entities = entitiesOf(doctype);
		if (entities.length > 0 && source.split('&').length > limits.entities)
			throw new FigureError('it uses its entities too often');
		for (const [name, value] of entities) parser.ENTITIES[name] = value;
	});
	parser.on('error', (error) => {
		throw new FigureError(`it is no well-formed XML (${error.message.slice(0, 100)})`);
	});
	parser.write(source.replace(/^\uFEFF?\s*/, '')).close();
	if (!root) throw new FigureError('it is no SVG');
	return { root, sheets, title: title.replace(/\s+/g, ' ').trim().slice(0, 500) };
}

const isWordy = (shape: Shape | undefined) =>
	shape !== undefined && /^(text|tspan|textPath|a)$/.test(shape.name);

/** Parts of filters, and what they are made of. */
const PRIMITIVE = /^fe[A-Z]/;

/** Returns what an element that is left out is for a writer, or null where it shows nothing. */
function nameOf({ uri, local, name: full }: SaxesTagNS, name: string): string | null {
	if (uri === XHTML) return 'HTML';
	if (name === '') return null;
	if (UNSEEN.has(name) || name === 'style') return null;
	if (name === 'foreignObject') return 'HTML';
	if (name === 'script') return 'a script';
	if (/^(animate.*|set|mpath|discard)$/.test(name)) return 'an animation';
	if (name === 'image' || name === 'feImage') return 'a picture';
	if (/^(font.*|glyph|missing-glyph|hkern|vkern)$/.test(name)) return 'a font of its own';
	if (PRIMITIVE.test(name)) return `the filter ${local}`;
	return `${full.slice(0, 30)} element`;
}

/** Returns the entities that a file declares for itself: plain words only, so that none is made of others. */
function entitiesOf(doctype: string): [string, string][] {
	const declared = doctype.matchAll(/<!ENTITY\s+([A-Za-z][\w.-]*)\s+(?:"([^"]*)"|'([^']*)')\s*>/g);
	return Array.from(declared).flatMap(([, name, double, single]): [string, string][] => {
		const value = double ?? single ?? '';
		const isPlain = !/[<&%]/.test(value) && value.length <= DRAWING_LIMITS.entityLength;
		return isPlain ? [[name!, value]] : [];
	});
}

/**
 * Replaces each `<switch>` by its first child that is in English or names no language, as a browser would, and each link by what it
 * holds.
 */
function chooseOfSwitches(shape: Shape): void {
	shape.children = shape.children.flatMap((child): Shape['children'] => {
		if (typeof child === 'string') return [child];
		chooseOfSwitches(child);
		if (child.name === 'a') return inPlaceOf(child, child.children);
		if (child.name !== 'switch') return [child];
		const isShown = (one: Shape | string): one is Shape =>
			typeof one !== 'string' && /^(en\b.*)?$/.test(one.attributes.get('systemLanguage') ?? '');
		const first = child.children.find(isShown);
		return inPlaceOf(child, first ? [first] : []);
	});
}

/** Returns what was in an element, in a group where that has looks. */
function inPlaceOf({ attributes }: Shape, children: Shape['children']): Shape['children'] {
	const isPlain = ![...attributes.keys()].some(
		(name) => ATTRIBUTES.has(name) || name === 'class' || name === 'style',
	);
	const hasWords = children.some((child) => typeof child === 'string' || child.name === 'tspan');
	if (isPlain || children.length === 0) return children;
	return [{ name: hasWords ? 'tspan' : 'g', attributes, children }];
}

function sizeOf({ attributes }: Shape, maxSide: number) {
	const box =
		attributes
			.get('viewBox')
			?.trim()
			.split(/[\s,]+/)
			.map(Number) ?? [];
	const isBox =
		box.length === 4 && box.every((number) => Math.abs(number) < 1e6) && box[2]! > 0 && box[3]! > 0;
	const ratio = isBox ? box[3]! / box[2]! : undefined;
	const [wide, high] = [pixelsOf(attributes.get('width')), pixelsOf(attributes.get('height'))];
	const width = wide ?? (high && ratio ? high / ratio : box[2]);
	const height = high ?? (wide && ratio ? wide * ratio : box[3]);
	if (!isBox && !(wide && high))
		throw new FigureError('it says nothing of its size: give its svg element a viewBox');
	const scale = Math.min(1, maxSide / Math.max(width!, height!));
	const rounded = (side: number) => Math.max(1, Math.round(side * scale));
	const viewBox = isBox ? box.join(' ') : `0 0 ${wide} ${high}`;
	return { width: rounded(width!), height: rounded(height!), viewBox };
}

/** Dashes along a side, at most. */
const FINEST = 4_000;
/** Elements that may name another one of the drawing. */
const LINKING = new Set('use textPath linearGradient radialGradient pattern'.split(' '));

/** Removes attributes that are not on the list, and values that lead elsewhere. Sets references aside. */
function cleanAttributes(shape: Shape, side: number, tell: (what: string) => void): void {
	const kept = new Map<string, string>();
	for (const [name, value] of shape.attributes) {
		if (name === 'id' || name === 'style') kept.set(name, value);
		else if (/^on/i.test(name)) tell('an event handler');
		if (!ATTRIBUTES.has(name) || (name === 'href' && !LINKING.has(shape.name))) continue;
		const clean = cleanValue(name, value);
		if (clean === null) {
			if (name === 'href' || /url\(/i.test(value)) tell('a reference to something elsewhere');
			else if (value.trim() !== '') tell(`a value of ${name}`);
		} else if (clean.id === undefined) kept.set(name, clean.text);
		else (shape.references ??= new Map()).set(name, { id: clean.id, instead: clean.text });
	}
	const dashes = kept.get('stroke-dasharray')?.match(/[\d.]+(e-?\d+)?/g) ?? [];
	const period = dashes.reduce((sum, dash) => sum + Number(dash), 0);
	if (period > 0 && period < side / FINEST) {
		kept.delete('stroke-dasharray');
		tell('dashes too fine to be seen');
	}
	shape.attributes = kept;
	for (const child of shape.children)
		if (typeof child !== 'string') cleanAttributes(child, side, tell);
}
