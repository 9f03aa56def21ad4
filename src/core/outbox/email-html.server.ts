import type { Element, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import rehypeParse from 'rehype-parse';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { SKIP, visit } from 'unist-util-visit';
import { campaignLink, type Sender } from './campaign.ts';
import { formulaHtml } from './formula-html.ts';
import { ARTICLE_STYLES } from './email-styles.ts';

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

/** The link of a heading to itself. */
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
		}).filter((entry): entry is [string, string] => Boolean(entry[1])),
	);
}
