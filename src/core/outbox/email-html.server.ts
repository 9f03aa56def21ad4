import type { Element, ElementContent, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import rehypeParse from 'rehype-parse';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { SKIP, visit } from 'unist-util-visit';
import { campaignLink, type Sender } from './campaign.ts';
import { ARTICLE_STYLES } from './email-styles.ts';
import { element, text } from '#src/lib/hast.ts';

/**
 * Returns an article's HTML for email: inline styles, no classes, figures as their captions and tables, formulas on one
 * line, and paths as addresses of the sender's site.
 */
export async function emailHtml(html: string, sender?: Sender): Promise<string> {
	return String(
		await unified()
			.use(rehypeParse, { fragment: true })
			.use(() => (tree: Root) => toEmail(tree, sender))
			.use(rehypeStringify)
			.process(html),
	);
}

function toEmail(tree: Root, sender: Sender | undefined): void {
	visit(tree, 'element', (node, index, parent) => {
		if (!parent || index === undefined) return;
		if (isDrawn(node)) parent.children[index] = inWords(node);
		if (node.tagName === 'math') {
			parent.children[index] = formulaHtml(node);
			return SKIP;
		}
		return;
	});
	visit(tree, 'element', (node, index, parent) => {
		if (!parent || index === undefined) return;
		if (isAnchor(node)) {
			parent.children.splice(index, 1);
			return index;
		}
		// The colors of code, which are classes.
		if (node.tagName === 'span') {
			parent.children.splice(index, 1, ...node.children);
			return index;
		}
		const isBlock = parent.type === 'element' && parent.tagName === 'pre';
		// Code inside of a block inherits the block's style.
		const style = isBlock ? 'font-family:inherit' : ARTICLE_STYLES[node.tagName];
		node.properties = { ...keepAddresses(node.properties, sender), ...(style && { style }) };
		if (node.tagName === 'pre') narrowTabs(node);
		return;
	});
	// On a phone a table is moved sideways, so that no number is broken.
	visit(tree, 'element', (node, index, parent) => {
		if (!parent || index === undefined || node.tagName !== 'table') return;
		const properties = { style: 'overflow-x:auto;margin:0 0 16px' };
		parent.children[index] = { type: 'element', tagName: 'div', properties, children: [node] };
		return SKIP;
	});
}

/** Makes tabs of code two spaces, because email has no other width for them than eight. */
function narrowTabs(code: Element): void {
	visit(code, 'text', (text) => {
		text.value = text.value.replaceAll('\t', '  ');
	});
}

/** A figure that is drawn as SVG, which email clients leave out. */
function isDrawn(node: Element): boolean {
	if (node.tagName !== 'figure') return false;
	let drawn = false;
	visit(node, 'element', ({ tagName }) => {
		drawn ||= tagName === 'svg';
	});
	return drawn;
}

/** Width of the text of an email in pixels. */
const MAX_PICTURE = 520;

/** Returns a figure as its PNG, its caption and its tables: of its drawings the one for phones, whose words stay readable. */
function inWords(figure: Element): Element {
	const drawings: Element[] = [];
	visit(figure, 'element', (node) => {
		if (node.properties.dataPicture) drawings.push(node);
	});
	drawings.sort((a, b) => Number(a.properties.width) - Number(b.properties.width));
	const children = drawings.slice(0, 1).map(({ properties }): Element => {
		const { dataPicture, ariaLabel, width } = properties;
		const image = {
			src: String(dataPicture),
			alt: String(ariaLabel ?? ''),
			width: Math.min(Number(width), MAX_PICTURE),
		};
		return { type: 'element', tagName: 'img', properties: image, children: [] };
	});
	const tables: Element[] = [];
	visit(figure, 'element', (node) => {
		if (node.tagName === 'figcaption') {
			const text = { type: 'text' as const, value: toString(node) };
			children.push({ type: 'element', tagName: 'p', properties: {}, children: [text] });
		}
		if (node.tagName === 'table') tables.push(node);
	});
	children.push(...tables);
	return { type: 'element', tagName: 'div', properties: {}, children };
}

/** Returns whether a link is that of a heading to itself. */
const isAnchor = ({ tagName, properties }: Element) =>
	tagName === 'a' && Array.isArray(properties.className) && properties.className.includes('anchor');

/** Keeps only addresses and alternative text, because email knows neither our classes nor scripts. */
function keepAddresses(
	{ href, src, alt, width }: Element['properties'],
	sender: Sender | undefined,
): Record<string, string> {
	const isPath = (address: unknown) => typeof address === 'string' && /^\/(?!\/)/.test(address);
	const path = sender?.page && String(href).startsWith('#') ? sender.page + String(href) : href;
	const link = sender && isPath(path) ? campaignLink(sender.siteUrl + path, sender.campaign) : path;
	const file = sender && isPath(src) ? sender.siteUrl + src : src;
	return Object.fromEntries(
		Object.entries({
			href: link,
			src: file,
			alt,
			...(src && { width: String(width ?? '') }),
		}).filter(
			// A picture without words of its own says so, or its address is read out.
			(entry): entry is [string, string] =>
				Boolean(entry[1]) || (entry[0] === 'alt' && Boolean(src)),
		),
	);
}

/** Marks over a letter, as the combining characters that put them there. */
const ACCENTS: Record<string, string> = {
	'^': '\u0302',
	ˆ: '\u0302',
	'¯': '\u0304',
	'‾': '\u0304',
	'~': '\u0303',
	'˜': '\u0303',
	'˙': '\u0307',
	'→': '\u20d7',
	'⃗': '\u20d7',
};
/** Operators that stand between spaces. */
const SPACED = /^(?:[=<>≤≥≪≫≈≃≡≠∼∝∈∉⊂⊆→←↦⇒⇔+−±×·⋅÷∪∩∧∨∣]|:=)$/;

/**
 * Returns a formula as HTML for email, which knows no MathML: italics, subscripts and superscripts, fractions and roots on
 * one line. Takes a `math` element.
 */
function formulaHtml(math: Element): Element {
	return element('span', {}, inLine(math));
}

function inLine(node: ElementContent, index = 0): ElementContent[] {
	if (node.type !== 'element') return node.type === 'text' ? [node] : [];
	const parts = node.children.filter((child): child is Element => child.type === 'element');
	const [first, second, third] = parts;
	const part = (child: Element | undefined) => (child ? inLine(child) : []);
	const script = (tag: 'sub' | 'sup', child: Element | undefined) => element(tag, {}, part(child));
	switch (node.tagName) {
		case 'mi': {
			const name = toString(node);
			const isItalic = /^\p{L}$/u.test(name) && node.properties.mathvariant !== 'normal';
			return [isItalic ? element('i', {}, [text(name)]) : text(name)];
		}
		case 'mo': {
			const sign = toString(node);
			return [text(index > 0 && SPACED.test(sign) ? ` ${sign} ` : sign)];
		}
		case 'mspace':
			return [text(' ')];
		case 'annotation':
			return [];
		case 'msub':
		case 'munder':
			return [...part(first), script('sub', second)];
		case 'msup':
			return [...part(first), script('sup', second)];
		case 'mover': {
			const accent = second && ACCENTS[toString(second).trim()];
			return accent ? [...part(first), text(accent)] : [...part(first), script('sup', second)];
		}
		case 'msubsup':
		case 'munderover':
			return [...part(first), script('sub', second), script('sup', third)];
		case 'mfrac':
			return [...grouped(first), text('/'), ...grouped(second)];
		case 'msqrt':
			return [text('√('), ...parts.flatMap(inLine), text(')')];
		case 'mroot':
			return [script('sup', second), text('√('), ...part(first), text(')')];
		case 'mtr':
			return parts.flatMap((cell, at) => [...(at > 0 ? [text(' ')] : []), ...inLine(cell)]);
		case 'mtable':
			return parts.flatMap((row, at) => [...(at > 0 ? [text('; ')] : []), ...inLine(row)]);
		default:
			return node.children.length > parts.length
				? [text(toString(node))]
				: parts.flatMap((child, at) => inLine(child, at));
	}
}

/** Returns a part of a fraction, in brackets where it has more than one sign. */
function grouped(node: Element | undefined): ElementContent[] {
	if (!node) return [];
	const isWhole = /^[\p{L}\p{N}.,\p{M}]+$/u.test(toString(node).trim());
	return isWhole ? inLine(node) : [text('('), ...inLine(node), text(')')];
}
