import { getSchema } from '@tiptap/core';
import { DOMParser as ProseParser, type Mark, type Node as ProseNode } from '@tiptap/pm/model';
import type { Element, ElementContent, Root, RootContent } from 'hast';
import { toString } from 'hast-util-to-string';
import { parseHtml, sanitizeArticle, writeArticle } from '#src/core/articles/sanitize.ts';
import { escapeHtml } from '#src/lib/text.ts';
import { articleExtensions, footnoteNumbers, listOfFootnotes } from './schema.ts';

export const schema = getSchema(articleExtensions());

/** An article in the editor, and how the blocks that it was opened with were written. */
export type OpenArticle = {
	doc: ProseNode;
	/** Blocks as they came, by the HTML that `toHtml` gives them. */
	written: Map<string, string>;
};

/**
 * Reads an article's HTML. Nothing is lost: a block that the editor could not give back with all that is in it
 * becomes an `html` block, which keeps it as it is.
 */
export function openArticle(html: string): OpenArticle {
	const blocks = blocksOf(parseHtml(sanitizeArticle(html)));
	const read = blocks.map((block) => ({
		block,
		source: writeArticle(block),
		nodes: nodesOf(block),
	}));
	const numbers = numbersOf(docOf(read.flatMap(({ nodes }) => nodes)));
	const written = new Map<string, string>();
	const nodes = read.flatMap(({ block, source, nodes }) => {
		const again = nodes.map((node) => blockHtml(node, numbers)).join('\n');
		if (substance(parseHtml(again)) === substance(block)) {
			if (nodes.length === 1 && !written.has(again)) written.set(again, source);
			return nodes;
		}
		return [schema.nodes['html']!.create({ html: source })];
	});
	return { doc: docOf(nodes), written };
}

/**
 * Parses HTML, keeping only elements that the editor supports. For pasted content, which need not survive unchanged.
 */
export function readArticle(html: string): ProseNode {
	const blocks = blocksOf(parseHtml(sanitizeArticle(html)));
	return docOf(
		blocks.flatMap((block) => {
			const [only] = block.children;
			return only?.type === 'element' && only.tagName === 'details'
				? [schema.nodes['html']!.create({ html: writeArticle(block) })]
				: nodesOf(block);
		}),
	);
}

/** The article's HTML. Blocks that were not touched are written as they were. */
export function closeArticle(doc: ProseNode, written: OpenArticle['written'] = new Map()): string {
	const numbers = numbersOf(doc);
	const blocks: string[] = [];
	doc.forEach((node) => {
		if (isEmptyParagraph(node) || isEmptyGallery(node)) return;
		const html = blockHtml(node, numbers);
		blocks.push(written.get(html) ?? html);
	});
	return sanitizeArticle(blocks.join('\n'));
}

/** Top-level blocks, each a tree of its own. Text that stands in none is a paragraph. */
function blocksOf({ children }: Root): Root[] {
	const blocks: Element[] = [];
	let loose: ElementContent[] = [];
	const flush = () => {
		if (loose.some((child) => child.type === 'element' || textOf(child).trim() !== ''))
			blocks.push({ type: 'element', tagName: 'p', properties: {}, children: loose });
		loose = [];
	};
	for (const child of children) {
		if (child.type === 'element' && !INLINE.has(child.tagName)) {
			flush();
			blocks.push(child);
		} else if (child.type !== 'doctype') loose.push(child);
	}
	flush();
	return blocks.map((block) => ({ type: 'root', children: [block] }));
}

function nodesOf(block: Root): ProseNode[] {
	const { body } = new DOMParser().parseFromString(writeArticle(block), 'text/html');
	const parser = ProseParser.fromSchema(schema);
	const section = body.querySelector(':scope > section[data-footnotes]');
	if (section) {
		const topNode = schema.nodes['footnotes']!.create();
		return [parser.parse(listOfFootnotes(section), { topNode })];
	}
	const doc = parser.parse(body);
	return doc.children.filter((node) => !isEmptyParagraph(node));
}

