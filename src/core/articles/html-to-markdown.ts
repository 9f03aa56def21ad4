import type { Element, ElementContent, Root } from 'hast';
import type { BlockContent, FootnoteDefinition, Nodes, Paragraph, PhrasingContent } from 'mdast';
import { defaultHandlers, type Handle, type State } from 'hast-util-to-mdast';
import { toString } from 'hast-util-to-string';
import type { InlineMath } from 'mdast-util-math';
import rehypeParse from 'rehype-parse';
import rehypeRemark from 'rehype-remark';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remarkStringify, { type Options } from 'remark-stringify';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { element, text } from '#src/lib/hast.ts';
import { flattenTree } from './sanitize.ts';

type Writer = NonNullable<NonNullable<Options['handlers']>['inlineCode']>;
type ToMarkdownState = Parameters<Writer>[2];
type Info = Parameters<Writer>[3];

/** Converts math, callouts, figures and footnotes to what `markdownToHtml` reads. */
const handlers: Record<string, Handle> = {
	span(state, node: Element) {
		const { dataType, dataLatex } = node.properties;
		if (dataType !== 'inline-math') return state.all(node);
		return { type: 'inlineMath', value: String(dataLatex) };
	},
	div(state, node: Element) {
		const { dataType, dataLatex } = node.properties;
		if (dataType !== 'block-math') return state.all(node);
		return { type: 'math', value: String(dataLatex) };
	},
	pre(state, node: Element) {
		const block = defaultHandlers.pre(state, node);
		const { dataRun, dataNorun } =
			node.children.find((child) => isElement(child, 'code'))?.properties ?? {};
		// Without a language the words after it would be one.
		if (block.type === 'code' && block.lang) {
			if (dataRun !== undefined) block.meta = 'run';
			else if (dataNorun !== undefined) block.meta = `norun: ${String(dataNorun)}`;
		}
		return block;
	},
	aside(state, node: Element) {
		const kind = String(node.properties.dataCallout ?? 'note').toUpperCase();
		return {
			type: 'blockquote',
			children: prependMarker(`[!${kind}]`, state.toFlow(state.all(node))),
		};
	},
	figure(state, node: Element) {
		const { dataExplainer: name, dataEmbed, dataGallery } = node.properties;
		const caption = node.children.find((child) => isElement(child, 'figcaption'));
		const others = node.children.filter((child) => child !== caption);
		const blocks = state.toFlow(state.all({ ...node, children: others }));
		// Only the site's own figures become figures; any other one becomes its content and its caption.
		const text = caption ? (state.all(caption) as PhrasingContent[]) : [];
		const first: Paragraph = { type: 'paragraph', children: text };
		const kind =
			dataEmbed !== undefined ? 'EMBED' : dataGallery !== undefined ? 'GALLERY' : 'FIGURE';
		const marker = name ? `[!FIGURE ${String(name)}]` : `[!${kind}]`;
		return { type: 'blockquote', children: prependMarker(marker, [first, ...blocks]) };
	},
	sup(state, node: Element) {
		const link = node.children.find((child) => isElement(child, 'a'));
		if (link?.properties.dataFootnoteRef === undefined) return keepAsHtml(state, node);
		const identifier = footnoteOf(link.properties.href);
		return { type: 'footnoteReference', identifier, label: identifier };
	},
	section(state, node: Element) {
		if (node.properties.dataFootnotes === undefined) return state.all(node);
		const list = node.children.find((child) => isElement(child, 'ol'));
		return (list?.children ?? [])
			.filter((child) => isElement(child, 'li'))
			.map((item): FootnoteDefinition => {
				const identifier = footnoteOf(`#${String(item.properties.id)}`);
				const children = state.toFlow(state.all(withoutBackrefs(item))) as BlockContent[];
				return { type: 'footnoteDefinition', identifier, label: identifier, children };
			});
	},
	li(state, node: Element) {
		const item = defaultHandlers.li(state, node);
		// Loose only if it contains paragraphs, not because it contains another list.
		item.spread = node.children.some((child) => isElement(child, 'p'));
		return item;
	},
	ul: listOf,
	ol: listOf,
	td: cellOf,
	th: cellOf,
	sub: keepAsHtml,
	mark: keepAsHtml,
	abbr: keepAsHtml,
	cite: keepAsHtml,
	kbd: keepAsHtml,
};

const processor = unified()
	.use(rehypeParse, { fragment: true })
	.use(() => flattenTree)
	.use(() => fillMath)
	.use(rehypeRemark, { handlers })
	.use(() => separateCode)
	.use(remarkGfm)
	.use(remarkMath)
	.use(remarkStringify, {
		bullet: '-',
		emphasis: '_',
		fences: true,
		rule: '-',
		handlers: { inlineMath: writeFormula },
		unsafe: [
			// What TeX's own delimiters look like.
			{ character: '(', before: '\\\\', inConstruct: 'phrasing' },
			{ character: '\\', after: 'begin\\{', inConstruct: 'phrasing' },
			// What an id after a heading looks like.
			{ character: '{', after: ':?\\s*#', inConstruct: 'headingAtx' },
		],
	});

/** Converts an article's HTML to Markdown that `markdownToHtml` converts back to the same article. */
export function htmlToMarkdown(html: string): string {
	return String(processor.processSync(html));
}

