import type { Element, ElementContent, Root, RootContent } from 'hast';
import { toString } from 'hast-util-to-string';
import { setMath } from './math.server.ts';
import {
	measure,
	setParagraph,
	type Align,
	type Inline,
	type SetLine,
} from './paragraph.server.ts';
import { CYAN, INK, LINE, MUTED, TINT, type Press, type Style } from './press.server.ts';

/** Draws a line from its top left corner. A table's row hands over its cells one by one. */
type Draw = (x: number, y: number, cell?: Cell) => void;
type Cell = (tag: 'TH' | 'TD', draw: () => void) => void;

/** A line of a galley: the flow before it is cut into pages. */
export type Line = {
	/** Empty before it, except at the top of a page. */
	before: number;
	height: number;
	/** Moves it onto the grid. */
	snaps: boolean;
	/** Whether a page may end after it. */
	isEnd: boolean;
	draw: Draw;
	/** What it belongs to, for those who have it read aloud. */
	block: Block;
	/** Set again above it where a page begins with it. */
	header?: Line;
	/** A place that can be linked to. */
	place?: string;
	/** How many words it shows. */
	words: number;
};

/** An element of the document's structure: lines of one block are one element, also over two pages. */
export type Block = { tag: string; parent?: Block };

export type Scene = {
	press: Press;
	/** Of the text. */
	width: number;
	/** The text's size, which everything else follows. */
	size: number;
	/** The distance of the text's lines: everything returns to this grid. */
	grid: number;
	/** What the heights of tables, code and formulas are rounded up to: the grid, or less where nothing stands beside. */
	step: number;
	align: Align;
	/** Where a link leads: an address, or a place in the document with its page. */
	resolve: (href: string) => { to: string; page?: number | undefined };
	/** Before the names of places, so that chapters' own do not meet. */
	prefix: string;
	color: string;
};

/** Sizes of the other text, in parts of the text's. */
const ASIDE = 0.94;
const CELLS = 0.855;
const NOTES = 0.81;
/** The distance of lines that stand in no grid, in parts of their size. */
const LEADING = 1.36;

const textOf = ({ size }: Scene): Style => ({ face: 'text', size });

const TOKENS: Record<string, string> = {
	keyword: '#8f2f74',
	string: '#2b6a3c',
	'string-expression': '#2b6a3c',
	comment: '#5c6670',
	function: '#0b5d8a',
	constant: '#8a4b0f',
	parameter: '#8a4b0f',
	punctuation: '#4c5761',
	inserted: '#2b6a3c',
	deleted: '#a32638',
};

/** An article's rendered HTML as a galley, its notes last. */
export function setArticle(scene: Scene, tree: Root): Line[] {
	return blocks(scene, tree.children, { indent: 0 });
}

type Place = { indent: number; isFirst?: boolean; style?: Style };

function blocks(scene: Scene, nodes: RootContent[], place: Place): Line[] {
	const lines: Line[] = [];
	let isFirst = place.isFirst ?? true;
	const elements = nodes.filter((node) => node.type === 'element');
	for (const [index, node] of elements.entries()) {
		const set = block(scene, node, { ...place, isFirst });
		// What announces a list, a formula or code stays with it.
		const next = elements[index + 1];
		const leads =
			node.tagName === 'p' && next && next.tagName !== 'p' && /:\s*$/.test(toString(node));
		if (leads && set.length > 0) set.at(-1)!.isEnd = false;
		lines.push(...set);
		isFirst = node.tagName !== 'p';
	}
	return lines;
}

function block(scene: Scene, node: Element, place: Place): Line[] {
	const className = node.properties['className'];
	const classes = Array.isArray(className) ? className : [];
	switch (node.tagName) {
		case 'p':
			return paragraph(scene, node, place);
		case 'h2':
		case 'h3':
		case 'h4':
		case 'h5':
		case 'h6':
			return heading(scene, node);
		case 'ul':
		case 'ol':
			return list(scene, node, place);
		case 'blockquote':
			return quotation(scene, node, place);
		case 'aside':
			return callout(scene, node, place);
		case 'section':
			return 'dataFootnotes' in node.properties || classes.includes('footnotes')
				? notes(scene, node)
				: blocks(scene, node.children, place);
		case 'figure':
			return classes.includes('code') ? code(scene, node, place) : figure(scene, node, place);
		case 'table':
			return table(scene, node, place);
		case 'pre':
			return code(scene, node, place);
		case 'hr':
			return [];
		default:
			if (classes.includes('math-block')) return formula(scene, node, place);
			return blocks(scene, node.children, place);
	}
}