/** A document of these blocks, its footnotes last. */
function docOf(nodes: ProseNode[]): ProseNode {
	const notes = nodes.filter(({ type }) => type.name === 'footnotes');
	const blocks = nodes.filter(({ type }) => type.name !== 'footnotes');
	const paragraph = schema.nodes['paragraph']!.create();
	const footnotes = notes[0]?.copy(notes[0].content);
	return schema.nodes['doc']!.create(null, [
		...(blocks.length > 0 ? blocks : [paragraph]),
		...(footnotes ? [footnotes] : []),
	]);
}

function isEmptyParagraph(node: ProseNode): boolean {
	return node.type.name === 'paragraph' && node.childCount === 0;
}

function isEmptyGallery(node: ProseNode): boolean {
	return node.type.name === 'gallery' && node.childCount === 0;
}

type Numbers = ReturnType<typeof footnoteNumbers> & { seen: Map<ProseNode, number> };

/** Numbers of footnotes, and of each mark among those of its footnote. */
function numbersOf(doc: ProseNode): Numbers {
	const seen = new Map<ProseNode, number>();
	const counts = new Map<string, number>();
	doc.descendants((node) => {
		if (node.type.name !== 'footnoteRef') return;
		const name = String(node.attrs['name']);
		const count = (counts.get(name) ?? 0) + 1;
		counts.set(name, count);
		seen.set(node, count);
	});
	return Object.assign(footnoteNumbers(doc), { seen });
}

type Attributes = Record<string, string | number | boolean | null | undefined>;

function tag(name: string, attributes: Attributes, content: string): string {
	return `<${name}${attributesOf(attributes)}>${content}</${name}>`;
}
function attributesOf(attributes: Attributes): string {
	return Object.entries(attributes)
		.filter(([, value]) => value !== null && value !== undefined && value !== false)
		.map(([key, value]) => (value === true ? ` ${key}` : ` ${key}="${escapeHtml(String(value))}"`))
		.join('');
}
/** Parts on lines of their own, as Markdown's HTML has them. */
const lines = (parts: string[]) => `\n${parts.join('\n')}\n`;

function blocksHtml(node: ProseNode, numbers: Numbers): string[] {
	return node.children.map((child) => blockHtml(child, numbers));
}

function blockHtml(node: ProseNode, numbers: Numbers): string {
	const attrs: Attributes = node.attrs;
	const { id, dir } = attrs;
	const place = { id, dir };
	switch (node.type.name) {
		case 'paragraph':
			return tag('p', place, inlineHtml(node.children, numbers));
		case 'heading':
			return tag(`h${attrs['level']}`, place, inlineHtml(node.children, numbers));
		case 'blockquote':
			return tag('blockquote', place, lines(blocksHtml(node, numbers)));
		case 'callout':
			return tag('aside', { 'data-callout': attrs['kind'] }, lines(blocksHtml(node, numbers)));
		case 'bulletList':
			return tag('ul', place, lines(itemsHtml(node, numbers)));
		case 'orderedList': {
			const start = attrs['start'] === 1 ? null : attrs['start'];
			return tag('ol', { start, ...place }, lines(itemsHtml(node, numbers)));
		}
		case 'taskList':
			return tag('ul', { class: 'contains-task-list' }, lines(itemsHtml(node, numbers)));
		case 'codeBlock': {
			const language = attrs['language'] ? `language-${attrs['language']}` : null;
			const { run, norun } = attrs;
			const code = tag(
				'code',
				{ class: language, 'data-run': run ? '' : null, 'data-norun': norun },
				`${escapeHtml(node.textContent)}\n`,
			);
			return tag('pre', {}, code);
		}
		case 'horizontalRule':
			return '<hr>';
		case 'table':
			return tableHtml(node, numbers);
		case 'picture':
			return pictureHtml(node, numbers);
		case 'gallery':
			return tag('figure', { 'data-gallery': '' }, lines(blocksHtml(node, numbers)));
		case 'embed':
			return embedHtml(node, numbers);
		case 'caption':
			return tag('figcaption', {}, inlineHtml(node.children, numbers));
		case 'exhibit':
			return tag(
				'figure',
				{ 'data-explainer': attrs['explainer'] },
				lines(blocksHtml(node, numbers)),
			);
		case 'blockMath':
			return tag('div', { 'data-type': 'block-math', 'data-latex': attrs['latex'] }, '');
		case 'footnotes':
			return footnotesHtml(node, numbers);
		case 'html':
			return String(attrs['html']);
		default:
			throw new Error(`No HTML for ${node.type.name}`);
	}
}

