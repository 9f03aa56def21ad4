import type { Element, ElementContent, Root, RootContent } from 'hast';
import { toString } from 'hast-util-to-string';
import { parseHtml, writeArticle } from '#src/core/articles/sanitize.ts';
import { anchor, find, hasClass, paragraph, wrapWords, type Adoption } from './foreign-html.ts';

/** The file of a page that Notion wrote as HTML. */
export const isNotionPage = (text: string): boolean =>
	/<article[^>]*\bclass="page\b/.test(text) && text.includes('class="page-body"');

/** A page of Notion: its title, its properties by their names, its picture, and its text as HTML that others read. */
type NotionPage = {
	title: string;
	data: Map<string, unknown>;
	html: string;
	/** True where the page only lists others, which are imported themselves. */
	isList: boolean;
};

/** Reads a page as Notion's “Export as HTML” writes it. */
export function readNotionPage(source: string, report: Adoption['report']): NotionPage {
	const tree = parseHtml(source);
	const [title, body, cover] = ['page-title', 'page-body', 'page-cover-image'].map((name) =>
		find(tree, (element) => hasClass(element, name)),
	);
	const data = propertiesOf(tree);
	if (cover?.properties.src) data.set('image', String(cover.properties.src));
	const said = find(tree, (element) => hasClass(element, 'page-description'));
	if (said && toString(said).trim()) data.set('description', toString(said).trim());
	const children = convert(body?.children ?? [], report);
	const shown = (body?.children ?? []).filter((node) => node.type === 'element');
	return {
		title: title ? toString(title).trim() : '',
		data,
		html: writeArticle({ type: 'root', children }).trim(),
		isList:
			shown.length > 0 &&
			shown.every(
				(node) =>
					hasClass(node, 'collection-content') ||
					find(node, (one) => hasClass(one, 'collection-content')),
			),
	};
}

/** Returns properties as front matter has them: lists for choices, yes and no for boxes, dates without their sign. */
function propertiesOf(tree: Root): Map<string, unknown> {
	const data = new Map<string, unknown>();
	for (const row of findAll(tree, (element) => hasClass(element, 'property-row'))) {
		const [name, value] = ['th', 'td'].map((tag) => find(row, ({ tagName }) => tagName === tag));
		if (!name || !value) continue;
		const choices = findAll(
			value,
			(one) => hasClass(one, 'selected-value') || hasClass(one, 'user'),
		);
		const box = find(value, (one) => hasClass(one, 'checkbox'));
		const words = toString(value).trim().replace(/^@/, '');
		const key = toString(name)
			.trim()
			.toLowerCase()
			.replaceAll(/[\s_-]/g, '');
		if (!key || (words === '' && !box)) continue;
		data.set(
			key,
			box
				? hasClass(box, 'checkbox-on')
				: choices.length > 0
					? choices.map((one) => toString(one).trim()).join(', ')
					: words,
		);
	}
	return data;
}

/** A picture, which the sign before a page's name is none of. */
const isPicture = (one: Element) => one.tagName === 'img' && !hasClass(one, 'icon');
const isChoice = (node: RootContent | ElementContent) =>
	node.type === 'element' && hasClass(node, 'selected-value');
const COMMA: ElementContent = { type: 'text', value: ', ' };

/** Signs of boxes that warn or help; all others are notes. */
const SIGNS: readonly [RegExp, string][] = [
	[/[⚠🚨❗🛑🔥‼]/u, 'warning'],
	[/[💡✅👍⭐]/u, 'tip'],
];

function convert(
	nodes: readonly (RootContent | ElementContent)[],
	report: Adoption['report'],
): ElementContent[] {
	const made = nodes.flatMap((node, index): ElementContent[] => {
		if (node.type === 'text') return [node];
		if (node.type !== 'element') return [];
		const before = nodes[index - 1];
		// Choices stand beside each other, each in a color.
		const follows = isChoice(node) && before !== undefined && isChoice(before);
		return [...(follows ? [COMMA] : []), ...convertElement(node, report)];
	});
	return joinLists(made);
}

