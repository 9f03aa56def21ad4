import {
	Extension,
	mergeAttributes,
	Mark,
	markInputRule,
	Node,
	type Extensions,
} from '@tiptap/core';
import { CodeBlock } from '@tiptap/extension-code-block';
import { BulletList, OrderedList, TaskItem, TaskList } from '@tiptap/extension-list';
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table';
import { Fragment, type Node as ProseNode } from '@tiptap/pm/model';
import StarterKit from '@tiptap/starter-kit';

/** A document, its footnotes last. */
const Document = Node.create({ name: 'doc', topNode: true, content: 'block+ footnotes?' });

/** Ids that links of the article lead to, and directions of words. */
const Places = Extension.create({
	name: 'places',
	addGlobalAttributes: () => [
		{
			types: [
				'paragraph',
				'heading',
				'blockquote',
				'bulletList',
				'orderedList',
				'listItem',
				'table',
			],
			attributes: {
				// Of the article's page: at the desk it might be another's.
				id: {
					default: null,
					keepOnSplit: false,
					rendered: false,
					parseHTML: ({ id }) => id || null,
				},
				// What nobody chose follows the words, and is not written.
				dir: {
					default: null,
					parseHTML: ({ dir }) => (dir === 'rtl' || dir === 'ltr' ? dir : null),
					renderHTML: ({ dir }: { dir?: string | null }) => ({ dir: dir ?? 'auto' }),
				},
			},
		},
	],
});

/** Paragraphs in the items of a tight list have no margins, and no `<p>` in the article. */
const tight = {
	tight: {
		default: true,
		parseHTML: (list: HTMLElement) => !list.querySelector(':scope > li > p'),
		renderHTML: ({ tight }: { tight?: boolean }) => (tight ? { 'data-tight': '' } : {}),
	},
};