function itemsHtml(list: ProseNode, numbers: Numbers): string[] {
	const tight =
		list.attrs['tight'] === true &&
		list.children.every(({ children }) =>
			children.every(({ type }, index) =>
				index === 0 ? type.name === 'paragraph' : type.name !== 'paragraph',
			),
		);
	return list.children.map((item) => {
		const task = item.type.name === 'taskItem';
		const box = task
			? `<input type="checkbox"${item.attrs['checked'] ? ' checked' : ''} disabled> `
			: '';
		const parts = item.children.map((child, index) => {
			if (child.type.name !== 'paragraph') return blockHtml(child, numbers);
			const inline = (index === 0 ? box : '') + inlineHtml(child.children, numbers);
			const { id, dir }: Attributes = child.attrs;
			return tight ? inline : tag('p', { id, dir }, inline);
		});
		const first = item.firstChild?.type.name === 'paragraph' ? '' : box;
		const content =
			tight && parts.length === 1
				? first + parts.join('')
				: tight
					? `${first}${parts.join('\n')}\n`
					: first + lines(parts);
		const { id, dir }: Attributes = item.attrs;
		return tag('li', { class: task ? 'task-list-item' : null, id, dir }, content);
	});
}

function tableHtml(table: ProseNode, numbers: Numbers): string {
	const rows = table.children.map((row) => ({
		head: row.children.every(({ type }) => type.name === 'tableHeader'),
		html: tag(
			'tr',
			{},
			lines(
				row.children.map((cell) => {
					const { align, scope, colspan, rowspan }: Attributes = cell.attrs;
					const [only, more] = cell.children;
					const content =
						only?.type.name === 'paragraph' && !more
							? inlineHtml(only.children, numbers)
							: blocksHtml(cell, numbers).join('\n');
					return tag(
						cell.type.name === 'tableHeader' ? 'th' : 'td',
						{
							align,
							scope,
							colspan: colspan === 1 ? null : colspan,
							rowspan: rowspan === 1 ? null : rowspan,
						},
						content,
					);
				}),
			),
		),
	}));
	const body = rows.findIndex(({ head }) => !head);
	const cut = body === -1 ? rows.length : body;
	const part = (name: string, from: typeof rows) =>
		from.length > 0 ? [tag(name, {}, lines(from.map(({ html }) => html)))] : [];
	const { id, dir }: Attributes = table.attrs;
	return tag(
		'table',
		{ id, dir },
		lines([...part('thead', rows.slice(0, cut)), ...part('tbody', rows.slice(cut))]),
	);
}

function pictureHtml(node: ProseNode, numbers: Numbers): string {
	const { src, alt, title, width, height, bare }: Attributes = node.attrs;
	const image = `<img${attributesOf({ src, alt, title, width, height })}>`;
	if (bare && node.childCount === 0) return tag('p', {}, image);
	const caption =
		node.childCount > 0 ? [tag('figcaption', {}, inlineHtml(node.children, numbers))] : [];
	return tag('figure', {}, lines([image, ...caption]));
}

function embedHtml(node: ProseNode, numbers: Numbers): string {
	const { href, title, src, alt, width, height }: Attributes = node.attrs;
	const image = src ? `<img${attributesOf({ src, alt, width, height })}> ` : '';
	const caption =
		node.childCount > 0 ? [tag('figcaption', {}, inlineHtml(node.children, numbers))] : [];
	const link = tag('a', { href }, image + escapeHtml(String(title || href)));
	return tag('figure', { 'data-embed': '' }, lines([link, ...caption]));
}

