import type { Element } from 'hast';
import { toString } from 'hast-util-to-string';
import type { Box } from './paragraph.server.ts';
import type { Face, Press } from './press.server.ts';

/** Parts of a formula's size: the axis on which fractions stand, and a rule's weight. */
const AXIS = 0.25;
const RULE = 0.045;

type Context = { press: Press; size: number; color: string; display: boolean };
type Part = Box & { kind: 'ord' | 'bin' | 'rel' | 'open' | 'close' | 'punct' | 'op' | 'space' };

const RELATIONS = /^[=<>≤≥≈≠∈→←⟹⇒∼≡∝:|]$/;
const BINARY = /^[+−×÷±⋅·∘⋆*/]$/;
const OPEN = /^[([{⟨⌊⌈]$/;
const CLOSE = /^[)\]}⟩⌋⌉]$/;
const LARGE = /^[∑∏∫]$/;
/** Mathematical alphabets as plain letters, with the face that stands for them. */
const LETTERS: { from: number; to: number; first: string; face: Face }[] = [
	{ from: 0x1d5a0, to: 0x1d5b9, first: 'A', face: 'sans' },
	{ from: 0x1d400, to: 0x1d419, first: 'A', face: 'bold' },
	{ from: 0x1d41a, to: 0x1d433, first: 'a', face: 'bold' },
	{ from: 0x1d538, to: 0x1d551, first: 'A', face: 'bold' },
	{ from: 0x1d434, to: 0x1d44d, first: 'A', face: 'italic' },
	{ from: 0x1d44e, to: 0x1d467, first: 'a', face: 'italic' },
];

/** A formula in MathML as boxes in a row: a line may be broken between them. */
export function setMath(press: Press, math: Element, size: number, color: string): Box[] {
	const display = math.properties['display'] === 'block';
	const context = { press, size, color, display };
	const parts = partsOf(childrenOf(math), context);
	if (display) return [row(parts, context)];
	// Broken after a relation that stands in no brackets.
	const rows: Part[][] = [[]];
	let depth = 0;
	for (const part of parts) {
		rows.at(-1)!.push(part);
		if (part.kind === 'open') depth++;
		if (part.kind === 'close') depth--;
		if (part.kind === 'rel' && depth === 0) rows.push([]);
	}
	return rows.filter((one) => one.length > 0).map((one, index) => row(one, context, index > 0));
}

const childrenOf = (node: Element) =>
	node.children.filter((child): child is Element => child.type === 'element');

/** Elements in a row; rows within rows are opened, so that spaces around operators are seen. */
function partsOf(nodes: Element[], context: Context): Part[] {
	return nodes.flatMap((node) => {
		if (/^(mrow|mstyle|mpadded|semantics)$/.test(node.tagName) && !hasFences(node))
			return partsOf(childrenOf(node), context);
		return [partOf(node, context)];
	});
}

const hasFences = (node: Element) => {
	const [first] = childrenOf(node);
	return first?.tagName === 'mo' && first.properties['fence'] === 'true';
};

