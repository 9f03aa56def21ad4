import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import type { Element, ElementContent, Properties, Root } from 'hast';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { calloutKind } from './callouts.ts';

const CALLOUT = /^\[!(NOTE|TIP|WARNING|IMPORTANT|CAUTION)\]\s*/;
const FIGURE = /^\[!(FIGURE|EMBED|GALLERY)(?: ([a-z0-9-]+))?\]\s*/;

const processor = (html: boolean) =>
	unified()
		.use(remarkParse)
		.use(remarkGfm)
		.use(remarkMath)
		.use(remarkRehype, { clobberPrefix: '', allowDangerousHtml: html })
		.use(() => convertElements)
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

/** Replaces math, callouts and figures with the elements that the editor and the renderer know. */
function convertElements(tree: Root): void {
	visit(tree, 'element', (node) => {
		const classes = node.properties.className;
		if (node.tagName === 'code' && Array.isArray(classes) && classes.includes('math-inline')) {
			node.tagName = 'span';
			node.properties = { dataType: 'inline-math', dataLatex: textOf(node) };
			node.children = [];
		} else if (node.tagName === 'pre') {
			const [code] = node.children;
			const inner = code?.type === 'element' ? code.properties.className : undefined;
			if (code?.type === 'element' && Array.isArray(inner) && inner.includes('math-display')) {
				node.tagName = 'div';
				node.properties = { dataType: 'block-math', dataLatex: textOf(code).trim() };
				node.children = [];
			} else if (code?.type === 'element') {
				Object.assign(code.properties, runProperties(code.data?.meta ?? ''));
			}
		} else if (node.tagName === 'blockquote') {
			convertCallout(node);
			convertFigure(node);
		}
	});
}

/** Returns what the words after a block's language say of running it: `run`, or `norun` and why not. */
function runProperties(meta: string): Properties {
	if (/^run\b/.test(meta)) return { dataRun: '' };
	const [, reason] = /^norun\b:?\s*(.*)/.exec(meta) ?? [];
	return reason === undefined ? {} : { dataNorun: reason };
}

function convertCallout(quote: Element): void {
	const [, kind] = takeMarker(quote, CALLOUT) ?? [];
	if (!kind) return;
	quote.tagName = 'aside';
	quote.properties = { dataCallout: calloutKind(kind) };
}

function convertFigure(quote: Element): void {
	const marker = takeMarker(quote, FIGURE);
	const caption = quote.children.find((child) => child.type === 'element');
	if (!marker || !caption) return;
	caption.tagName = 'figcaption';
	quote.tagName = 'figure';
	if (marker[1] === 'FIGURE') quote.properties = marker[2] ? { dataExplainer: marker[2] } : {};
	else adoptOthers(quote, caption, marker[1] === 'EMBED');
}

/** Completes a video, a recording or a gallery: their captions come last, and only where they say something. */
function adoptOthers(figure: Element, caption: Element, isEmbed: boolean): void {
	const others = figure.children.filter((child) => child !== caption && child.type === 'element');
	const content = isEmbed
		? others.flatMap((child) => (child.type === 'element' ? child.children : []))
		: others;
	figure.properties = isEmbed ? { dataEmbed: '' } : { dataGallery: '' };
	figure.children =
		textOf(caption).trim() || caption.children.length > 0 ? [...content, caption] : content;
}

/** Returns the match at the start of a blockquote's text and removes it from there. */
function takeMarker(quote: Element, pattern: RegExp): RegExpExecArray | null {
	const paragraph = quote.children.find((child) => child.type === 'element');
	const first = paragraph?.type === 'element' ? paragraph.children[0] : undefined;
	if (paragraph?.type !== 'element' || first?.type !== 'text') return null;
	const match = pattern.exec(first.value);
	if (match) first.value = first.value.slice(match[0].length);
	return match;
}

function textOf(node: Element): string {
	return node.children
		.map((child: ElementContent) => ('value' in child ? child.value : ''))
		.join('');
}