/** Writes a formula between dollar signs, or between TeX's own signs where dollars would be no formula. */
function writeFormula(
	{ value }: InlineMath,
	_: unknown,
	{ stack }: ToMarkdownState,
	{ after }: Info,
): string {
	let latex = value;
	// A bar would end the cell, a line break its row.
	if (stack.includes('tableCell')) {
		latex = latex
			.replace(/\s*\n\s*/g, ' ')
			.replace(/\\?\|/g, (bar) => (bar === '|' ? '\\vert ' : '\\Vert '));
	}
	latex = latex.trim();
	return latex.includes('$') || /[\d$]/.test(after) ? `\\(${latex}\\)` : `$${latex}$`;
}

/** Puts an empty comment between two pieces of code, which would else be one. */
function separateCode(tree: Nodes): void {
	visit(tree, 'inlineCode', (_, index, parent) => {
		if (!parent || !index || parent.children[index - 1]?.type !== 'inlineCode') return;
		parent.children.splice(index, 0, { type: 'html', value: '<!---->' });
		return index + 1;
	});
}

const BLOCKS = new Set(
	'address article aside blockquote caption dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 header hr li main ol p pre section summary table tbody tfoot thead tr ul'.split(
		' ',
	),
);
const isBlock = (node: ElementContent): boolean =>
	node.type === 'element' && (BLOCKS.has(node.tagName) || node.children.some(isBlock));

/** Returns a cell in one line of text: in a table of Markdown there are no blocks. */
function cellOf(state: State, node: Element) {
	const lines = linesOf(node).filter((line) => line.some((part) => !isBlank(part)));
	const children = lines.flatMap((line, index) =>
		index > 0 ? [element('br', {}, []), ...line] : line,
	);
	const cell = defaultHandlers.td(state, { ...node, children });
	visit(cell, 'break', (_, index, parent) => {
		parent!.children[index!] = { type: 'html', value: '<br>' };
	});
	return cell;
}

/** Returns the lines that a block shows: each block in it begins one, items after a bullet or their number. */
function linesOf(block: Element): ElementContent[][] {
	if (block.tagName === 'pre') {
		const lines = toString(block).replace(/\n$/, '').split('\n');
		return lines.map((value) => (value ? [element('code', {}, [text(value)])] : []));
	}
	const lines: ElementContent[][] = [[]];
	let number = Number(block.properties.start ?? 1);
	for (const node of block.children) {
		if (node.type !== 'element' || !isBlock(node)) {
			const isCell = node.type === 'element' && /^t[dh]$/.test(node.tagName);
			if (isCell && lines.at(-1)!.length > 0) lines.at(-1)!.push(text(' | '));
			lines.at(-1)!.push(...(isCell ? node.children : [node]));
			continue;
		}
		const isFormula = node.properties.dataLatex !== undefined;
		const inner = isFormula
			? [
					[
						{
							...node,
							tagName: 'span',
							properties: { ...node.properties, dataType: 'inline-math' },
						},
					],
				]
			: linesOf(node).filter((line) => line.some((part) => !isBlank(part)));
		if (node.tagName === 'li') {
			const mark = block.tagName === 'ol' ? `${number++}. ` : '• ';
			inner[0] = [text(mark), ...(inner[0] ?? [])];
		}
		lines.push(...inner, []);
	}
	return lines;
}

const isBlank = (node: ElementContent) => node.type === 'text' && !node.value.trim();

/** Fills empty formula elements with their LaTeX; without content they would swallow the spaces around them. */
function fillMath(tree: Root): void {
	visit(tree, 'element', (node) => {
		const { dataLatex } = node.properties;
		if (dataLatex !== undefined) node.children = [{ type: 'text', value: String(dataLatex) }];
	});
}

function listOf(state: State, node: Element) {
	const list = defaultHandlers.ul(state, node);
	list.spread = list.children.some(({ spread }) => spread);
	return list;
}

/** Keeps the tags of an element that Markdown cannot express, around its converted content. */
function keepAsHtml(state: State, node: Element) {
	const html = (value: string) => ({ type: 'html' as const, value });
	return [html(`<${node.tagName}>`), ...state.all(node), html(`</${node.tagName}>`)];
}

/** Inserts a marker before the first words of a blockquote. */
function prependMarker(marker: string, blocks: (BlockContent | FootnoteDefinition | object)[]) {
	const [first, ...rest] = blocks as BlockContent[];
	// As HTML it is written as it is: the same signs in a text are escaped.
	const text = {
		type: 'html' as const,
		value: first?.type === 'paragraph' ? `${marker} ` : marker,
	};
	if (first?.type !== 'paragraph') {
		return [{ type: 'paragraph' as const, children: [text] }, ...(blocks as BlockContent[])];
	}
	return [{ ...first, children: [text, ...first.children] }, ...rest];
}

function footnoteOf(href: unknown): string {
	return String(href).replace(/^#(user-content-)?fn-/, '');
}

function withoutBackrefs(node: Element): Element {
	const children = node.children
		.filter((child) => !(isElement(child, 'a') && 'dataFootnoteBackref' in child.properties))
		.map((child) => (child.type === 'element' ? withoutBackrefs(child) : child));
	return { ...node, children };
}

function isElement(node: ElementContent | Root['children'][number], name: string): node is Element {
	return node.type === 'element' && node.tagName === name;
}