function partOf(node: Element, context: Context): Part {
	const { press, size, color } = context;
	const children = childrenOf(node);
	const child = (index: number, inner: Context = context) =>
		children[index] ? row(partsOf([children[index]], inner), inner) : empty;
	const small = { ...context, size: Math.max(size * 0.72, 5), display: false };
	switch (node.tagName) {
		case 'mi':
			return letter(node, context);
		case 'mn':
		case 'mtext':
			return glyphs(press, toString(node), 'text', size, color);
		case 'mo':
			return operator(toString(node).trim(), context);
		case 'mspace': {
			const width = parseFloat(String(node.properties['width'] ?? '0')) * size;
			return { ...empty, kind: 'space', width: Math.max(0, width || 0) };
		}
		case 'mfrac':
			return fraction(
				child(0, context.display ? { ...context, display: false } : small),
				child(1, context.display ? { ...context, display: false } : small),
				context,
			);
		case 'msqrt':
			return root(row(partsOf(children, context), context), context);
		case 'msub':
			return scripts(child(0), child(1, small), undefined, context);
		case 'msup':
			return scripts(child(0), undefined, child(1, small), context);
		case 'msubsup':
			return scripts(child(0), child(1, small), child(2, small), context);
		case 'munder':
		case 'mover':
		case 'munderover': {
			const isOver = node.tagName === 'mover';
			const under = isOver ? undefined : child(1, small);
			const over = isOver ? children[1] : children[2];
			if (over && /^[ˆ^˙.¯‾˜~→]$/.test(toString(over).trim()))
				return accent(child(0), toString(over).trim(), context);
			if (/^[\u0332_]$/.test(toString(children[1] ?? node).trim())) return child(0);
			const above = over ? child(isOver ? 1 : 2, small) : undefined;
			const isOperator = children[0] && LARGE.test(toString(children[0]).trim());
			if (isOperator && !context.display) return scripts(child(0), under, above, context);
			return limits(child(0), under, above, context);
		}
		case 'mtable':
			return table(children, context);
		case 'mrow':
			return fenced(partsOf(children, context), context);
		default:
			return { ...row(partsOf(children, context), context), kind: 'ord' };
	}
}

const empty: Part = { kind: 'ord', width: 0, ascent: 0, descent: 0, draw: () => {} };

function glyphs(press: Press, text: string, face: Face, size: number, color: string): Part {
	const shown = text.replace(/\u2061|\u2062|\u2063/g, '');
	const tall = /[A-Z0-9bdfhklt()[\]{}|]/.test(shown) ? 0.7 : 0.5;
	return {
		kind: 'ord',
		width: press.width(shown, face, size),
		ascent: tall * size,
		descent: (/[gjpqyβρμη()[\]{},]/.test(shown) ? 0.22 : 0.01) * size,
		draw: (x, y) => press.show(shown, x, y, { face, size, color }),
	};
}

function letter(node: Element, { press, size, color }: Context): Part {
	const text = toString(node).trim();
	const code = text.codePointAt(0) ?? 0;
	const known = LETTERS.find(({ from, to }) => code >= from && code <= to);
	if (known) {
		const plain = String.fromCharCode(known.first.charCodeAt(0) + code - known.from);
		return glyphs(press, plain, known.face, size, color);
	}
	const isUpright =
		[...text].length > 1 || node.properties['mathvariant'] === 'normal' || !/\p{L}/u.test(text);
	const part = glyphs(press, text, isUpright ? 'text' : 'italic', size, color);
	return isUpright && [...text].length > 1 ? { ...part, kind: 'op' } : part;
}

function operator(sign: string, context: Context): Part {
	const { press, size, color, display } = context;
	const text = sign === '-' ? '−' : sign === '⋅' ? '·' : sign;
	if (LARGE.test(text)) {
		const large = size * (display ? 1.35 : 1);
		const part = glyphs(press, text, 'text', large, color);
		return { ...part, kind: 'op', ascent: large * 0.75, descent: large * 0.25 };
	}
	const part = glyphs(press, text, 'text', size, color);
	if (RELATIONS.test(text)) return { ...part, kind: 'rel' };
	if (BINARY.test(text)) return { ...part, kind: text === '/' ? 'ord' : 'bin' };
	if (OPEN.test(text)) return { ...part, kind: 'open' };
	if (CLOSE.test(text)) return { ...part, kind: 'close' };
	if (/^[,;]$/.test(text)) return { ...part, kind: 'punct' };
	return part;
}

