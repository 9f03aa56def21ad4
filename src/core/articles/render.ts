import type { Element, ElementContent, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import rehypeParse from 'rehype-parse';
import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import temml from 'temml';
import { unified } from 'unified';
import { SKIP, visit } from 'unist-util-visit';
import { figureBlocks, isCode, languageOf, type Drawings } from '#src/core/figures/blocks.ts';
import { FigureError } from '#src/core/figures/figure-error.ts';
import { readFigure } from '#src/core/figures/figure.ts';
import { tablesOf } from '#src/core/figures/plots/table.ts';
import { asciiSlug, uniqueSlug } from '#src/lib/slug.ts';
import { element, isClassed } from '#src/lib/hast.ts';
import { curlQuotes } from '#src/lib/quotes.ts';
import { curlQuotesIn } from './curl-quotes.ts';
import { partsOf } from './data-lines.ts';
import { embedOf, hostOf, titleOf } from './embeds.ts';
import { plainTextOf } from './plain-text.ts';
import { OUTPUT, runLanguageOf } from './program.ts';
import { parseArticle, problemOf, writeArticle } from './sanitize.ts';

/** Part of every rendering. A test fails if the output changes and this does not. */
export const RENDERER_VERSION = '27';

export type Heading = { depth: number; slug: string; text: string };
export type Rendering = { html: string; headings: Heading[]; text: string };

/** Listed one by one, so that a function that renders bundles only these. */
const LANGUAGES = [
	() => import('shiki/langs/python.mjs'),
	() => import('shiki/langs/typescript.mjs'),
	() => import('shiki/langs/javascript.mjs'),
	() => import('shiki/langs/tsx.mjs'),
	() => import('shiki/langs/jsx.mjs'),
	() => import('shiki/langs/bash.mjs'),
	() => import('shiki/langs/json.mjs'),
	() => import('shiki/langs/yaml.mjs'),
	() => import('shiki/langs/sql.mjs'),
	() => import('shiki/langs/diff.mjs'),
	() => import('shiki/langs/html.mjs'),
	() => import('shiki/langs/css.mjs'),
	() => import('shiki/langs/toml.mjs'),
	() => import('shiki/langs/rust.mjs'),
	() => import('shiki/langs/go.mjs'),
	() => import('shiki/langs/c.mjs'),
	() => import('shiki/langs/cpp.mjs'),
	() => import('shiki/langs/java.mjs'),
	() => import('shiki/langs/dockerfile.mjs'),
	() => import('shiki/langs/markdown.mjs'),
];
const LABELS: Record<string, string> = {
	python: 'Python',
	py: 'Python',
	typescript: 'TypeScript',
	ts: 'TypeScript',
	javascript: 'JavaScript',
	js: 'JavaScript',
	tsx: 'TSX',
	jsx: 'JSX',
	bash: 'Shell',
	sh: 'Shell',
	shell: 'Shell',
	json: 'JSON',
	yaml: 'YAML',
	yml: 'YAML',
	sql: 'SQL',
	diff: 'Diff',
	html: 'HTML',
	css: 'CSS',
	toml: 'TOML',
	rust: 'Rust',
	go: 'Go',
	c: 'C',
	cpp: 'C++',
	java: 'Java',
	dockerfile: 'Dockerfile',
	markdown: 'Markdown',
	md: 'Markdown',
};

/** Colors become `var(--tok-…)`, which `renderToken` turns into classes, because our CSP allows no inline styles. */
const theme = createCssVariablesTheme({ name: 'tokens', variablePrefix: '--tok-' });

/**
 * Classes of tokens that have a color of their own, short because an article has hundreds. Others, as names and punctuation, have
 * the color of the text.
 */
const TOKEN_CLASSES: Record<string, string> = {
	keyword: 't-k',
	string: 't-s',
	'string-expression': 't-s',
	comment: 't-c',
	function: 't-f',
	constant: 't-v',
	parameter: 't-v',
	link: 't-l',
	inserted: 't-i',
	deleted: 't-d',
};

let highlighter: Promise<HighlighterCore> | undefined;
const getHighlighter = () =>
	(highlighter ??= createHighlighterCore({
		themes: [theme],
		langs: LANGUAGES,
		engine: createJavaScriptRegexEngine({ forgiving: true }),
	}));

/** Time limit per line of code. Half a second left code half highlighted on a busy machine. */
const LINE_MS = 10_000;
/** Characters of a line of code. A longer one is shown plain. */
const MAX_LINE = 1000;
/**
 * How much of an article's code is highlighted, as the sum of each line's length to the third power: so fast the time for a
 * line may grow. That is about a second of the worst lines there are, and 4,000 usual lines of 80 characters. Not a time: the
 * same article gives the same HTML.
 */
const MAX_EFFORT = 2e9;

/**
 * Renders an article as its page shows it: sanitized, with curly quotation marks, heading ids, highlighted code and
 * math. Returns its HTML, headings and plain text. A drawing of the library that is not among `drawings` stays a picture.
 */
export async function renderArticle(content: string, drawings?: Drawings): Promise<Rendering> {
	const tree = parseArticle(content);
	await drawFigures(tree, drawings);
	curlQuotesIn(tree);
	renderFormulas(tree);
	const text = plainTextOf(tree);
	const headings = addHeadingIds(tree);
	addDirections(tree);
	// Loading the grammars takes longer than rendering most articles, so only articles with code load them.
	const shiki = /<pre/i.test(content) ? await getHighlighter() : undefined;
	const left = { effort: MAX_EFFORT };
	visit(tree, 'element', (node, index, parent) => {
		if (!parent || index === undefined) return;
		// What is highlighted already: it is in a figure.
		if (isClassed(node, 'code') || isClassed(node, 'drawn-data')) return SKIP;
		if (node.tagName === 'pre' && shiki) {
			parent.children[index] = renderCode(shiki, node, left);
			return SKIP;
		}
		if (node.tagName === 'math') return SKIP;
		if (node.tagName === 'table') {
			// Its cells are visited next.
			parent.children[index] = scrollable(node);
			return;
		}
		if (typeof node.properties.align === 'string') {
			node.properties.className = [`align-${node.properties.align}`];
			delete node.properties.align;
		}
		if (node.properties.dataEmbed !== undefined) {
			parent.children[index] = renderEmbed(node);
			return SKIP;
		}
		if (node.properties.dataGallery !== undefined) {
			const pictures = node.children.filter(
				(child) => child.type === 'element' && child.tagName !== 'figcaption',
			).length;
			delete node.properties.dataGallery;
			node.properties.className = ['gallery', `gallery-${Math.min(pictures, 3)}`];
		}
		if (node.tagName === 'aside' && typeof node.properties.dataCallout === 'string') {
			node.children.unshift(calloutLabel(node.properties.dataCallout));
		}
		return;
	});
	return { html: writeArticle(tree), headings, text };
}

/** Replaces formulas by their MathML. */
function renderFormulas(tree: Root): void {
	visit(tree, 'element', (node, index, parent) => {
		const latex = node.properties.dataLatex;
		if (typeof latex !== 'string' || !parent || index === undefined) return;
		parent.children[index] = renderFormula(latex, node.properties.dataType === 'block-math');
		return SKIP;
	});
}

/** Replaces the blocks of code that are figures by their pictures, or says in place why one cannot be drawn. */
export async function drawFigures(tree: Root, drawings: Drawings = new Map()): Promise<void> {
	const blocks = figureBlocks(tree);
	if (blocks.length === 0) return;
	const { drawFigure } = await import('#src/core/figures/draw.ts');
	const { figureElement } = await import('#src/core/figures/figure-element.ts');
	const taken = new Set<string>();
	// Of the article alone: a drawn figure adds a table of its data.
	const tables = tablesOf(tree);
	for (const { replace, ...block } of blocks) {
		if ('drawing' in block) {
			const { placeDrawing } = await import('#src/core/figures/drawings/place.ts');
			const id = uniqueSlug(`fig-${block.drawing.slug}`, taken);
			const placed = placeDrawing(block.drawing, drawings.get(block.drawing.id), id, taken.size);
			if (placed) replace(placed);
			else taken.delete(id);
			continue;
		}
		const { language, source } = block;
		try {
			const drawing = await drawFigure(language, source, () => tables);
			const id = uniqueSlug(`fig-${drawing.slug}`, taken);
			replace(figureElement(drawing, id, taken.size));
		} catch (error) {
			if (!(error instanceof FigureError)) throw error;
			const name = language === 'mermaid' ? 'Mermaid' : 'Vega-Lite';
			const text = source.replace(/\n$/, '');
			replace(
				codeFigure(`${name}, not drawn: ${error.message}`, [
					{ children: [{ type: 'text', value: text }] },
				]),
			);
		}
	}
}

/** Draws the first plot of an article as its cover shows it, with its title in the last line. Returns nothing where none can be drawn. */
export async function coverOf(content: string, beginning: string): Promise<string> {
	if (!content.includes('language-vega-lite')) return '';
	const tree = parseArticle(content);
	const tables = tablesOf(tree);
	const { drawArt } = await import('#src/core/figures/draw.ts');
	for (const block of figureBlocks(tree)) {
		if ('drawing' in block) continue;
		try {
			const figure = readFigure(block.language, block.source, () => tables);
			if (!('plot' in figure)) continue;
			const art = await drawArt(figure.plot, beginning);
			return [art, curlQuotes(figure.title.replace(/\s+/g, ' '))].join('\n');
		} catch (error) {
			if (!(error instanceof FigureError)) throw error;
		}
	}
	return '';
}

/** Renders an article. If that fails, returns its plain text and the reason. */
export async function renderOrPlain(
	content: string,
	drawings?: Drawings,
): Promise<Rendering & { problem?: string }> {
	try {
		return await renderArticle(content, drawings);
	} catch (error) {
		return { ...plainRendering(content), problem: problemOf(error) };
	}
}

/** Returns an article as paragraphs of plain text, for HTML that cannot be parsed. */
export function plainRendering(content: string): Rendering {
	const text = content
		.replace(/<[^>]*(?:>|$)/g, '\n')
		.replace(/&(?:lt|#60|#x3c);/gi, '<')
		.replace(/&(?:gt|#62|#x3e);/gi, '>')
		.replace(/&amp;/g, '&')
		.replace(/[^\S\n]+/g, ' ')
		.replace(/\s*\n\s*/g, '\n')
		.trim();
	const paragraphs = text
		.split('\n')
		.filter(Boolean)
		.map((value) => element('p', {}, [{ type: 'text', value }]));
	return { html: writeArticle({ type: 'root', children: paragraphs }), headings: [], text };
}

/** Ids of the pages around an article. A test compares them with pages that were built. */
export const RESERVED_IDS: readonly string[] = [
	...['changes', 'changes-title', 'comment-form', 'comment-form-title', 'comments', 'faq'],
	...['floating-newsletter', 'main', 'menu', 'new-link', 'newsletter', 'newsletter-title'],
	...['recommended', 'related', 'search', 'search-words', 'share', 'share-title', 'social-proof'],
	...['your-data', 'your-data-title', 'your-highlights'],
];

/**
 * Gives headings ids that are unique in the article and on its page, and lets the article's links name them. Returns the
 * headings for the table of contents.
 */
export function addHeadingIds(tree: Root): Heading[] {
	const headings: Heading[] = [];
	const taken = new Set(RESERVED_IDS);
	const anchors: Element[] = [];
	const renamed = new Map<string, string>();
	visit(tree, 'element', (node) => {
		const id = String(node.properties.id ?? '');
		if (/^(user-content-)?fn(ref)?-|^footnote-label$|^fig-/.test(id)) taken.add(id);
		else if (id) anchors.push(node);
	});
	visit(tree, 'element', (node) => {
		const isLabel = node.properties.id === 'footnote-label';
		if (!/^h[2-6]$/.test(node.tagName) || isLabel) return;
		const words: Root = { type: 'root', children: node.children };
		const text = plainTextOf(words);
		// An address stays as it is, however formulas are written.
		const base = asciiSlug(plainTextOf(words, () => '')) || 'section';
		const slug = uniqueSlug(base, taken);
		if (node.properties.id) renamed.set(String(node.properties.id), slug);
		node.properties.id = slug;
		headings.push({ depth: Number(node.tagName[1]), slug, text });
		// For the mouse alone, so that a heading is read once: the contents lead there as well.
		const link = { href: `#${slug}`, className: ['anchor'], ariaHidden: 'true', tabIndex: -1 };
		node.children.push(element('a', link, []));
	});
	for (const { tagName, properties } of anchors) {
		if (/^h[2-6]$/.test(tagName)) continue;
		const id = String(properties.id);
		properties.id = uniqueSlug(id, taken);
		renamed.set(id, properties.id);
	}
	visit(tree, 'element', ({ properties }) => {
		const id = properties.className === undefined && String(properties.href ?? '');
		const to = id && id.startsWith('#') && renamed.get(id.slice(1));
		if (to) properties.href = `#${to}`;
	});
	return headings;
}

/** Blocks of which each may be written in another direction. */
const DIRECTED = /^(p|h[1-6]|ul|ol|dl|blockquote|figcaption|table|aside)$/;

/** Says of blocks of words that begin in a script from right to left that they are. Readers of mail and feeds know no `auto`. */
function addDirections(tree: Root): void {
	visit(tree, 'element', (node) => {
		if (node.tagName === 'pre') return SKIP;
		if (!DIRECTED.test(node.tagName) || node.properties.dir) return;
		const [first] = /\p{L}/u.exec(toString(node)) ?? [];
		if (first && RIGHT_TO_LEFT.test(first)) node.properties.dir = 'rtl';
		return;
	});
}
const RIGHT_TO_LEFT =
	/[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Renders a block of code. What highlighting it takes is subtracted from what is left for its article. */
function renderCode(shiki: HighlighterCore, pre: Element, left: { effort: number }): Element {
	const code = pre.children.find(isCode);
	const source = toString(code ?? pre).replace(/\n$/, '');
	const name = languageOf(code);
	const effort = effortOf(source);
	const isHighlighted = shiki.getLoadedLanguages().includes(name) && effort <= left.effort;
	if (isHighlighted) left.effort -= effort;
	const limits = { tokenizeTimeLimit: LINE_MS, tokenizeMaxLineLength: MAX_LINE };
	const lines = isHighlighted
		? shiki
				.codeToTokensBase(source, { lang: name, theme, ...limits })
				.map((tokens) => tokens.map(renderToken))
		: source.split('\n').map((value) => [{ type: 'text' as const, value }]);
	const parts = partsOf(source.split('\n'), name).map(({ from, to, ...kind }) => ({
		...kind,
		count: to - from,
		children: lines
			.slice(from, to)
			.flatMap((line, index) =>
				index === 0 ? line : [{ type: 'text' as const, value: '\n' }, ...line],
			),
	}));
	const figure = codeFigure(LABELS[name], parts);
	const dataRun = runLanguageOf(code);
	if (dataRun) Object.assign(figure.properties, { dataRun });
	else if (name === OUTPUT) Object.assign(figure.properties, { dataPrinted: '' });
	return figure;
}

/** Characters of a table for which the width of the text has room. */
const TABLE_COLUMNS = 92;

/** Returns whether a table whose cells are not wrapped is wider than the text. */
function isWide(table: Element): boolean {
	const columns: number[] = [];
	visit(table, { tagName: 'tr' }, (row: Element) => {
		const cells = row.children.filter((child) => child.type === 'element');
		cells.forEach((cell, at) => {
			columns[at] = Math.max(columns[at] ?? 0, toString(cell).trim().length + 2);
		});
	});
	return columns.reduce((sum, width) => sum + width, 0) > TABLE_COLUMNS;
}

function effortOf(code: string): number {
	let effort = 0;
	for (const { length } of code.split('\n')) if (length <= MAX_LINE) effort += length ** 3;
	return effort;
}

/**
 * Renders a video or recording as a still: a link to its page, which a reader's click replaces by the player that the link
 * names. Nothing is asked of the other site before. Any other page is a card.
 */
function renderEmbed(figure: Element): Element {
	const link = figure.children.find((child) => isNamed(child, 'a'));
	const href = String(link?.properties.href ?? '');
	const embed = embedOf(href);
	delete figure.properties.dataEmbed;
	if (!link || (!embed && !/^https?:/.test(href))) return figure;
	const picture = link.children.find((child) => isNamed(child, 'img'));
	const title = toString(link).trim();
	const words = (className: string, value: string) =>
		element('span', { className: [className] }, [{ type: 'text', value }]);
	const shown = embed && /^$|^https?:/.test(title) ? titleOf(embed) : title || href;
	const said = embed ? `Plays from ${embed.name}` : hostOf(href);
	return element('figure', { className: ['embed', `embed-${embed?.kind ?? 'page'}`] }, [
		element('a', embed ? { href: embed.address, dataPlayer: embed.player } : { href }, [
			...(picture ? [picture] : []),
			words('embed-title', shown),
			{ type: 'text', value: ' ' },
			words('embed-host', said),
		]),
		...figure.children.filter((child) => isNamed(child, 'figcaption')),
	]);
}

function isNamed(node: ElementContent, name: string): node is Element {
	return node.type === 'element' && node.tagName === name;
}

type CodePart = {
	children: ElementContent[];
	isFolded?: boolean;
	isData?: boolean;
	count?: number;
};

/** Returns a block of code. Of a folded part only the number of lines is seen before it is opened. */
function codeFigure(label: string | undefined, parts: CodePart[]): Element {
	const words = (value: string) => [{ type: 'text' as const, value }];
	return element('figure', { className: ['code'] }, [
		...(label ? [element('figcaption', {}, words(label))] : []),
		...parts.map(({ children, isFolded, isData, count }) => {
			const pre = element('pre', { tabIndex: 0 }, [element('code', {}, children)]);
			return isFolded
				? element('details', {}, [
						element('summary', {}, words(`${count} more lines${isData ? ' of data' : ''}`)),
						pre,
					])
				: pre;
		}),
	]);
}

function renderToken({ content, color }: { content: string; color?: string }): ElementContent {
	const name = /--tok-(?:token-)?([\w-]+)/.exec(color ?? '')?.[1];
	const className = name && TOKEN_CLASSES[name];
	const text = { type: 'text' as const, value: content };
	return className && content.trim() !== ''
		? element('span', { className: [className] }, [text])
		: text;
}

/** Limits of a formula: characters, and nested braces, for which the parser recurses. */
const FORMULA_LIMITS = { length: 5000, depth: 100 };

function renderFormula(latex: string, display: boolean): Element {
	if (latex.length > FORMULA_LIMITS.length || braceDepth(latex) > FORMULA_LIMITS.depth) {
		return element('code', {}, [{ type: 'text', value: latex }]);
	}
	const mathml = temml.renderToString(latex, { displayMode: display, throwOnError: false });
	const root = unified().use(rehypeParse, { fragment: true }).parse(mathml);
	visit(root, { tagName: 'math' }, (node: Element) => {
		node.properties['alttext'] = latex;
	});
	return display
		? element(
				'div',
				// It can scroll on its own, also by keyboard.
				{ className: ['math-block'], tabIndex: 0, role: 'group', ariaLabel: 'Formula' },
				root.children as ElementContent[],
			)
		: element('span', { className: ['math'] }, root.children as ElementContent[]);
}

/** Returns the maximum nesting depth of braces, escaped ones included. */
function braceDepth(latex: string): number {
	let depth = 0;
	let deepest = 0;
	for (const sign of latex) {
		if (sign === '{') deepest = Math.max(deepest, ++depth);
		else if (sign === '}') depth--;
	}
	return deepest;
}

/** Wraps a table so that it can scroll on its own, also by keyboard. One that is wider than the text says so. */
function scrollable(table: Element): Element {
	return element(
		'div',
		{
			className: ['table-scroll'],
			tabIndex: 0,
			role: 'group',
			ariaLabel: 'Table',
			...(isWide(table) && { dataWide: '' }),
		},
		[table],
	);
}

function calloutLabel(kind: string): Element {
	const label = kind.charAt(0).toUpperCase() + kind.slice(1);
	return element('p', { className: ['callout-label'] }, [{ type: 'text', value: label }]);
}