/** The inlines of a node. */
function inlinesOf(scene: Scene, nodes: ElementContent[], style: Style): Inline[] {
	return nodes.flatMap((node): Inline[] => {
		if (node.type === 'text') return [{ text: node.value, style }];
		if (node.type !== 'element') return [];
		const inner = (change: Partial<Style>) =>
			inlinesOf(scene, node.children, { ...style, ...change });
		if (node.tagName === 'math') {
			const color = style.color ?? INK;
			return setMath(scene.press, node, style.size, color).map((box) => ({ box, style }));
		}
		switch (node.tagName) {
			case 'strong':
			case 'b':
			case 'th':
				return inner({ face: style.face === 'italic' ? 'boldItalic' : 'bold' });
			case 'em':
			case 'i':
			case 'cite':
				return inner({ face: style.face === 'bold' ? 'boldItalic' : 'italic' });
			case 'code':
			case 'kbd':
				return inner({ face: 'code', size: style.size * 0.83 });
			case 'sup':
				return inner({ size: style.size * 0.68, rise: style.size * 0.34 });
			case 'sub':
				return inner({ size: style.size * 0.68, rise: style.size * -0.14 });
			case 'br':
				return [{ text: '\n', style }];
			case 'a':
				return link(scene, node, style);
			case 'img':
				return [
					{ text: String(node.properties['alt'] ?? ''), style: { ...style, face: 'italic' } },
				];
			case 'input':
				return [
					{ text: node.properties['checked'] ? '[x] ' : '[ ] ', style: { ...style, face: 'code' } },
				];
			default:
				return inner({});
		}
	});
}

function link(scene: Scene, node: Element, style: Style): Inline[] {
	const { properties } = node;
	const className = properties['className'];
	if (Array.isArray(className) && className.includes('anchor')) return [];
	if ('dataFootnoteBackref' in properties) return [];
	const href = String(properties['href'] ?? '');
	if ('dataFootnoteRef' in properties) {
		const to = `#${scene.prefix}${href.slice(1)}`;
		return inlinesOf(scene, node.children, { ...style, color: CYAN, link: to });
	}
	const { to, page } = href.startsWith('#')
		? { to: `#${scene.prefix}${href.slice(1)}`, page: undefined }
		: scene.resolve(href);
	const linked = inlinesOf(scene, node.children, { ...style, color: CYAN, link: to });
	if (page === undefined) return linked;
	return [
		...linked,
		{ text: `\u00a0(p.\u00a0${page})`, style: { ...style, color: MUTED, link: to } },
	];
}

export const wordsIn = (text: string) => text.split(/\s+/).filter((one) => one !== '').length;

/** The text's lines are on the grid, others follow their size. */
const leadingOf = ({ size, grid }: Scene, style: Style) =>
	style.size === size ? grid : style.size * LEADING;

/** Lines of text on the grid, with no single line of a paragraph left behind or taken over. */
export function textLines(set: SetLine[], x: number, leading: number, block: Block): Line[] {
	const count = set.length;
	return set.map((line, index) => {
		// A tall formula makes room for itself.
		const over =
			Math.max(0, line.ascent - leading * 0.74) + Math.max(0, line.descent - leading * 0.3);
		const drop = leading * 0.72 + Math.max(0, line.ascent - leading * 0.74);
		return {
			before: 0,
			height: leading + Math.ceil(over / (leading / 2)) * (leading / 2),
			snaps: false,
			isEnd: count <= 3 ? index === count - 1 : index !== 0 && index !== count - 2,
			draw: (left, y) => line.draw(left + x, y + drop),
			block,
			words: wordsIn(line.text),
		};
	});
}

function paragraph(scene: Scene, node: Element, { indent, isFirst, style }: Place): Line[] {
	const own = style ?? textOf(scene);
	const inlines = inlinesOf(scene, node.children, own);
	const set = setParagraph(scene.press, inlines, {
		width: scene.width - indent,
		align: scene.align,
		indent: isFirst ? 0 : scene.size * 1.25,
	});
	const lines = textLines(set, indent, leadingOf(scene, own), { tag: 'P' });
	if (lines[0] && !style) lines[0].snaps = indent === 0;
	return lines;
}