/** Parts beside each other, with the spaces of their kinds. `continues`: a relation stands before. */
function row(parts: Part[], { size }: Context, continues = false): Part {
	const placed: { part: Part; x: number }[] = [];
	let x = continues ? size * 0.26 : 0;
	parts.forEach((part, index) => {
		const before = parts[index - 1];
		const isInfix =
			before && !/^(bin|rel|open|punct|op)$/.test(before.kind) && index < parts.length - 1;
		const space = part.kind === 'rel' ? 0.26 : part.kind === 'bin' && isInfix ? 0.2 : 0;
		const isAtStart = index === 0;
		if (part.kind === 'op' && before?.kind === 'ord') x += size * 0.12;
		x += isAtStart ? 0 : space * size;
		placed.push({ part, x });
		x += part.width + (index === parts.length - 1 ? 0 : space * size);
		if (part.kind === 'punct') x += size * 0.18;
		const next = parts[index + 1];
		if (part.kind === 'op' && next && /^(ord|op)$/.test(next.kind)) x += size * 0.14;
	});
	return {
		kind: parts.length === 1 ? parts[0]!.kind : 'ord',
		width: x,
		ascent: Math.max(0, ...parts.map(({ ascent }) => ascent)),
		descent: Math.max(0, ...parts.map(({ descent }) => descent)),
		draw: (left, y) => placed.forEach((one) => one.part.draw(left + one.x, y)),
	};
}

/** A row in brackets that are as tall as what they hold. */
function fenced(parts: Part[], context: Context): Part {
	const { size } = context;
	const inner = row(parts.slice(1, -1), context);
	const axis = AXIS * size;
	const reach = Math.max(inner.ascent - axis, inner.descent + axis);
	const scale = Math.max(1, (reach * 2) / (size * 0.92));
	if (scale < 1.15) return row(parts, context);
	const grown = [parts[0]!, parts.at(-1)!].map((part) => ({
		...part,
		width: part.width * Math.sqrt(scale),
		ascent: reach + axis,
		descent: reach - axis,
		draw: (x: number, y: number) => {
			const { doc } = context.press;
			doc.save();
			doc.transform(Math.sqrt(scale), 0, 0, scale, x, y - axis);
			part.draw(0, axis);
			doc.restore();
		},
	}));
	return row([{ ...grown[0]!, kind: 'open' }, inner, { ...grown[1]!, kind: 'close' }], context);
}

function fraction(above: Part, below: Part, { press, size, color }: Context): Part {
	const width = Math.max(above.width, below.width) + size * 0.2;
	const axis = AXIS * size;
	const gap = size * 0.2;
	const up = axis + gap + above.descent;
	const down = gap - axis + below.ascent;
	return {
		kind: 'ord',
		width: width + size * 0.1,
		ascent: up + above.ascent,
		descent: down + below.descent,
		draw: (x, y) => {
			const left = x + size * 0.05;
			above.draw(left + (width - above.width) / 2, y - up);
			below.draw(left + (width - below.width) / 2, y + down);
			press.rule(left, y - axis, width, RULE * size, color);
		},
	};
}

function root(inner: Part, { press, size, color }: Context): Part {
	const lead = size * 0.5;
	const top = inner.ascent + size * 0.14;
	return {
		kind: 'ord',
		width: lead + inner.width + size * 0.08,
		ascent: top + size * 0.06,
		descent: inner.descent,
		draw: (x, y) => {
			const foot = y + Math.max(inner.descent, size * 0.05);
			press.doc
				.moveTo(x + size * 0.04, y - size * 0.26)
				.lineTo(x + size * 0.15, y - size * 0.32)
				.lineTo(x + size * 0.29, foot)
				.lineTo(x + lead - size * 0.04, y - top)
				.lineTo(x + lead + inner.width + size * 0.06, y - top)
				.lineWidth(RULE * size)
				.lineJoin('miter')
				.stroke(color);
			inner.draw(x + lead, y);
		},
	};
}