function convertElement(node: Element, report: Adoption['report']): ElementContent[] {
	const inner = () => convert(node.children, report);
	const { tagName } = node;
	if (hasClass(node, 'callout')) {
		const icon = find(node, (one) => hasClass(one, 'icon'));
		const sign = icon ? toString(icon) : '';
		const parts = node.children.filter(
			(child) =>
				child.type !== 'element' || (child !== icon && !find(child, (one) => one === icon)),
		);
		report('box', 'Is a callout', sign);
		const kind = SIGNS.find(([signs]) => signs.test(sign))?.[1] ?? 'note';
		return [element('aside', blocksOf(convert(parts, report)), { dataCallout: kind })];
	}
	if (tagName === 'nav' || hasClass(node, 'table_of_contents')) {
		report('table of contents', 'Left out: the article has its own');
		return [];
	}
	const card = hasClass(node, 'bookmark')
		? node
		: tagName === 'figure' && find(node, (one) => hasClass(one, 'bookmark'));
	if (card) {
		const [title = '', about] = ['bookmark-title', 'bookmark-description'].map((name) => {
			const part = find(card, (one) => hasClass(one, name));
			return part && toString(part).trim();
		});
		const caption = find(node, (one) => one.tagName === 'figcaption');
		return [
			paragraph([anchor(String(card.properties.href ?? ''), title)]),
			...(about ? [paragraph([{ type: 'text', value: about }])] : []),
			...(caption ? blocksOf(convert(caption.children, report)) : []),
		];
	}
	const tex = texOf(node);
	if (tex !== undefined)
		return tagName === 'figure'
			? [element('div', [], { dataType: 'block-math', dataLatex: tex })]
			: [element('span', [], { dataType: 'inline-math', dataLatex: tex })];
	if (tagName === 'style' || tagName === 'link') return [];
	if (hasClass(node, 'checkbox')) {
		const checked = hasClass(node, 'checkbox-on');
		return [
			element('input', [], { type: 'checkbox', disabled: true, ...(checked && { checked }) }),
		];
	}
	if (hasClass(node, 'to-do-list'))
		return [
			element(
				'ul',
				inner().map((item) =>
					item.type === 'element' && item.tagName === 'li'
						? { ...item, properties: { className: ['task-list-item'] } }
						: item,
				),
				{ className: ['contains-task-list'] },
			),
		];
	// A toggle is a list of one.
	if (hasClass(node, 'toggle') && tagName === 'ul')
		return inner().flatMap((item) =>
			item.type === 'element' && item.tagName === 'li' ? item.children : [item],
		);
	if (tagName === 'details') return [element('details', blocksOf(inner()))];
	if (tagName === 'pre') return [codeOf(node)];
	if (tagName === 'figure' && find(node, isPicture)) return [imageOf(node, report)];
	if (tagName === 'figure') return blocksOf(inner());
	if (tagName === 'time') return [{ type: 'text', value: toString(node).replace(/^@/, '') }];
	// Notion writes this in place of the address of a deleted page.
	if (tagName === 'a' && String(node.properties.href).includes('notion.soundefined')) {
		report('link', 'Left out: it led to what was deleted in Notion', toString(node));
		return inner();
	}
	// Colors and columns are Notion's own.
	const isColor = tagName === 'mark' && !/_background\b/.test(classOf(node));
	if (tagName === 'div' || isColor || (tagName === 'span' && !hasClass(node, 'katex')))
		return inner();
	if (tagName === 'p' && toString(node).trim() === '' && !find(node, isPicture)) return [];
	if (tagName === 'svg' || (tagName === 'img' && !isPicture(node))) return [];
	return [element(tagName, inner(), attributesOf(node))];
}

/** Returns the attributes that mean something elsewhere. */
function attributesOf({ tagName, properties: { href, src, start, colSpan, rowSpan } }: Element) {
	const kept = {
		...(tagName === 'a' && { href }),
		...(tagName === 'img' && { src, alt: '' }),
		...(tagName === 'ol' && { start }),
		...(/^t[dh]$/.test(tagName) && { colSpan, rowSpan }),
	};
	return Object.fromEntries(
		Object.entries(kept).filter(([, value]) => value !== undefined),
	) as Element['properties'];
}

/** Returns a picture with its caption, without the link to itself that Notion gives it. */
function imageOf(node: Element, report: Adoption['report']): Element {
	const image = find(node, isPicture)!;
	const caption = find(node, ({ tagName }) => tagName === 'figcaption');
	return element('figure', [
		element('img', [], attributesOf(image)),
		...(caption ? [element('figcaption', convert(caption.children, report))] : []),
	]);
}

/** Returns a block of code, with the language by the name that others give it. */
function codeOf(node: Element): Element {
	const code = find(node, ({ tagName }) => tagName === 'code') ?? node;
	const [, name = ''] = /\blanguage-([^"]+)/.exec(classOf(code)) ?? [];
	const language = name
		.trim()
		.toLowerCase()
		.replace(/^plain ?text$/, '')
		.replace(/\s+/g, '-');
	return element('pre', [
		element('code', [{ type: 'text', value: toString(code) }], {
			...(language && { className: [`language-${language}`] }),
		}),
	]);
}

/** Returns the source of a formula. */
function texOf(node: Element): string | undefined {
	if (
		!hasClass(node, 'equation') &&
		!hasClass(node, 'notion-text-equation-token') &&
		!hasClass(node, 'katex')
	)
		return undefined;
	const source = find(node, (one) => one.tagName === 'annotation');
	return source && toString(source).trim();
}

/** Joins lists beside each other: Notion writes one for each item. */
function joinLists(nodes: ElementContent[]): ElementContent[] {
	const joined: ElementContent[] = [];
	for (const node of nodes) {
		const last = joined.at(-1);
		const isList = node.type === 'element' && /^[ou]l$/.test(node.tagName);
		const isSame =
			isList &&
			last?.type === 'element' &&
			last.tagName === node.tagName &&
			classOf(last) === classOf(node);
		if (isSame) last.children.push(...node.children);
		else joined.push(node);
	}
	return joined;
}

const PHRASING = /^(a|b|br|code|em|img|mark|s|del|span|strong|u|i|sub|sup)$/;

/** Returns words as paragraphs between blocks. */
const blocksOf = (nodes: ElementContent[]): ElementContent[] =>
	wrapWords(nodes, (node) => node.type === 'element' && !PHRASING.test(node.tagName), paragraph);

const element = (
	tagName: string,
	children: ElementContent[],
	properties: Element['properties'] = {},
): Element => ({ type: 'element', tagName, properties, children });

const classOf = ({ properties: { className } }: Element): string =>
	Array.isArray(className) ? className.join(' ') : '';
function findAll(node: RootContent | Root, test: (element: Element) => boolean): Element[] {
	const inner = 'children' in node ? node.children.flatMap((child) => findAll(child, test)) : [];
	return node.type === 'element' && test(node) ? [node, ...inner] : inner;
}