function heading(scene: Scene, node: Element): Line[] {
	const isLarge = node.tagName === 'h2';
	const className = node.properties['className'];
	if (Array.isArray(className) && className.includes('sr-only')) return [];
	const style: Style = { face: 'display', size: scene.size * (isLarge ? 1.365 : 1.08) };
	const leading = scene.grid * (isLarge ? 1.2 : 1);
	const inlines = inlinesOf(scene, node.children, style);
	const set = setParagraph(scene.press, inlines, { width: scene.width * 0.94, align: 'left' });
	const after = isLarge ? scene.grid * 0.3 : 0;
	const own = set.length * leading + after;
	const total = Math.ceil((own + scene.grid * 0.9) / scene.grid) * scene.grid;
	const block = { tag: isLarge ? 'H2' : 'H3' };
	return set.map((line, index) => ({
		before: index === 0 ? total - own : 0,
		height: leading + (index === set.length - 1 ? after : 0),
		snaps: false,
		isEnd: false,
		draw: (x, y) => line.draw(x, y + leading * 0.78),
		block,
		words: wordsIn(line.text),
		...(index === 0 &&
			node.properties['id'] && { place: scene.prefix + String(node.properties['id']) }),
	}));
}

function list(scene: Scene, node: Element, { indent, style }: Place): Line[] {
	const own = style ?? textOf(scene);
	const isOrdered = node.tagName === 'ol';
	const first = Number(node.properties['start'] ?? 1);
	const items = node.children.filter((child): child is Element => child.type === 'element');
	const step = scene.size * (isOrdered ? 1.63 : 1.25);
	const parent: Block = { tag: 'L' };
	const isNested = indent > 0;
	const leading = leadingOf(scene, own);
	const lines = items.flatMap((item, index) => {
		const isLoose = item.children.some(
			(child) => child.type === 'element' && child.tagName === 'p',
		);
		const children: ElementContent[] = isLoose ? item.children : wrapped(item.children);
		const set = blocks(scene, children, { indent: indent + step, isFirst: true, style: own });
		for (const line of set)
			line.block = line.block.tag === 'P' ? { tag: 'LI', parent } : line.block;
		const [top] = set;
		if (!top) return [];
		const mark = isOrdered ? `${first + index}.` : '•';
		const { draw } = top;
		top.snaps = false;
		top.draw = (x, y, cell) => {
			const at = x + indent + step - (isOrdered ? 5 : 7.5);
			const color = isOrdered ? INK : scene.color;
			scene.press.label(mark, at, y + leading * 0.72, { ...own, color }, 'right');
			draw(x, y, cell);
		};
		return set;
	});
	if (!isNested && lines[0]) lines[0].before = scene.grid * 0.5;
	return lines;
}

/** Inline nodes of an item as a paragraph, its nested lists as they are. */
function wrapped(children: ElementContent[]): ElementContent[] {
	const isBlock = (node: ElementContent) =>
		node.type === 'element' && /^(ul|ol|pre|figure|table|div|blockquote)$/.test(node.tagName);
	const text = children.filter((node) => !isBlock(node));
	return [
		{ type: 'element', tagName: 'p', properties: {}, children: text },
		...children.filter(isBlock),
	];
}

function quotation(scene: Scene, node: Element, place: Place): Line[] {
	const set = blocks(scene, node.children, {
		...place,
		indent: place.indent + 16,
		style: { ...textOf(scene), face: 'italic' },
	});
	return padded(scene, set, 0.67);
}

/** Room above and below that together come to whole lines of the grid. */
function padded({ size, step }: Scene, lines: Line[], gap: number): Line[] {
	const [first] = lines;
	const last = lines.at(-1);
	if (!first || !last) return lines;
	const own = lines.reduce((sum, { before, height }, n) => sum + height + (n > 0 ? before : 0), 0);
	const rest = Math.ceil((own + 2 * gap * size) / step) * step - own;
	first.before = rest / 2;
	first.snaps = false;
	last.height += Math.max(0, rest / 2 - 0.02);
	return lines;
}