function scripts(
	base: Part,
	sub: Part | undefined,
	sup: Part | undefined,
	{ size }: Context,
): Part {
	const up = Math.max(size * 0.38, base.ascent - size * 0.32);
	const down = Math.max(size * 0.17, base.descent + size * 0.02);
	const lean = sup ? size * 0.05 : 0;
	return {
		kind: base.kind === 'op' ? 'op' : base.kind === 'close' ? 'close' : 'ord',
		width: base.width + Math.max(sub?.width ?? 0, (sup?.width ?? 0) + lean) + size * 0.05,
		ascent: Math.max(base.ascent, sup ? up + sup.ascent : 0),
		descent: Math.max(base.descent, sub ? down + sub.descent : 0),
		draw: (x, y) => {
			base.draw(x, y);
			sub?.draw(x + base.width + size * 0.02, y + down);
			sup?.draw(x + base.width + lean, y - up);
		},
	};
}

function limits(
	base: Part,
	under: Part | undefined,
	over: Part | undefined,
	{ size }: Context,
): Part {
	const width = Math.max(base.width, under?.width ?? 0, over?.width ?? 0);
	const gap = size * 0.12;
	return {
		kind: 'op',
		width,
		ascent: base.ascent + (over ? gap + over.ascent + over.descent : 0),
		descent: base.descent + (under ? gap + under.ascent + under.descent : 0),
		draw: (x, y) => {
			base.draw(x + (width - base.width) / 2, y);
			over?.draw(x + (width - over.width) / 2, y - base.ascent - gap - over.descent);
			under?.draw(x + (width - under.width) / 2, y + base.descent + gap + under.ascent);
		},
	};
}

function accent(base: Part, sign: string, { press, size, color }: Context): Part {
	const ascent = base.ascent + size * 0.2;
	return {
		...base,
		ascent,
		draw: (x, y) => {
			base.draw(x, y);
			const middle = x + base.width / 2 + size * 0.06;
			const top = y - base.ascent - size * 0.06;
			const { doc } = press;
			if (/[˙.]/.test(sign)) doc.circle(middle, top - size * 0.03, size * 0.05).fill(color);
			else if (/[¯‾]/.test(sign)) press.rule(x, top, base.width, RULE * size, color);
			else {
				const [wide, high] = [size * 0.15, size * 0.1];
				doc
					.moveTo(middle - wide, top)
					.lineTo(middle, top - high)
					.lineTo(middle + wide, top)
					.lineWidth(RULE * size)
					.stroke(color);
			}
		},
	};
}

function table(rows: Element[], context: Context): Part {
	const { size } = context;
	const cells = rows.map((one) =>
		childrenOf(one).map((cell) => row(partsOf(childrenOf(cell), context), context)),
	);
	const columns = Math.max(...cells.map((one) => one.length));
	const widths = Array.from({ length: columns }, (_, n) =>
		Math.max(...cells.map((one) => one[n]?.width ?? 0)),
	);
	// Pairs of columns are an aligned equation: the first ends where the second begins.
	const isAligned = columns === 2;
	const gap = isAligned ? size * 0.26 : size * 0.9;
	const heights = cells.map((one) => {
		const ascent = Math.max(size * 0.7, ...one.map((cell) => cell.ascent));
		return { ascent, height: ascent + Math.max(size * 0.25, ...one.map((cell) => cell.descent)) };
	});
	const leading = size * 0.45;
	const total = heights.reduce((sum, { height }) => sum + height, 0) + leading * (cells.length - 1);
	const ascent = total / 2 + AXIS * size;
	return {
		kind: 'ord',
		width: widths.reduce((sum, one) => sum + one, 0) + gap * (columns - 1),
		ascent,
		descent: total - ascent,
		draw: (left, y) => {
			let top = y - ascent;
			cells.forEach((one, n) => {
				let x = left;
				one.forEach((cell, column) => {
					const room = widths[column]! - cell.width;
					const shift = isAligned ? (column === 0 ? room : 0) : room / 2;
					cell.draw(x + shift, top + heights[n]!.ascent);
					x += widths[column]! + gap;
				});
				top += heights[n]!.height + leading;
			});
		},
	};
}
