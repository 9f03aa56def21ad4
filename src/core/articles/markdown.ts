import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import type { Element, ElementContent, Properties, Root, Text as HastText } from 'hast';
import type { Parents, Root as Markdown, Text } from 'mdast';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { calloutKind } from './callouts.ts';
import { remarkTex } from './tex-syntax.ts';

const CALLOUT = /^\[!(NOTE|TIP|WARNING|IMPORTANT|CAUTION)\]\s*/;
const FIGURE = /^\[!(FIGURE|EMBED|GALLERY)(?: ([a-z0-9-]+))?\]\s*/;

const processor = (html: boolean) =>
	unified()
		.use(remarkParse)
		.use(remarkGfm, { singleTilde: false })
		.use(remarkMath, { singleDollarTextMath: false })
		.use(remarkTex)
		.use(() => (tree: Markdown, file) => convertMarkdown(tree, String(file)))
		.use(remarkRehype, { clobberPrefix: '', allowDangerousHtml: html })
		.use(() => (tree: Root, file) => convertElements(tree, String(file)))
		.use(rehypeStringify, { allowDangerousHtml: html })
		.freeze();
const plain = processor(false);
const withHtml = processor(true);

/**
 * Converts Markdown with tables, footnotes, math, `> [!NOTE]` callouts and `> [!FIGURE name]` figures, whose
 * first paragraph is the caption, to the HTML of a post's `content`. With `html`, embedded HTML is kept and
 * must be sanitized.
 */
export async function markdownToHtml(markdown: string, { html = false } = {}): Promise<string> {
	return String(await (html ? withHtml : plain).process(markdown));
}