function callout(scene: Scene, node: Element, { indent }: Place): Line[] {
	const { press, color } = scene;
	const [inset, top, bottom] = [12, 9, 8];
	const label = node.children.find((child) => child.type === 'element');
	const rest = node.children.filter((child) => child !== label);
	const inner: Scene = { ...scene, width: scene.width - indent - 2 * inset };
	const set = blocks(inner, rest, { indent: 0, style: { face: 'text', size: scene.size * ASIDE } });
	for (const line of set) {
		const { draw } = line;
		line.draw = (x, y, cell) => draw(x + indent + inset, y, cell);
		line.isEnd = false;
		line.snaps = false;
	}
	const height = top + bottom + 12 + set.reduce((sum, one) => sum + one.before + one.height, 0);
	const width = scene.width - indent;
	const head: Line = {
		before: 0,
		height: top + 12,
		snaps: false,
		isEnd: false,
		block: { tag: 'P' },
		words: 1,
		draw: (x, y) => {
			press.frame(x + indent, y, width, height, { color, mark: 8, weight: 1 });
			const name = label ? toString(label).toLowerCase() : 'note';
			press.show(name, x + indent + inset, y + top + 6, { face: 'code', size: 7.6, color });
		},
	};
	set.at(-1)!.height += bottom;
	set.at(-1)!.isEnd = true;
	return padded(scene, [head, ...set], 0.58);
}

const CODE_PAD = 7;

function code(scene: Scene, node: Element, { indent }: Place): Line[] {
	const { press } = scene;
	const pre = find(node, 'pre') ?? node;
	const width = scene.width - indent;
	const rows = codeRows(pre.children);
	const longest = Math.max(...rows.map((row) => [...row.map(({ text }) => text).join('')].length));
	const room = width - 2 * CODE_PAD;
	const em = press.width('0', 'code', 1);
	// Smaller where that keeps lines whole, down to what can still be read.
	const size = Math.min(7.8, Math.max(6.7, room / (longest * em)));
	const leading = Math.round(size * LEADING * 4) / 4;
	const columns = Math.floor(room / (em * size));
	const broken = rows.flatMap((row) => wrapCode(row, columns));
	const block: Block = { tag: 'Code', parent: { tag: 'P' } };
	const count = broken.length;
	const isShort = count <= 8;
	const lines = broken.map((row, index): Line => {
		const isLast = index === count - 1;
		return {
			before: 0,
			height: leading + (index === 0 ? CODE_PAD : 0) + (isLast ? CODE_PAD : 0),
			snaps: false,
			isEnd: isLast || (!isShort && index >= 2 && index < count - 3),
			block,
			words: wordsIn(row.map(({ text }) => text).join('')),
			draw: (left, y) => {
				const top = y + (index === 0 ? CODE_PAD : 0);
				const height = leading + (index === 0 ? CODE_PAD : 0) + (isLast ? CODE_PAD : 0);
				press.doc.rect(left + indent, y - 0.1, width, height + 0.2).fill(TINT);
				let x = left + indent + CODE_PAD;
				for (const { text, color, isComment } of row) {
					const face = isComment ? 'codeItalic' : 'code';
					press.show(text, x, top + leading * 0.76, { face, size, color });
					x += press.width(text, face, size);
				}
			},
		};
	});
	return padded(scene, lines, 0.48);
}

type Token = { text: string; color: string; isComment: boolean };

function codeRows(nodes: ElementContent[], color = INK, isComment = false): Token[][] {
	const rows: Token[][] = [[]];
	for (const node of nodes) {
		if (node.type === 'element') {
			const [name] = node.properties['className'] ?? [];
			const kind = name?.startsWith('tok-') ? name.slice(4) : undefined;
			const [first, ...rest] = codeRows(
				node.children,
				(kind && TOKENS[kind]) || color,
				isComment || kind === 'comment',
			);
			rows.at(-1)!.push(...first!);
			rows.push(...rest);
		} else if (node.type === 'text') {
			const [first, ...rest] = node.value.replaceAll('\t', '    ').split('\n');
			rows.at(-1)!.push({ text: first!, color, isComment });
			rows.push(...rest.map((text) => [{ text, color, isComment }]));
		}
	}
	while (rows.length > 1 && rows.at(-1)!.every(({ text }) => text.trim() === '')) rows.pop();
	return rows.map((row) => row.filter(({ text }) => text !== ''));
}

/** A line of code in lines of at most so many columns; the further ones hang. */
function wrapCode(row: Token[], columns: number): Token[][] {
	const text = row.map((token) => token.text).join('');
	if ([...text].length <= columns) return [row];
	const hang = (/^\s*/.exec(text)?.[0].length ?? 0) + 4;
	const rows: Token[][] = [];
	let rest = row;
	while (rest.length > 0) {
		const limit = rows.length === 0 ? columns : columns - hang;
		const all = rest.map((token) => token.text).join('');
		let cut = all.length;
		if (all.length > limit) {
			const space = all.lastIndexOf(' ', limit);
			cut = space > limit * 0.5 ? space + 1 : limit;
		}
		const [head, tail] = cutTokens(rest, cut);
		const pad = { text: ' '.repeat(hang), color: INK, isComment: false };
		rows.push(rows.length === 0 ? head : [pad, ...head]);
		rest = tail;
	}
	return rows;
}

