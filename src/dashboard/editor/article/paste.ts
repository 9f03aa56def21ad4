import type { Element, ElementContent, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import { EXIT, SKIP, visit } from 'unist-util-visit';
import { calloutKind } from '#src/core/articles/callouts.ts';
import { parseHtml, sanitizeTree, writeArticle } from '#src/core/articles/sanitize.ts';

/** Pictures that came with the text itself: where each stands in the article, by the address that holds its place. */
export type Pictures = Map<string, string>;

/**
 * What is pasted from Word, Google Docs or another page, as an article's HTML: its structure, none of its looks.
 * Pictures that came as data have an address of `pictures`; those that stay elsewhere are links.
 */
export function cleanPaste(html: string, pictures: Pictures = new Map()): string {
	const tree = parseHtml(bodyOf(html));
	boxes(tree);
	tasks(tree);
	visit(tree, 'element', (node, index, parent) => {
		if (parent && index !== undefined && GONE.has(node.tagName)) {
			parent.children.splice(index, 1);
			return index;
		}
		return undefined;
	});
	footnotes(tree);
	tree.children = tree.children.flatMap((child) =>
		child.type === 'element' ? cleaned(child) : child.type === 'text' ? [child] : [],
	);
	tree.children = listsOf(paragraphsOf(tree.children as ElementContent[]));
	headings(tree);
	return finished(tree, pictures);
}

/** Markdown's HTML as an article's, and the title that it begins with where `takesTitle`. */
export function cleanMarkdown(
	html: string,
	takesTitle: boolean,
	pictures: Pictures = new Map(),
): { html: string; title: string } {
	const tree = parseHtml(html);
	const at = tree.children.findIndex((child) => child.type === 'element');
	const first = tree.children[at];
	const isTitle = takesTitle && first?.type === 'element' && first.tagName === 'h1';
	if (isTitle) tree.children.splice(at, 1);
	headings(tree);
	return { html: finished(tree, pictures), title: isTitle ? toString(first).trim() : '' };
}

function finished(tree: Root, pictures: Pictures): string {
	localPictures(tree, pictures);
	return writeArticle(sanitizeTree(tree)).trim();
}

/**
 * Pages show only pictures of this site. Those that came as data wait under an address of their own; a picture that
 * stays elsewhere is a link that says so.
 */
function localPictures(tree: Root, pictures: Pictures): void {
	visit(tree, 'element', (node, index, parent) => {
		if (!parent || index === undefined) return undefined;
		const [image] = node.children.filter((child) => !isBlank(child));
		if (node.tagName === 'figure' && image?.type === 'element' && isElsewhere(image)) {
			const caption = node.children.filter((child) => child !== image);
			parent.children.splice(
				index,
				1,
				element('p', [...linkTo(image)]),
				...caption.flatMap((child) =>
					child.type === 'element' ? [{ ...child, tagName: 'p' }] : [],
				),
			);
			return index;
		}
		if (node.tagName !== 'img') return undefined;
		const src = String(node.properties.src ?? '');
		if (src.startsWith('data:image/')) {
			const place = `/pasted/${pictures.size + 1}`;
			pictures.set(place, src);
			node.properties.src = place;
			return undefined;
		}
		if (!isElsewhere(node)) return undefined;
		const isLink = parent.type === 'element' && parent.tagName === 'a';
		const instead = isLink ? [text(nameOf(node))] : linkTo(node);
		parent.children.splice(index, 1, ...instead);
		return index + instead.length;
	});
}

function isElsewhere({ tagName, properties }: Element): boolean {
	return tagName === 'img' && !/^(\/(?!\/)|data:image\/)/.test(String(properties.src ?? ''));
}

/** A link to a picture that is not here, and what to do about it. */
function linkTo(image: Element): ElementContent[] {
	const src = String(image.properties.src ?? '');
	const host = /^https?:\/\/([^/]+)/.exec(src)?.[1];
	if (!host) return [text(`[${nameOf(image)}: the picture was not copied. Upload it to show it.]`)];
	return [
		{ ...element('a', [text(nameOf(image))]), properties: { href: src } },
		text(` [The picture stays at ${host}: upload it to show it.]`),
	];
}

function nameOf({ properties }: Element): string {
	return String(properties.alt ?? '').trim() || 'Picture';
}

function text(value: string): ElementContent {
	return { type: 'text', value };
}

/** Boxes of other programs as callouts. */
function boxes(tree: Root): void {
	visit(tree, 'element', (node) => {
		const classes = classesOf(node);
		const alert = classes.map((name) => /^markdown-alert-(\w+)$/.exec(name)?.[1]);
		const kind = alert.find((name) => name && name !== 'title');
		const isBox = classes.includes('callout') || node.tagName === 'aside';
		if (classes.includes('markdown-alert') && kind) {
			node.children = node.children.filter(
				(child) => child.type !== 'element' || !classesOf(child).includes('markdown-alert-title'),
			);
			node.properties = { dataCallout: calloutKind(kind) };
		} else if (isBox && !node.properties['dataCallout']) {
			const sign = takeSign(node);
			node.properties = { dataCallout: SIGNS[sign] ?? 'note' };
		} else return;
		node.tagName = 'aside';
	});
}

const SIGNS: Record<string, string> = {
	'💡': 'tip',
	'⚠': 'warning',
	'❗': 'warning',
	'🚨': 'warning',
};

/** Takes the sign off that a box begins with, and answers it. */
function takeSign(box: Element): string {
	let sign = '';
	visit(box, 'text', (node) => {
		if (node.value.trim() === '') return undefined;
		const found = /^\s*(\p{Extended_Pictographic})[\ufe0f\s]*/u.exec(node.value);
		sign = found?.[1] ?? '';
		node.value = node.value.slice(found?.[0].length ?? 0);
		return false;
	});
	return sign;
}

/** Items with a box to tick as an article has them: in lists of their own, however a program writes them. */
function tasks(tree: Root): void {
	visit(tree, 'element', (list, index, parent) => {
		if (list.tagName !== 'ul' || !parent || index === undefined) return undefined;
		const items = list.children.filter((child) => child.type === 'element');
		if (!items.some((item) => item.tagName === 'li')) return undefined;
		for (const { children } of items) tasks({ type: 'root', children });
		const checks = new Map(items.map((item) => [item, takeCheck(item)]));
		for (const [item, checked] of checks) {
			if (checked === null) continue;
			const properties = { type: 'checkbox', checked };
			item.properties = { className: ['task-list-item'] };
			item.children.unshift({ ...element('input', []), properties });
		}
		const groups: Element[] = [];
		for (const item of items) {
			const isTask = checks.get(item) !== null;
			const last = groups.at(-1);
			if (last && (last.properties.className !== undefined) === isTask) last.children.push(item);
			else
				groups.push({
					...element('ul', [item]),
					properties: isTask ? { className: ['contains-task-list'] } : {},
				});
		}
		parent.children.splice(index, 1, ...groups);
		return [SKIP, index + groups.length];
	});
}

/** Takes the box to tick off an item: whether it is ticked, or null where there is none. */
function takeCheck(item: Element): boolean | null {
	let checked: boolean | null = null;
	visit(item, (node, index, parent) => {
		if (!parent || index === undefined) return undefined;
		if (node.type === 'text') {
			if (node.value.trim() === '') return undefined;
			const written = /^\s*\[([ xX])\]\s+/.exec(node.value);
			if (written) {
				checked = written[1] !== ' ';
				node.value = node.value.slice(written[0].length);
			}
			return EXIT;
		}
		if (node.type !== 'element') return undefined;
		if (/^[uo]l$/.test(node.tagName)) return EXIT;
		const isInput = node.tagName === 'input' && node.properties.type === 'checkbox';
		const isSign = classesOf(node).includes('checkbox');
		if (!isInput && !isSign) return undefined;
		checked = isInput ? node.properties.checked === true : classesOf(node).includes('checkbox-on');
		parent.children.splice(index, 1);
		return EXIT;
	});
	return checked;
}

/** What of the clipboard's document was chosen. */
function bodyOf(html: string): string {
	const fragment = /<!--StartFragment-->([^]*?)<!--EndFragment-->/.exec(html)?.[1];
	const notes = /<div[^>]*mso-element:\s*footnote-list[^]*$/.exec(html)?.[0] ?? '';
	const chosen =
		fragment === undefined ? html : fragment.includes(notes) ? fragment : fragment + notes;
	return chosen.replace(/<!\[if !supportLists\]>|<!\[endif\]>/g, '').replace(/\r\n?/g, '\n');
}

const GONE = new Set([
	'style',
	'script',
	'meta',
	'link',
	'title',
	'head',
	'o:p',
	'xml',
	'template',
	'button',
	'svg',
]);

type Style = Record<string, string>;
function styleOf({ properties }: Element): Style {
	const style: Style = {};
	for (const rule of String(properties['style'] ?? '').split(';')) {
		const colon = rule.indexOf(':');
		if (colon > 0)
			style[rule.slice(0, colon).trim().toLowerCase()] = rule
				.slice(colon + 1)
				.trim()
				.toLowerCase();
	}
	return style;
}
const classesOf = ({ properties }: Element) =>
	Array.isArray(properties.className) ? properties.className.map(String) : [];

/** Word's items of lists: paragraphs that say so in their style. */
const listItems = new WeakMap<Element, { name: string; level: number; ordered: boolean }>();

/** An element without its looks: what they meant as elements, the rest taken off. */
function cleaned(node: Element): ElementContent[] {
	const style = styleOf(node);
	if (
		style['mso-list'] === 'ignore' ||
		style['display'] === 'none' ||
		style['mso-element'] === 'footnote-list'
	)
		return [];
	const children = node.children.flatMap((child) =>
		child.type === 'element' ? cleaned(child) : tidied(child, node),
	);
	const { tagName } = node;
	const mark = (name: string, inner: ElementContent[]) =>
		toString({ type: 'root', children: inner }).trim() === '' ? inner : [element(name, inner)];

	if (
		tagName === 'span' ||
		tagName === 'font' ||
		tagName === 'b' ||
		tagName === 'i' ||
		tagName === 'u'
	) {
		if (node.properties['dataType'] !== undefined) return [node];
		const weight = style['font-weight'] ?? '';
		const isBold = tagName === 'b' ? weight !== 'normal' : /^(bold|bolder|[6-9]00)$/.test(weight);
		const isItalic =
			tagName === 'i' ? style['font-style'] !== 'normal' : style['font-style'] === 'italic';
		let inner: ElementContent[] = children;
		if (CODE_FONTS.test(style['font-family'] ?? '')) inner = mark('code', inner);
		const shift = style['vertical-align'];
		if (shift === 'super' || shift === 'sub')
			inner = mark(shift === 'super' ? 'sup' : 'sub', inner);
		if (/line-through/.test(`${style['text-decoration']} ${style['text-decoration-line']}`))
			inner = mark('del', inner);
		if (isItalic) inner = mark('em', inner);
		if (isBold) inner = mark('strong', inner);
		return inner;
	}
	if (tagName === 'a') {
		const href = targetOf(String(node.properties.href ?? ''));
		if (node.properties['dataFootnoteRef'] !== undefined) return [{ ...node, children }];
		return href ? [{ ...element('a', children), properties: { href } }] : children;
	}
	if (tagName === 'img') {
		const src = String(node.properties.src ?? '');
		const { alt, title, width, height } = node.properties;
		return [
			{
				...element('img', []),
				properties: { src: ownPath(src), alt: alt ?? '', title, width, height },
			},
		];
	}
	if (tagName === 'p' || /^h[1-6]$/.test(tagName) || tagName === 'li') {
		const kept = {
			...element(tagName, trimmed(unbold(children, tagName))),
			properties: {} as Element['properties'],
		};
		if (tagName === 'p' && classesOf(node).includes('MsoTitle')) kept.tagName = 'h1';
		const list = /^(l\d+) level(\d+)/.exec(style['mso-list'] ?? '');
		if (list)
			listItems.set(kept, { name: list[1]!, level: Number(list[2]), ordered: isOrdered(node) });
		if (classesOf(node).includes('task-list-item')) kept.properties.className = ['task-list-item'];
		if (node.properties['id'] !== undefined && String(node.properties['id']).startsWith('fn-'))
			kept.properties['id'] = node.properties['id'];
		return [kept];
	}
	if (
		tagName === 'div' &&
		(node.properties['dataType'] ?? node.properties['dataLatex']) === undefined
	)
		return [{ ...element('div', children) }];
	if (tagName === 'th' || tagName === 'td') {
		const content = children.filter((child) => child.type === 'element' || !isBlank(child));
		const [only, more] = content;
		const inner =
			only?.type === 'element' && only.tagName === 'p' && !more ? only.children : content;
		const { colSpan, rowSpan, align } = node.properties;
		return [
			{
				...element(tagName, inner),
				properties: { colSpan, rowSpan, align },
			},
		];
	}
	if (tagName === 'colgroup' || tagName === 'col') return [];
	// A toggle is no item of a list, even where it is written as one.
	if (tagName === 'ul' && children.every((item) => isBlank(item) || onlyDetails(item)))
		return children.flatMap((item) => (item.type === 'element' ? item.children : []));
	if (/^(strong|em|del|s|strike|code|sub|sup)$/.test(tagName) && toString(node).trim() === '')
		return children;
	if (tagName === 'body' || tagName === 'html' || tagName === 'center' || tagName.includes(':'))
		return children;
	const keepsLooks =
		tagName === 'aside' ||
		tagName === 'figure' ||
		tagName === 'section' ||
		tagName === 'code' ||
		tagName === 'input' ||
		tagName === 'ol';
	return [
		{
			...node,
			properties: keepsLooks || tagName === 'ul' ? withoutStyle(node.properties) : {},
			children,
		},
	];
}

function onlyDetails(item: ElementContent): boolean {
	if (item.type !== 'element') return false;
	const [only, more] = item.children.filter((child) => !isBlank(child));
	return only?.type === 'element' && only.tagName === 'details' && !more;
}

const CODE_FONTS =
	/courier|consolas|menlo|monaco|monospace|roboto mono|source code|fira code|geist mono/;

function withoutStyle({ style: _style, ...rest }: Element['properties']): Element['properties'] {
	return rest;
}

/** Line ends of a source file are spaces, and so are spaces that must not break. */
function tidied(child: ElementContent, parent: Element): ElementContent[] {
	if (child.type !== 'text') return [];
	if (parent.tagName === 'pre' || parent.tagName === 'code') return [child];
	return [{ type: 'text', value: child.value.replace(/[\u00a0\s]+/g, ' ') }];
}

/** A heading is bold by itself. */
function unbold(children: ElementContent[], tagName: string): ElementContent[] {
	if (!tagName.startsWith('h')) return children;
	return children.flatMap((child) =>
		child.type === 'element' && /^(strong|b)$/.test(child.tagName) ? child.children : child,
	);
}

/** Without breaks and white space at the ends. */
function trimmed(children: ElementContent[]): ElementContent[] {
	const isEdge = (child: ElementContent | undefined) =>
		child !== undefined && ((child.type === 'element' && child.tagName === 'br') || isBlank(child));
	let from = 0;
	let to = children.length;
	while (from < to && isEdge(children[from])) from++;
	while (to > from && isEdge(children[to - 1])) to--;
	return children.slice(from, to).map((child, index, all) => {
		if (child.type !== 'text') return child;
		let { value } = child;
		if (index === 0) value = value.trimStart();
		if (index === all.length - 1) value = value.trimEnd();
		return { type: 'text', value };
	});
}

function isBlank(child: ElementContent): boolean {
	return child.type === 'text' && child.value.trim() === '';
}

/** Where a link leads, without the detour by way of the program that it was written with. */
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

const BLOCK = /^(p|h[1-6]|ul|ol|li|table|blockquote|pre|hr|figure|aside|section|div|dl|details)$/;

/** Blocks only: a `div` is what is in it, lines of text between blocks are paragraphs, two breaks begin a new one. */
function paragraphsOf(children: ElementContent[]): Element[] {
	const blocks: Element[] = [];
	let line: ElementContent[] = [];
	const flush = () => {
		const content = trimmed(line);
		if (content.length > 0) blocks.push(element('p', content));
		line = [];
	};
	children.forEach((child, index) => {
		if (child.type !== 'element' || !BLOCK.test(child.tagName)) {
			const next = children[index + 1];
			const isBreak = (one: ElementContent | undefined) =>
				one?.type === 'element' && one.tagName === 'br';
			if (isBreak(child) && (isBreak(next) || line.length === 0)) flush();
			else line.push(child);
			return;
		}
		flush();
		if (child.tagName === 'div' && child.properties['dataLatex'] === undefined)
			blocks.push(...paragraphsOf(child.children));
		else if (child.tagName !== 'p' || child.children.length > 0) blocks.push(child);
	});
	flush();
	return blocks;
}

/** Word's paragraphs with a bullet or a number as lists, by their level; lists in lists where their items stand apart. */
function listsOf(blocks: Element[]): Element[] {
	const result: Element[] = [];
	const open: { list: Element; level: number; name: string }[] = [];
	for (const block of blocks) {
		const item = listItems.get(block);
		if (!item) {
			open.length = 0;
			result.push(nested(block));
			continue;
		}
		const tagName = item.ordered ? 'ol' : 'ul';
		const isOther = ({ list, level, name }: (typeof open)[number]) =>
			level > item.level ||
			(level === item.level && (name !== item.name || list.tagName !== tagName));
		while (open.length > 0 && isOther(open.at(-1)!)) open.pop();
		if (open.length === 0 || open.at(-1)!.level < item.level) {
			const list = element(tagName, []);
			const parent = open.at(-1)?.list.children.at(-1);
			if (parent?.type === 'element') parent.children.push(list);
			else result.push(list);
			open.push({ list, level: item.level, name: item.name });
		}
		open.at(-1)!.list.children.push(element('li', block.children));
	}
	return result;
}

/** Google Docs puts an inner list beside its item: it belongs into it. A paragraph that is all an item has is its text. */
function nested(block: Element): Element {
	const isList = (node: ElementContent): node is Element =>
		node.type === 'element' && (node.tagName === 'ul' || node.tagName === 'ol');
	if (!isList(block)) return block;
	const items: ElementContent[] = [];
	for (const child of block.children) {
		const last = items.at(-1);
		if (isList(child) && last?.type === 'element') last.children.push(nested(child));
		else if (child.type === 'element') {
			const [first, ...rest] = child.children.filter((one) => !isBlank(one));
			const text = first?.type === 'element' && first.tagName === 'p' && rest.every(isList);
			const content = text ? [...first.children, ...rest] : child.children;
			items.push({ ...child, children: content.map((one) => (isList(one) ? nested(one) : one)) });
		}
	}
	return { ...block, children: items };
}

function isOrdered(node: Element): boolean {
	let marker = '';
	visit(node, 'element', (child) => {
		if (styleOf(child)['mso-list'] === 'ignore') marker ||= toString(child);
	});
	return /^\s*\(?([0-9]+|[a-z]{1,4})[.)]/i.test(marker);
}

/** An article's title is no part of it: its own headings begin at the second level, and end at the fourth. */
function headings(tree: Root): void {
	const levels: number[] = [];
	visit(tree, 'element', ({ tagName }) => {
		if (/^h[1-6]$/.test(tagName)) levels.push(Number(tagName[1]));
	});
	const shift = levels.includes(1) ? 1 : 0;
	visit(tree, 'element', (node) => {
		if (/^h[1-6]$/.test(node.tagName) && node.properties['id'] !== 'footnote-label')
			node.tagName = `h${Math.min(4, Math.max(2, Number(node.tagName[1]) + shift))}`;
	});
}

/** Footnotes of Word (`_ftn1`) and Google Docs (`ftnt1`) as an article has them. */
function footnotes(tree: Root): void {
	const items = new Map<string, ElementContent[]>();
	visit(tree, 'element', (node, index, parent) => {
		const id = /^_?ftnt?(\d+)$/.exec(String(node.properties['id'] ?? ''))?.[1];
		if (id && node.tagName === 'div' && parent && index !== undefined) {
			items.set(id, node.children);
			parent.children.splice(index, 1);
			return index;
		}
		const back = node.children.find(
			(child) => child.type === 'element' && /^#_?ftntref/.test(linkOf(child)),
		);
		const number = back && /(\d+)$/.exec(linkOf(back))?.[1];
		if (number && node.tagName === 'p' && parent && index !== undefined) {
			items.set(number, [node]);
			parent.children.splice(index, 1);
			return index;
		}
		return undefined;
	});
	if (items.size === 0) return;
	visit(tree, 'element', (node, index, parent) => {
		const number = /^#_?ftnt?(\d+)$/.exec(linkOf(node))?.[1];
		if (!number || !items.has(number) || !parent || index === undefined) return undefined;
		const mark = element('sup', [{ type: 'text', value: number }]);
		mark.children = [
			{
				...element('a', [{ type: 'text', value: number }]),
				properties: { href: `#fn-${number}`, id: `fnref-${number}`, dataFootnoteRef: '' },
			},
		];
		if (parent.type === 'element' && parent.tagName === 'sup') {
			parent.children = mark.children;
			return undefined;
		}
		parent.children[index] = mark;
		return index + 1;
	});
	const list = [...items].map(([number, children]) => {
		const paragraphs = paragraphsOf(children.filter((child) => !isBlank(child)));
		for (const paragraph of paragraphs) {
			paragraph.children = paragraph.children.filter(
				(child) =>
					!/^#_?ftn(t)?ref/.test(
						child.type === 'element' ? linkOf(child) || linkOf(child.children[0]) : '',
					),
			);
		}
		const [first] = paragraphs[0]?.children ?? [];
		if (first?.type === 'text') first.value = first.value.replace(/^[\u00a0\s]+/, '');
		return { ...element('li', paragraphs), properties: { id: `fn-${number}` } };
	});
	tree.children.push({
		...element('section', [element('ol', list)]),
		properties: { dataFootnotes: '', className: ['footnotes'] },
	});
}

function linkOf(node: ElementContent | undefined): string {
	return node?.type === 'element' && node.tagName === 'a' ? String(node.properties.href ?? '') : '';
}

function element(tagName: string, children: ElementContent[]): Element {
	return { type: 'element', tagName, properties: {}, children };
}

/** Whether a plain text is written in Markdown: it has a heading, a list, a fence, a table, a link or the like. */
export function looksLikeMarkdown(text: string): boolean {
	return [
		/^#{1,6} \S/m,
		/^(```|~~~)/m,
		/^ {0,3}[-*+] \S.*\n+ {0,3}[-*+] \S/m,
		/^ {0,3}1[.)] \S.*\n+ {0,3}2[.)] \S/m,
		/^> \S/m,
		/\[[^\]\n]+\]\((https?:\/\/|\/|#|mailto:)[^)\s]*\)/,
		/(^|\s)\*\*\S[^*\n]*\*\*/,
		/^\|.+\|\n\|[ :|-]+\|$/m,
		/^\$\$\n/m,
	].some((sign) => sign.test(text));
}