/** An id in braces after the words of a heading, as kramdown, Pandoc and Hugo read it. */
const HEADING_ID = /\s*(?<!\\)\{:?\s*#([\p{L}\p{N}\w:.-]+)[^{}]*\}\s*$/u;

/** Reads line breaks that are written as HTML, and ids after headings. */
function convertMarkdown(tree: Markdown, source: string): void {
	visit(tree, (node, index, parent) => {
		if (node.type === 'html' && /^<br\s*\/?>$/i.test(node.value) && parent && !isFlow(parent)) {
			parent.children[index ?? 0] = { type: 'break' };
		} else if (node.type === 'heading') {
			const last = node.children.at(-1);
			const id = last?.type === 'text' ? HEADING_ID.exec(last.value) : null;
			if (last?.type !== 'text' || !id || !HEADING_ID.test(sourceOf(last, source))) return;
			last.value = last.value.slice(0, id.index);
			node.data = { ...node.data, hProperties: { id: id[1] } };
		}
	});
}

const isFlow = ({ type }: Parents) => ['root', 'blockquote', 'listItem'].includes(type);

/** Replaces math, callouts and figures with the elements that the editor and the renderer know. */
function convertElements(tree: Root, source: string): void {
	visit(tree, 'element', (node) => {
		if (isMath(node, 'math-inline')) {
			Object.assign(node, mathOf('inline', textOf(node)));
		} else if (node.tagName === 'pre') {
			const [code] = node.children;
			if (code?.type !== 'element') return;
			if (isMath(code, 'math-display') || isMath(code, 'language-math'))
				Object.assign(node, mathOf('block', textOf(code)));
			else Object.assign(code.properties, languageOf(code), runProperties(code.data?.meta ?? ''));
		} else if (node.tagName === 'p' && node.children.length === 1) {
			// A formula between two dollar signs is in a line of its own or in words, as kramdown reads it.
			const [only] = node.children;
			if (only?.type !== 'element' || !isMath(only, 'math-inline')) return;
			Object.assign(node, mathOf('block', textOf(only)));
		} else if (node.tagName === 'blockquote') {
			convertCallout(node, source);
			convertFigure(node, source);
		}
	});
}

function isMath({ tagName, properties }: Element, kind: string): boolean {
	const classes = properties.className;
	return tagName === 'code' && Array.isArray(classes) && classes.includes(kind);
}

function mathOf(kind: 'inline' | 'block', latex: string): Omit<Element, 'type'> {
	const properties = { dataType: `${kind}-math`, dataLatex: latex.trim() };
	return { tagName: kind === 'inline' ? 'span' : 'div', properties, children: [] };
}

/** Returns a block's language without what other programs write behind it: `rust,linenos`, `js:app.js`, `{.python}`, `js{1,3}`. */
function languageOf({ properties }: Element): Properties {
	const [name] = [properties.className].flat();
	const [, language] = /^language-\{?\.?([\w+#-]+)/.exec(String(name)) ?? [];
	return { className: language ? [`language-${language}`] : undefined };
}

/** Returns what the words after a block's language say of running it: `run`, or `norun` and why not. */
function runProperties(meta: string): Properties {
	if (/^run\b/.test(meta)) return { dataRun: '' };
	const [, reason] = /^norun\b:?\s*(.*)/.exec(meta) ?? [];
	return reason === undefined ? {} : { dataNorun: reason };
}

function convertCallout(quote: Element, source: string): void {
	const [, kind] = takeMarker(quote, CALLOUT, source) ?? [];
	if (!kind) return;
	// A marker alone in its paragraph leaves an empty one.
	quote.children = quote.children.filter(
		(child) => child.type !== 'element' || child.tagName !== 'p' || hasWords(child),
	);
	quote.tagName = 'aside';
	quote.properties = { dataCallout: calloutKind(kind) };
}

function convertFigure(quote: Element, source: string): void {
	const marker = takeMarker(quote, FIGURE, source);
	const caption = quote.children.find((child) => child.type === 'element');
	if (!marker || !caption) return;
	caption.tagName = 'figcaption';
	quote.tagName = 'figure';
	if (marker[1] === 'FIGURE') {
		quote.properties = marker[2] ? { dataExplainer: marker[2] } : {};
		const picture = pictureOf(quote, caption);
		if (picture) quote.children = [picture, ...(hasWords(caption) ? [caption] : [])];
	} else adoptOthers(quote, caption, marker[1] === 'EMBED');
}

const hasWords = (caption: Element) =>
	textOf(caption).trim() !== '' || caption.children.some(({ type }) => type === 'element');

/** Returns the picture of a figure that has nothing else but its caption. */
function pictureOf({ children }: Element, caption: Element): Element | undefined {
	const [only, ...more] = children.filter((child) => child !== caption && child.type === 'element');
	if (only?.type !== 'element' || only.tagName !== 'p' || more.length > 0) return undefined;
	const [picture, ...others] = only.children;
	const isPicture = picture?.type === 'element' && picture.tagName === 'img';
	return isPicture && others.length === 0 ? picture : undefined;
}

/** Completes a video, a recording or a gallery: their captions come last, and only where they say something. */
function adoptOthers(figure: Element, caption: Element, isEmbed: boolean): void {
	const others = figure.children.filter((child) => child !== caption && child.type === 'element');
	const content = isEmbed
		? others.flatMap((child) => (child.type === 'element' ? child.children : []))
		: others;
	figure.properties = isEmbed ? { dataEmbed: '' } : { dataGallery: '' };
	figure.children = hasWords(caption) ? [...content, caption] : content;
}

/** Returns the match at the start of a blockquote's text and removes it from there. */
function takeMarker(quote: Element, pattern: RegExp, source: string): RegExpExecArray | null {
	const paragraph = quote.children.find((child) => child.type === 'element');
	const first = paragraph?.type === 'element' ? paragraph.children[0] : undefined;
	if (paragraph?.type !== 'element' || first?.type !== 'text') return null;
	// A bracket that is escaped is one of the text.
	const match = sourceOf(first, source).startsWith('[') ? pattern.exec(first.value) : null;
	if (match) first.value = first.value.slice(match[0].length);
	return match;
}

/** Returns a text as it is written, with the signs that escape others. */
function sourceOf({ position }: Text | HastText, source: string): string {
	return source.slice(position?.start.offset, position?.end.offset);
}

function textOf(node: Element): string {
	return node.children
		.map((child: ElementContent) => ('value' in child ? child.value : ''))
		.join('');
}