function cutTokens(tokens: Token[], at: number): [Token[], Token[]] {
	const [head, tail]: [Token[], Token[]] = [[], []];
	let left = at;
	for (const token of tokens) {
		const [a, b] = [token.text.slice(0, left), token.text.slice(left)];
		if (a) head.push({ ...token, text: a });
		if (b) tail.push({ ...token, text: b });
		left = Math.max(0, left - token.text.length);
	}
	return [head, tail];
}

function find(node: Element, tagName: string): Element | undefined {
	for (const child of node.children) {
		if (child.type !== 'element') continue;
		if (child.tagName === tagName) return child;
		const found = find(child, tagName);
		if (found) return found;
	}
	return undefined;
}

function formula(scene: Scene, node: Element, { indent }: Place): Line[] {
	const math = find(node, 'math');
	if (!math) return [];
	const width = scene.width - indent;
	let [box] = setMath(scene.press, math, scene.size, INK);
	if (box && box.width > width) {
		[box] = setMath(scene.press, math, (scene.size * width) / box.width, INK);
	}
	if (!box) return [];
	const drawn = box;
	const line: Line = {
		before: 0,
		height: drawn.ascent + drawn.descent,
		snaps: false,
		isEnd: true,
		block: { tag: 'Formula' },
		words: 1,
		draw: (x, y) =>
			drawn.draw(x + indent + Math.min(24, (width - drawn.width) / 2), y + drawn.ascent),
	};
	return padded(scene, [line], 0.58);
}

function figure(scene: Scene, node: Element, place: Place): Line[] {
	const caption = node.children.find(
		(child): child is Element => child.type === 'element' && child.tagName === 'figcaption',
	);
	const body = blocks(
		scene,
		node.children.filter((child) => child !== caption),
		place,
	);
	if (!caption) return body;
	const style: Style = { face: 'italic', size: scene.size * 0.865, color: MUTED };
	const inlines = inlinesOf(scene, caption.children, style);
	const width = scene.width - place.indent;
	const set = setParagraph(scene.press, inlines, { width, align: 'left' });
	const lines = textLines(set, place.indent, 12, { tag: 'P' });
	for (const line of lines) line.isEnd = false;
	if (lines[0]) lines[0].before = 8;
	if (body[0]) body[0].before = 5;
	return [...lines, ...body];
}

/** Around what stands in a cell, in parts of the text's size. */
const CELL = 0.58;

function table(scene: Scene, node: Element, { indent }: Place): Line[] {
	const { press } = scene;
	const width = scene.width - indent;
	const rows = rowsOf(node);
	const isHead = (row: Element) => cellsOf(row).every(({ tagName }) => tagName === 'th');
	const styleOf = (row: Element): Style =>
		isHead(row)
			? { face: 'display', size: scene.size * 0.78 }
			: { face: 'text', size: scene.size * CELLS };
	const cells = rows.map((row) =>
		cellsOf(row).map((cell) => inlinesOf(scene, cell.children, styleOf(row))),
	);
	const widths = columnWidths(press, cells, width, CELL * scene.size + 1);
	const alignOf = (column: number): Align => {
		const cell = rows.map((row) => cellsOf(row)[column]).find((one) => one?.properties['align']);
		return (cell?.properties['align'] as Align | undefined) ?? 'left';
	};
	const parent: Block = { tag: 'Table' };
	const leading = scene.size * 1.115;
	const lines = rows.map((row, index): Line => {
		const set = cells[index]!.map((inlines, column) =>
			setParagraph(press, inlines, {
				width: widths[column]! - CELL * scene.size,
				align: alignOf(column),
			}),
		);
		const heights = set.map((one) => {
			const tall = one.reduce(
				(sum, line) => sum + Math.max(0, line.ascent + line.descent - leading * 1.05),
				0,
			);
			return one.length * leading + tall;
		});
		const isHeader = isHead(row);
		const height = Math.max(leading, ...heights) + scene.size * 0.43;
		const isLast = index === rows.length - 1;
		const total = widths.reduce((sum, one) => sum + one, 0);
		return {
			before: 0,
			height,
			snaps: false,
			isEnd: isLast || (!isHeader && index > 1 && index < rows.length - 2),
			block: { tag: 'TR', parent },
			words: set.flat().reduce((sum, line) => sum + wordsIn(line.text), 0),
			draw: (left, y, cell = (_tag, draw) => draw()) => {
				let x = left + indent;
				if (index === 0) press.rule(x, y, total, 0.9, INK);
				press.rule(
					x,
					y + height,
					total,
					isHeader || isLast ? 0.7 : 0.4,
					isHeader || isLast ? INK : LINE,
				);
				set.forEach((one, column) => {
					cell(isHeader ? 'TH' : 'TD', () => {
						let top = y + scene.size * 0.21;
						for (const line of one) {
							const extra = Math.max(0, line.ascent - leading * 0.72);
							line.draw(x + (CELL * scene.size) / 2, top + leading * 0.74 + extra);
							top += leading + Math.max(0, line.ascent + line.descent - leading * 1.05);
						}
					});
					x += widths[column]!;
				});
			},
		};
	});
	const [first] = lines;
	if (first && rows[0] && isHead(rows[0])) {
		for (const line of lines.slice(1)) line.header = first;
	}
	return padded(scene, lines, 0.58);
}

