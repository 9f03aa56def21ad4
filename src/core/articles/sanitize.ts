import type { Element, Root, RootContent } from 'hast';
import rehypeParse from 'rehype-parse';
import rehypeSanitize, { defaultSchema, type Options as SanitizeSchema } from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { invalid } from '#src/lib/errors.ts';
import { CALLOUTS } from './callouts.ts';

/** Allow-list of the sanitizer. Everything else is dropped. */
const allowed: SanitizeSchema = {
	...defaultSchema,
	clobberPrefix: '',
	clobber: [],
	tagNames: [
		...(defaultSchema.tagNames ?? []),
		'figure',
		'figcaption',
		'aside',
		'mark',
		'abbr',
		'cite',
	],
	attributes: {
		...defaultSchema.attributes,
		a: [
			'href',
			'title',
			['rel', 'noopener', 'nofollow'],
			'ariaLabel',
			'dataFootnoteRef',
			'dataFootnoteBackref',
			'ariaDescribedBy',
			['className', 'data-footnote-backref'],
		],
		aside: [['dataCallout', ...CALLOUTS]],
		code: [['className', /^language-[\w+#-]+$/], 'dataRun', 'dataNorun'],
		div: [['dataType', 'block-math'], 'dataLatex'],
		figure: [
			['dataExplainer', /^[a-z0-9-]+$/],
			['dataEmbed', ''],
			['dataGallery', ''],
		],
		img: ['src', 'alt', 'title', 'width', 'height'],
		span: [['dataType', 'inline-math'], 'dataLatex'],
		input: [...(defaultSchema.attributes?.['input'] ?? []), 'checked'],
		ol: [...(defaultSchema.attributes?.['ol'] ?? []), 'start', 'reversed'],
		section: ['dataFootnotes', ['className', 'footnotes']],
		h2: [['className', 'sr-only']],
		td: ['colSpan', 'rowSpan', 'align'],
		th: ['colSpan', 'rowSpan', 'align', ['scope', 'row', 'col']],
		// Footnotes refer to each other by id, and `keepAnchors` leaves those that a link of the article names. Ids of
		// headings are added when the article is rendered.
		'*': [['id', /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*$/u], ['dir', 'rtl', 'ltr'], 'title'],
	},
	protocols: {
		href: ['http', 'https', 'mailto'],
		src: ['http', 'https'],
		cite: ['http', 'https'],
	},
};

const parser = unified().use(rehypeParse, { fragment: true });
const sanitizer = unified().use(rehypeSanitize, allowed);
const writer = unified().use(rehypeStringify);

/** Parses HTML as it is, without removing anything. */
export function parseHtml(html: string): Root {
	// What was stored before may have control characters, which no page may.
	return parser.parse(html.replace(/(?![\t\n\f\r])\p{Cc}|[\ufffe\uffff]/gu, ''));
}

/** Parses an untrusted article into a tree that contains only what is allowed. */
export function parseArticle(html: string): Root {
	return sanitizeTree(parseHtml(html));
}

/** Removes what is not allowed from a tree. Positions of the rest are kept. */
export function sanitizeTree(tree: Root): Root {
	flattenTree(tree);
	keepAnchors(tree);
	return sanitizer.runSync(tree);
}

const FOOTNOTE_ID = /^((user-content-)?fn(ref)?-[\w-]+|footnote-label)$/;
/** Elements that keep an id in the editor. In them an anchor of another program stands. */
const ANCHORED = /^(p|h[1-6]|li|blockquote|table)$/;

/**
 * Keeps the ids that links of the article lead to, on the paragraph, heading, item, quotation or table that they stand in,
 * and lets the links name what is kept. All other ids go but those of footnotes.
 */
function keepAnchors(tree: Root): void {
	const links: Element[] = [];
	visit(tree, 'element', (node) => {
		if (/^#./.test(String(node.properties.href ?? ''))) links.push(node);
	});
	const wanted = new Set(links.map(fragmentOf));
	const kept = new Map<string, string>();
	const taken = new Set<Element>();
	const read = (node: Element, around: Element | undefined) => {
		const holder = ANCHORED.test(node.tagName) ? node : (around ?? node);
		const { id, name } = node.properties;
		if (!FOOTNOTE_ID.test(String(id))) {
			if (!taken.has(node)) delete node.properties.id;
			for (const said of [id, node.tagName === 'a' ? name : undefined]) {
				const old = String(said ?? '');
				if (!wanted.has(old) || kept.has(old)) continue;
				if (!taken.has(holder) && !FOOTNOTE_ID.test(String(holder.properties.id))) {
					const plain = old.replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '-').replace(/^[^\p{L}\p{N}]+/u, '');
					holder.properties.id = plain || 'anchor';
					taken.add(holder);
				}
				kept.set(old, String(holder.properties.id));
			}
		}
		const inner = ANCHORED.test(node.tagName) ? node : around;
		for (const child of node.children) if (isElement(child)) read(child, inner);
	};
	for (const child of tree.children) if (isElement(child)) read(child, undefined);
	for (const link of links) {
		const id = kept.get(fragmentOf(link));
		if (id !== undefined) link.properties.href = `#${id}`;
	}
}

/** Returns what a link within the article leads to. */
function fragmentOf({ properties }: Element): string {
	const fragment = String(properties.href).slice(1);
	try {
		return decodeURIComponent(fragment);
	} catch {
		return fragment;
	}
}

/** Elements in elements: no article needs a tenth of it, and what goes through a tree has an end to its stack. */
const MAX_DEPTH = 100;

const isElement = (node: RootContent): node is Element => node.type === 'element';

/** Takes away elements that are nested too deep. Their text stays. */
export function flattenTree(tree: Root): void {
	let level: (Root | Element)[] = [tree];
	for (let depth = 0; depth < MAX_DEPTH; depth++) {
		level = level.flatMap(({ children }) => (children as RootContent[]).filter(isElement));
		if (level.length === 0) return;
	}
	for (const node of level) {
		if (!(node.children as RootContent[]).some(isElement)) continue;
		const value = textOf(node);
		node.children = value ? [{ type: 'text', value }] : [];
	}
}

/** The text in a node, however deep: without recursion. */
function textOf(node: Root | Element): string {
	let text = '';
	const open: RootContent[] = node.children.toReversed();
	for (let next = open.pop(); next; next = open.pop()) {
		if (next.type === 'text') text += next.value;
		if (next.type === 'element') open.push(...next.children.toReversed());
	}
	return text;
}

export function writeArticle(tree: Root): string {
	return writer.stringify(tree);
}

/** Why an article could not be rendered, in one sentence. */
export function problemOf(error: unknown): string {
	return error instanceof RangeError
		? 'Its elements or formulas are nested too deeply.'
		: `It cannot be rendered (${(error as Error).message}).`;
}

const TOO_DEEP = 'This HTML is nested too deep: take some of the elements around the text away';

/** Sanitizes an untrusted article before it is stored. Sanitizing twice changes nothing. */
export function sanitizeArticle(html: string): string {
	try {
		return writeArticle(parseArticle(html));
	} catch (error) {
		// Thousands of nested elements exhaust the stack.
		if (!(error instanceof RangeError)) throw error;
		throw invalid({ content: TOO_DEEP });
	}
}