function footnotesHtml(section: ProseNode, numbers: Numbers): string {
	const place = ({ attrs }: ProseNode) => numbers.get(String(attrs['name']))?.number ?? Infinity;
	const items = [...section.children]
		.sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)))
		.map((item) => {
			const name = String(item.attrs['name']);
			const { number = 0, marks = 0 } = numbers.get(name) ?? {};
			const back = Array.from({ length: marks }, (_, index) => {
				const again = index > 0 ? index + 1 : null;
				return tag(
					'a',
					{
						href: `#fnref-${name}${again ? `-${again}` : ''}`,
						'data-footnote-backref': '',
						'aria-label': `Back to reference ${number}${again ? `-${again}` : ''}`,
						class: 'data-footnote-backref',
					},
					`↩${again ? `<sup>${again}</sup>` : ''}`,
				);
			});
			const last = item.childCount - 1;
			const parts = item.children.map((child, index) =>
				index === last && child.type.name === 'paragraph' && back.length > 0
					? tag('p', {}, `${inlineHtml(child.children, numbers)} ${back.join(' ')}`)
					: blockHtml(child, numbers),
			);
			if (item.lastChild?.type.name !== 'paragraph' && back.length > 0)
				parts.push(back.join('\n \n'));
			return tag('li', { id: `fn-${name}` }, lines(parts));
		});
	return tag(
		'section',
		{ 'data-footnotes': '', class: 'footnotes' },
		`<h2 class="sr-only" id="footnote-label">Footnotes</h2>\n${tag('ol', {}, lines(items))}\n`,
	);
}

/** Elements of marks; where several begin and end together, the first here is the outermost. */
const MARKS: Record<string, string> = {
	link: 'a',
	bold: 'strong',
	italic: 'em',
	strike: 'del',
	inserted: 'ins',
	highlight: 'mark',
	abbreviation: 'abbr',
	cite: 'cite',
	superscript: 'sup',
	subscript: 'sub',
	keyboard: 'kbd',
	code: 'code',
};
const RANK = Object.keys(MARKS);

/** Inline content; of the marks that begin at a place the one that goes on longest is the outermost. */
function inlineHtml(
	nodes: readonly ProseNode[],
	numbers: Numbers,
	open: readonly Mark[] = [],
): string {
	let html = '';
	for (let index = 0; index < nodes.length;) {
		const node = nodes[index]!;
		const [outer] = node.marks
			.filter((mark) => !mark.isInSet(open))
			.map((mark) => ({ mark, end: endOf(mark, nodes, index) }))
			.sort(
				(a, b) => b.end - a.end || RANK.indexOf(a.mark.type.name) - RANK.indexOf(b.mark.type.name),
			);
		if (!outer) {
			html += leafHtml(node, numbers);
			index++;
			continue;
		}
		const { mark, end } = outer;
		const { href, title, rel }: Attributes = mark.attrs;
		html += tag(
			MARKS[mark.type.name]!,
			{ href, title, rel },
			inlineHtml(nodes.slice(index, end), numbers, [...open, mark]),
		);
		index = end;
	}
	return html;
}

function endOf(mark: Mark, nodes: readonly ProseNode[], from: number): number {
	let end = from;
	while (end < nodes.length && mark.isInSet(nodes[end]!.marks)) end++;
	return end;
}

function leafHtml(node: ProseNode, numbers: Numbers): string {
	switch (node.type.name) {
		case 'text':
			return escapeHtml(node.text ?? '');
		case 'hardBreak':
			return '<br>\n';
		case 'inlineMath':
			return tag(
				'span',
				{ 'data-type': 'inline-math', 'data-latex': String(node.attrs['latex']) },
				'',
			);
		case 'footnoteRef': {
			const name = String(node.attrs['name']);
			const count = numbers.seen.get(node) ?? 1;
			return tag(
				'sup',
				{},
				tag(
					'a',
					{
						href: `#fn-${name}`,
						id: `fnref-${name}${count > 1 ? `-${count}` : ''}`,
						'data-footnote-ref': '',
						'aria-describedby': 'footnote-label',
					},
					String(numbers.get(name)?.number ?? '?'),
				),
			);
		}
		default:
			throw new Error(`No HTML for ${node.type.name}`);
	}
}

