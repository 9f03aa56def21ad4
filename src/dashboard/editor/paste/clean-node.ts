import type { Element, ElementContent } from 'hast';
import { toString } from 'hast-util-to-string';
import { visit } from 'unist-util-visit';
import { listItems } from './blocks.ts';
import { classesOf, styleOf, type Style } from './style.ts';
import { element, isBlank, trimmed } from './tree.ts';

/** Makes an article's nodes of an element whose children are clean. */
type Cleaner = (node: Element, children: ElementContent[], style: Style) => ElementContent[];

/** Elements that are not simply kept without their looks. */
const CLEANERS = new Map<string, Cleaner>([
	...each(['span', 'font', 'b', 'i', 'u'], cleanMarks),
	['a', cleanLink],
	['img', cleanImage],
	...each(['p', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'], cleanBlock),
	['div', cleanDiv],
	...each(['th', 'td'], cleanCell),
	...each(['colgroup', 'col'], () => []),
	['ul', cleanList],
	...each(['strong', 'em', 'del', 's', 'strike', 'sub', 'sup'], unwrapBlank),
	['code', (node, children) => (isEmpty([node]) ? children : keep(node, children))],
	...each(['body', 'html', 'center'], (_node, children) => children),
	...each(['aside', 'figure', 'section', 'input', 'ol'], keep),
]);

/** Returns what stays of a pasted element: nothing, its content, or elements that say what its looks meant. */
export function cleanNode(node: Element): ElementContent[] {
	const style = styleOf(node);
	if (
		style['mso-list'] === 'ignore' ||
		style['display'] === 'none' ||
		style['mso-element'] === 'footnote-list'
	)
		return [];
	const children = node.children.flatMap((child) =>
		child.type === 'element' ? cleanNode(child) : tidyChild(child, node),
	);
	// Other programs' own elements.
	if (node.tagName.includes(':')) return children;
	return (CLEANERS.get(node.tagName) ?? strip)(node, children, style);
}

function each(names: string[], cleaner: Cleaner): [string, Cleaner][] {
	return names.map((name) => [name, cleaner]);
}

/** Takes all attributes off. */
function strip(node: Element, children: ElementContent[]): ElementContent[] {
	return [{ ...node, properties: {}, children }];
}

/** Takes the style off; other attributes mean something. */
function keep(node: Element, children: ElementContent[]): ElementContent[] {
	const { style: _style, ...properties } = node.properties;
	return [{ ...node, properties, children }];
}

/** Marks that are elements or styles: bold, italic, struck out, raised, lowered, code. */
function cleanMarks(node: Element, children: ElementContent[], style: Style): ElementContent[] {
	if (node.properties['dataType'] !== undefined) return [node];
	const { tagName } = node;
	const weight = style['font-weight'] ?? '';
	const isBold = tagName === 'b' ? weight !== 'normal' : /^(bold|bolder|[6-9]00)$/.test(weight);
	const isItalic =
		tagName === 'i' ? style['font-style'] !== 'normal' : style['font-style'] === 'italic';
	const shift = style['vertical-align'];
	const lines = `${style['text-decoration']} ${style['text-decoration-line']}`;
	// From the innermost to the outermost.
	const marks = [
		CODE_FONTS.test(style['font-family'] ?? '') && 'code',
		shift === 'super' && 'sup',
		shift === 'sub' && 'sub',
		lines.includes('line-through') && 'del',
		isItalic && 'em',
		isBold && 'strong',
	].filter((name) => name !== false);
	if (isEmpty(children)) return children;
	return marks.reduce((inner, name) => [element(name, inner)], children);
}

function cleanLink(node: Element, children: ElementContent[]): ElementContent[] {
	if (node.properties['dataFootnoteRef'] !== undefined) return [{ ...node, children }];
	const href = targetOf(String(node.properties.href ?? ''));
	return href ? [{ ...element('a', children), properties: { href } }] : children;
}

function cleanImage({ properties }: Element): ElementContent[] {
	const { alt, title, width, height } = properties;
	const src = ownPath(String(properties.src ?? ''));
	return [{ ...element('img', []), properties: { src, alt: alt ?? '', title, width, height } }];
}

function cleanBlock(node: Element, children: ElementContent[], style: Style): ElementContent[] {
	const { tagName } = node;
	const classes = classesOf(node);
	const isTitle = tagName === 'p' && classes.includes('MsoTitle');
	const block = element(isTitle ? 'h1' : tagName, trimmed(unbold(children, tagName)));
	const list = /^(l\d+) level(\d+)/.exec(style['mso-list'] ?? '');
	if (list)
		listItems.set(block, { name: list[1]!, level: Number(list[2]), ordered: isOrdered(node) });
	if (classes.includes('task-list-item')) block.properties.className = ['task-list-item'];
	const { id } = node.properties;
	if (String(id ?? '').startsWith('fn-')) block.properties['id'] = id;
	return [block];
}

function cleanDiv(node: Element, children: ElementContent[]): ElementContent[] {
	const { dataType, dataLatex } = node.properties;
	return (dataType ?? dataLatex) === undefined ? [element('div', children)] : strip(node, children);
}

/** Cleans a cell: a paragraph that is all it has is its text. */
function cleanCell(node: Element, children: ElementContent[]): ElementContent[] {
	const content = children.filter((child) => child.type === 'element' || !isBlank(child));
	const [only, more] = content;
	const inner = only?.type === 'element' && only.tagName === 'p' && !more ? only.children : content;
	const { colSpan, rowSpan, align } = node.properties;
	return [{ ...element(node.tagName, inner), properties: { colSpan, rowSpan, align } }];
}

/** Cleans a list. A toggle is no item of it, even where it is written as one. */
function cleanList(node: Element, children: ElementContent[]): ElementContent[] {
	if (children.every((item) => isBlank(item) || onlyDetails(item)))
		return children.flatMap((item) => (item.type === 'element' ? item.children : []));
	return keep(node, children);
}

/** Replaces a mark around nothing by what it holds. */
function unwrapBlank(node: Element, children: ElementContent[]): ElementContent[] {
	return isEmpty([node]) ? children : strip(node, children);
}

function isEmpty(children: ElementContent[]): boolean {
	return toString({ type: 'root', children }).trim() === '';
}

function onlyDetails(item: ElementContent): boolean {
	if (item.type !== 'element') return false;
	const [only, more] = item.children.filter((child) => !isBlank(child));
	return only?.type === 'element' && only.tagName === 'details' && !more;
}

const CODE_FONTS =
	/courier|consolas|menlo|monaco|monospace|roboto mono|source code|fira code|geist mono/;

/** Makes spaces of a source file's line ends, and of spaces that must not break. */
function tidyChild(child: ElementContent, parent: Element): ElementContent[] {
	if (child.type !== 'text') return [];
	if (parent.tagName === 'pre' || parent.tagName === 'code') return [child];
	return [{ type: 'text', value: child.value.replace(/[\u00a0\s]+/g, ' ') }];
}

/** Takes bold out of a heading, which is bold by itself. */
function unbold(children: ElementContent[], tagName: string): ElementContent[] {
	if (!tagName.startsWith('h')) return children;
	return children.flatMap((child) =>
		child.type === 'element' && /^(strong|b)$/.test(child.tagName) ? child.children : child,
	);
}

/** Returns where a link leads, without Google's detour; '' where no link may lead. */
function targetOf(href: string): string {
	const detour = /^https:\/\/www\.google\.com\/url\?(.*)$/.exec(href)?.[1];
	const target = detour
		? (new URLSearchParams(detour.replaceAll('&amp;', '&')).get('q') ?? href)
		: href;
	return /^(https?:|mailto:|\/(?!\/)|#)/.test(target) ? target : '';
}

/** An address of this site without its origin. */
function ownPath(src: string): string {
	const origin = typeof location === 'undefined' ? '' : location.origin;
	return origin && src.startsWith(`${origin}/`) ? src.slice(origin.length) : src;
}

function isOrdered(node: Element): boolean {
	let marker = '';
	visit(node, 'element', (child) => {
		if (styleOf(child)['mso-list'] === 'ignore') marker ||= toString(child);
	});
	return /^\s*\(?([0-9]+|[a-z]{1,4})[.)]/i.test(marker);
}