function columnWidths(press: Press, cells: Inline[][][], width: number, gap: number): number[] {
	const columns = Math.max(...cells.map((row) => row.length));
	const sizes = Array.from({ length: columns }, (_, column) => {
		const all = cells.map((row) => measure(press, row[column] ?? []));
		return {
			natural: Math.max(...all.map((one) => one.natural)) + gap,
			least: Math.max(...all.map((one) => one.least)) + gap,
		};
	});
	const sum = (key: 'natural' | 'least') => sizes.reduce((total, one) => total + one[key], 0);
	if (sum('natural') <= width) {
		// Narrow tables stay narrow, but columns do not stick together.
		const spare = Math.min((width - sum('natural')) / columns, 26);
		return sizes.map(({ natural }) => natural + spare);
	}
	const least = Math.min(sum('least'), width);
	const shrunk = sum('least') > width ? width / sum('least') : 1;
	const spare = width - least;
	const wanted = sizes.map(({ natural, least: own }) => Math.max(0, natural - own));
	const all = wanted.reduce((total, one) => total + one, 0) || 1;
	return sizes.map(({ least: own }, n) => own * shrunk + (spare * wanted[n]!) / all);
}

function rowsOf(node: Element): Element[] {
	return node.children.flatMap((child) => {
		if (child.type !== 'element') return [];
		return child.tagName === 'tr' ? [child] : rowsOf(child);
	});
}

const cellsOf = (row: Element) =>
	row.children.filter((child): child is Element => child.type === 'element');

/** A chapter's sources. */
function notes(scene: Scene, node: Element): Line[] {
	const { press } = scene;
	const list = find(node, 'ol');
	const items = list?.children.filter((child): child is Element => child.type === 'element') ?? [];
	const leading = scene.size * NOTES * LEADING * 0.96;
	const style: Style = { face: 'text', size: scene.size * NOTES };
	const head: Line = {
		before: scene.grid,
		height: scene.grid,
		snaps: false,
		isEnd: false,
		block: { tag: 'H3' },
		words: 3,
		draw: (x, y) => {
			press.rule(x, y + 1, 46, 1, scene.color);
			press.show('Sources and notes', x, y + scene.grid, { face: 'display', size: 8.6 });
		},
	};
	const parent: Block = { tag: 'L' };
	const lines = items.flatMap((item, index) => {
		const inlines = item.children.flatMap((child) =>
			child.type === 'element' ? inlinesOf(scene, child.children, style) : [],
		);
		const set = setParagraph(press, inlines, { width: scene.width - 16 });
		const placed = textLines(set, 16, leading, { tag: 'LI', parent });
		const [top] = placed;
		if (!top) return [];
		const { draw } = top;
		top.place = scene.prefix + String(item.properties['id'] ?? '');
		top.draw = (x, y) => {
			press.label(
				String(index + 1),
				x + 9,
				y + leading * 0.72,
				{ face: 'code', size: 7, color: scene.color },
				'right',
			);
			draw(x, y);
		};
		return placed;
	});
	if (lines[0]) lines[0].before = 4;
	return [head, ...lines];
}