const INLINE = new Set(
	'a abbr b br cite code del em i img input ins kbd mark q s samp span strike strong sub sup tt var'.split(
		' ',
	),
);
const SAME: Record<string, string> = { b: 'strong', i: 'em', s: 'del', strike: 'del', tt: 'code' };

/**
 * Returns a canonical form of a tree. Trees that differ only in white space between blocks or at line ends, in the
 * nesting of marks around the same text, or in synonymous elements have the same one.
 */
export function substance(tree: Root): string {
	const said: string[] = [];
	let runs: { text: string; marks: string }[] = [];
	const flush = () => {
		let before = ' ';
		const kept: typeof runs = [];
		for (const { text, marks } of runs) {
			let clean = marks === LEAF ? text : text.replace(/[ \t\r\n\f]+/g, ' ');
			if (marks !== LEAF && before.endsWith(' ')) clean = clean.replace(/^ /, '');
			if (clean === '') continue;
			before = marks === LEAF && clean.startsWith('<br') ? ' ' : clean;
			const last = kept.at(-1);
			if (last?.marks === marks && marks !== LEAF) last.text += clean;
			else kept.push({ text: clean, marks });
		}
		const last = kept.at(-1);
		if (last && last.marks !== LEAF) last.text = last.text.replace(/ $/, '');
		for (const { text, marks } of kept) if (text !== '') said.push(`${marks}:${text}`);
		runs = [];
	};
	const visit = (node: RootContent | ElementContent, marks: string[]) => {
		if (node.type === 'text') {
			runs.push({ text: node.value, marks: [...marks].sort().join(' ') });
		} else if (node.type === 'element') {
			const name = signature(node);
			if (node.tagName === 'pre') {
				flush();
				said.push(
					name,
					node.children.map((child) => signatureOf(child)).join(),
					toString(node).replace(/\n$/, ''),
					'/',
				);
			} else if (LEAVES.has(node.tagName) || node.properties.dataLatex !== undefined) {
				runs.push({ text: name, marks: LEAF });
			} else if (INLINE.has(node.tagName)) {
				for (const child of node.children) visit(child, [...marks, name]);
			} else {
				flush();
				if (node.tagName === 'p' && node.children.length === 0) return;
				const silent = /^(thead|tbody)$/.test(node.tagName);
				if (!silent) said.push(name);
				for (const child of cellContent(node)) visit(child, []);
				flush();
				if (!silent) said.push('/');
			}
		}
	};
	for (const { children } of blocksOf(tree)) for (const block of children) visit(block, []);
	flush();
	return said.join('\n');
}

const LEAF = '\0';
const LEAVES = new Set(['br', 'img', 'input', 'hr']);

function textOf(node: ElementContent): string {
	return node.type === 'text' ? node.value : '';
}
/** A cell with one paragraph says what the paragraph says. */
function cellContent({ tagName, children }: Element): ElementContent[] {
	const [only, more] = children.filter(
		(child) => child.type !== 'text' || child.value.trim() !== '',
	);
	return /^t[dh]$/.test(tagName) && only?.type === 'element' && only.tagName === 'p' && !more
		? only.children
		: children;
}
function signature({ tagName, properties }: Element): string {
	const attributes = Object.entries(properties)
		.filter(([, value]) => value !== null && value !== undefined && value !== false)
		.map(([key, value]) => `${key}=${JSON.stringify(value)}`)
		.sort();
	return `<${SAME[tagName] ?? tagName} ${attributes.join(' ')}`;
}
function signatureOf(child: ElementContent): string {
	return child.type === 'element' ? signature(child) : '';
}