/** Code may be linked, bold or struck. */
const Code = Mark.create({
	name: 'code',
	code: true,
	exitable: true,
	parseHTML: () => [{ tag: 'code' }],
	renderHTML: ({ HTMLAttributes }) => ['code', HTMLAttributes, 0],
	addKeyboardShortcuts() {
		return { 'Mod-e': () => this.editor.commands.toggleMark(this.type) };
	},
	addInputRules() {
		return [markInputRule({ find: /(?:^|[^`])(`([^`]+)`)$/, type: this.type })];
	},
});

const codeIn = (pre: HTMLElement) => pre.querySelector(':scope > code');
/** Attributes that say whether readers can run the code, or why not. */
export const runAttributes = {
	run: {
		default: false,
		parseHTML: (pre: HTMLElement) => codeIn(pre)?.hasAttribute('data-run') ?? false,
		renderHTML: () => ({}),
	},
	norun: {
		default: null,
		parseHTML: (pre: HTMLElement) => codeIn(pre)?.getAttribute('data-norun') ?? null,
		renderHTML: () => ({}),
	},
};

/** Code as it is in `<pre>`, without the line end that closes it. */
const ArticleCode = CodeBlock.extend({
	addAttributes() {
		return { ...this.parent?.(), ...runAttributes };
	},
	parseHTML: () => [
		{
			tag: 'pre',
			preserveWhitespace: 'full',
			getContent: (pre, schema) => {
				const text = pre.textContent?.replace(/\n$/, '');
				return text ? Fragment.from(schema.text(text)) : Fragment.empty;
			},
		},
	],
});

/** Marks that are one element each, as [name, element, attribute]. */
const PLAIN_MARKS = [
	['superscript', 'sup'],
	['subscript', 'sub'],
	['highlight', 'mark'],
	['keyboard', 'kbd'],
	['inserted', 'ins'],
	['cite', 'cite'],
	['abbreviation', 'abbr', 'title'],
] as const;
const plainMarks = PLAIN_MARKS.map(([name, tag, attribute]) =>
	Mark.create({
		name,
		addAttributes: () => (attribute ? { [attribute]: { default: null } } : {}),
		parseHTML: () => [{ tag }],
		renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
	}),
);

const align = {
	align: { default: null },
	scope: { default: null },
};
const Cell = TableCell.extend({
	addAttributes() {
		return { ...this.parent?.(), ...align };
	},
});
const HeaderCell = TableHeader.extend({
	addAttributes() {
		return { ...this.parent?.(), ...align };
	},
});

const Task = TaskItem.extend({
	parseHTML: () => [
		{ tag: 'li.task-list-item', priority: 60 },
		{ tag: 'li[data-type="taskItem"]', priority: 60 },
	],
	addAttributes: () => ({
		checked: {
			default: false,
			keepOnSplit: false,
			parseHTML: (item: HTMLElement) =>
				item.dataset['checked'] === 'true' ||
				item.querySelector('input[type="checkbox"]')?.hasAttribute('checked') === true,
			renderHTML: ({ checked }: { checked?: boolean }) => ({ 'data-checked': checked }),
		},
	}),
});
const Bullets = BulletList.extend({
	addAttributes() {
		return { ...this.parent?.(), ...tight };
	},
});
const Numbers = OrderedList.extend({
	addAttributes() {
		return { ...this.parent?.(), ...tight };
	},
});
const Tasks = TaskList.extend({
	addAttributes: () => tight,
	parseHTML: () => [
		{ tag: 'ul.contains-task-list', priority: 60 },
		{ tag: 'ul[data-type="taskList"]', priority: 60 },
	],
});

/** An image on its own, with its description and a caption. `bare`: an image in a paragraph, as Markdown makes it. */
export const Picture = Node.create({
	name: 'picture',
	group: 'block',
	content: 'inline*',
	draggable: true,
	isolating: true,
	addAttributes: () => ({
		src: { default: '' },
		alt: { default: '' },
		title: { default: null },
		width: { default: null },
		height: { default: null },
		bare: { default: false, rendered: false },
	}),
	parseHTML() {
		const attributesOf = (image: Element, bare: boolean) => ({
			src: image.getAttribute('src') ?? '',
			alt: image.getAttribute('alt') ?? '',
			title: image.getAttribute('title'),
			width: image.getAttribute('width'),
			height: image.getAttribute('height'),
			bare,
		});
		return [
			{
				tag: 'figure',
				priority: 60,
				getAttrs: (figure) => {
					const [image, caption, more] = figure.children;
					if (image?.tagName !== 'IMG' || more || textOutside(figure)) return false;
					if (caption && caption.tagName !== 'FIGCAPTION') return false;
					return attributesOf(image, false);
				},
				contentElement: (figure) =>
					(figure as Element).querySelector<HTMLElement>('figcaption') ??
					document.createElement('figcaption'),
			},
			{
				tag: 'p',
				priority: 60,
				getAttrs: (paragraph) => {
					const [image, more] = paragraph.children;
					if (image?.tagName !== 'IMG' || more || paragraph.textContent.trim()) return false;
					return attributesOf(image, true);
				},
				contentElement: () => document.createElement('figcaption'),
			},
			{
				tag: 'img[src]',
				getAttrs: (image) => attributesOf(image, false),
				contentElement: () => document.createElement('figcaption'),
			},
		];
	},
	renderHTML: ({ HTMLAttributes }) => ['figure', ['img', HTMLAttributes], ['figcaption', 0]],
});

/** Pictures beside each other. */
export const Gallery = Node.create({
	name: 'gallery',
	group: 'block',
	content: 'picture*',
	draggable: true,
	isolating: true,
	parseHTML: () => [{ tag: 'figure[data-gallery]', priority: 70 }],
	renderHTML: () => ['figure', { 'data-gallery': '' }, 0],
});

/** A video or recording of another site: its address, its title, a still of this site where there is one, and a caption. */
export const EmbedNode = Node.create({
	name: 'embed',
	group: 'block',
	content: 'inline*',
	draggable: true,
	isolating: true,
	addAttributes: () => ({
		href: { default: '' },
		title: { default: '' },
		src: { default: null },
		alt: { default: '' },
		width: { default: null },
		height: { default: null },
	}),
	parseHTML: () => [
		{
			tag: 'figure[data-embed]',
			priority: 70,
			getAttrs: (figure) => {
				const link = figure.querySelector('a');
				const image = link?.querySelector('img');
				return {
					href: link?.getAttribute('href') ?? '',
					title: link?.textContent.replace(/\s+/g, ' ').trim() ?? '',
					src: image?.getAttribute('src') ?? null,
					alt: image?.getAttribute('alt') ?? '',
					width: image?.getAttribute('width') ?? null,
					height: image?.getAttribute('height') ?? null,
				};
			},
			contentElement: (figure) =>
				(figure as Element).querySelector<HTMLElement>('figcaption') ??
				document.createElement('figcaption'),
		},
	],
	renderHTML: ({ node }) => [
		'figure',
		{ 'data-embed': '' },
		['a', { href: String(node.attrs['href']) }, String(node.attrs['title'])],
		['figcaption', 0],
	],
});

/** Whether there is text that is in no child. */
function textOutside(element: Element): boolean {
	return [...element.childNodes].some(
		(child) => child.nodeType === 3 && child.textContent?.trim() !== '',
	);
}

const Caption = Node.create({
	name: 'caption',
	content: 'inline*',
	defining: true,
	parseHTML: () => [{ tag: 'figcaption', context: 'exhibit/' }],
	renderHTML: () => ['figcaption', 0],
});

/** A figure that is no image: its caption, and what it shows. An explainer's content is what stands there without scripts. */
const Exhibit = Node.create({
	name: 'exhibit',
	group: 'block',
	content: 'caption block*',
	defining: true,
	isolating: true,
	addAttributes: () => ({
		explainer: {
			default: null,
			parseHTML: (figure: HTMLElement) => figure.getAttribute('data-explainer'),
			renderHTML: ({ explainer }: { explainer?: string | null }) =>
				explainer ? { 'data-explainer': explainer } : {},
		},
	}),
	parseHTML: () => [{ tag: 'figure' }],
	renderHTML: ({ HTMLAttributes }) => ['figure', mergeAttributes(HTMLAttributes), 0],
});

export const Callout = Node.create({
	name: 'callout',
	group: 'block',
	content: 'block+',
	defining: true,
	addAttributes: () => ({
		kind: {
			default: 'note',
			parseHTML: (aside: HTMLElement) => aside.getAttribute('data-callout'),
			renderHTML: ({ kind }: { kind?: string }) => ({ 'data-callout': kind }),
		},
	}),
	parseHTML: () => [{ tag: 'aside[data-callout]' }],
	renderHTML: ({ HTMLAttributes }) => ['aside', HTMLAttributes, 0],
});

const latex = {
	latex: {
		default: '',
		parseHTML: (element: HTMLElement) => element.getAttribute('data-latex') ?? '',
		renderHTML: ({ latex }: { latex?: string }) => ({ 'data-latex': latex }),
	},
};
export const InlineMath = Node.create({
	name: 'inlineMath',
	group: 'inline',
	inline: true,
	atom: true,
	addAttributes: () => latex,
	parseHTML: () => [{ tag: 'span[data-type="inline-math"]' }],
	renderHTML: ({ HTMLAttributes }) => ['span', { 'data-type': 'inline-math', ...HTMLAttributes }],
	renderText: ({ node }) => `$${node.attrs['latex']}$`,
});
export const BlockMath = Node.create({
	name: 'blockMath',
	group: 'block',
	atom: true,
	draggable: true,
	addAttributes: () => latex,
	parseHTML: () => [{ tag: 'div[data-type="block-math"]' }],
	renderHTML: ({ HTMLAttributes }) => ['div', { 'data-type': 'block-math', ...HTMLAttributes }],
	renderText: ({ node }) => `$$\n${node.attrs['latex']}\n$$`,
});

/** The mark in the text. Its number is its footnote's place in the order of first marks. */
const FootnoteRef = Node.create({
	name: 'footnoteRef',
	group: 'inline',
	inline: true,
	atom: true,
	addAttributes: () => ({ name: { default: '', rendered: false } }),
	parseHTML: () => [
		{
			tag: 'sup',
			priority: 60,
			getAttrs: (sup) => {
				const link = sup.firstElementChild;
				const href = link?.matches('a[data-footnote-ref]') ? link.getAttribute('href') : null;
				return sup.childNodes.length === 1 && href?.startsWith('#fn-')
					? { name: href.slice('#fn-'.length) }
					: false;
			},
		},
	],
	renderHTML: ({ node }) => [
		'sup',
		['a', { href: `#fn-${node.attrs['name']}`, 'data-footnote-ref': '' }, '*'],
	],
	renderText: ({ node }) => `[^${node.attrs['name']}]`,
});
/** Where the items of a footnotes' section are. */
export function listOfFootnotes(section: globalThis.Node): HTMLElement {
	return (section as HTMLElement).querySelector('ol') ?? (section as HTMLElement);
}

const Footnotes = Node.create({
	name: 'footnotes',
	content: 'footnote+',
	isolating: true,
	parseHTML: () => [
		{ tag: 'section[data-footnotes]', contentElement: listOfFootnotes },
		{ tag: 'h2#footnote-label', priority: 70, ignore: true },
		{ tag: 'a[data-footnote-backref]', priority: 70, ignore: true },
	],
	renderHTML: () => ['section', { 'data-footnotes': '', class: 'footnotes' }, ['ol', 0]],
});
const Footnote = Node.create({
	name: 'footnote',
	content: 'block+',
	defining: true,
	addAttributes: () => ({
		name: {
			default: '',
			parseHTML: (item: HTMLElement) => item.id.replace(/^fn-/, ''),
			renderHTML: ({ name }: { name?: string }) => ({ id: `fn-${name}` }),
		},
	}),
	parseHTML: () => [{ tag: 'li[id^="fn-"]', priority: 70 }],
	renderHTML: ({ HTMLAttributes }) => ['li', HTMLAttributes, 0],
});

/** A block that this schema has no words for: kept as it is. */
export const Html = Node.create({
	name: 'html',
	group: 'block',
	atom: true,
	draggable: true,
	addAttributes: () => ({
		html: {
			default: '',
			parseHTML: (element: HTMLElement) => element.getAttribute('data-html') ?? '',
			renderHTML: ({ html }: { html?: string }) => ({ 'data-html': html }),
		},
	}),
	parseHTML: () => [{ tag: 'div[data-html]' }],
	renderHTML: ({ HTMLAttributes }) => ['div', HTMLAttributes],
	renderText: ({ node }) => String(node.attrs['html']).replace(/<[^>]*>/g, ' '),
});

/**
 * Returns the editor's extensions: all nodes and marks of an article. `parts` replaces nodes by versions with a view.
 */
export function articleExtensions(parts: Extensions = []): Extensions {
	const named = new Set(parts.map(({ name }) => name));
	const own = [
		Document,
		Places,
		ArticleCode,
		Code,
		...plainMarks,
		Table.configure({ resizable: false }),
		TableRow,
		Cell,
		HeaderCell,
		Bullets,
		Numbers,
		Tasks,
		Task.configure({ nested: true }),
		Picture,
		Gallery,
		EmbedNode,
		Caption,
		Exhibit,
		Callout,
		InlineMath,
		BlockMath,
		FootnoteRef,
		Footnotes,
		Footnote,
		Html,
	];
	return [
		StarterKit.configure({
			document: false,
			code: false,
			codeBlock: false,
			underline: false,
			trailingNode: false,
			bulletList: false,
			orderedList: false,
			heading: { levels: [2, 3, 4] },
			link: {
				openOnClick: false,
				autolink: true,
				protocols: ['mailto'],
				defaultProtocol: 'https',
				HTMLAttributes: { target: null, rel: null },
			},
		}),
		...own.filter(({ name }) => !named.has(name)),
		...parts,
	];
}

/** Where the article ends and its footnotes begin. */
export function bodyEnd({ lastChild, content }: ProseNode): number {
	return content.size - (lastChild?.type.name === 'footnotes' ? lastChild.nodeSize : 0);
}

/** Each footnote's number and how many marks it has, in the order of first marks. */
export function footnoteNumbers(doc: ProseNode): Map<string, { number: number; marks: number }> {
	const found = new Map<string, { number: number; marks: number }>();
	const count = (name: string) => {
		const known = found.get(name);
		if (known) known.marks++;
		else found.set(name, { number: found.size + 1, marks: 1 });
	};
	doc.descendants((node) => {
		if (node.type.name === 'footnoteRef') count(String(node.attrs['name']));
		if (node.type.name === 'html')
			for (const [, name] of String(node.attrs['html']).matchAll(/href="#fn-([\w-]+)" id="fnref-/g))
				count(name!);
	});
	return found;
}
