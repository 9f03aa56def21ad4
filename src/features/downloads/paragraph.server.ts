import hyphen from 'hyphen/en-us/index.js';
import type { Press, Style } from './press.server.ts';

/** Something of a known size that stands in a line, drawn from its baseline's left end. */
export type Box = {
	width: number;
	ascent: number;
	descent: number;
	draw: (x: number, y: number) => void;
};

/** A part of a paragraph. A text of one line break breaks the line. */
export type Inline = { text: string; style: Style } | { box: Box; style: Style };

export type Align = 'justify' | 'left' | 'center' | 'right';

/** A line that is set: what reaches above and below its baseline is told for boxes only. */
export type SetLine = {
	ascent: number;
	descent: number;
	draw: (x: number, y: number) => void;
	text: string;
};

type Atom =
	| { kind: 'text'; width: number; text: string; style: Style }
	| { kind: 'box'; width: number; box: Box; style: Style }
	| { kind: 'glue'; width: number; stretch: number; shrink: number; style: Style }
	/** A place to break: `hyphen` is shown there then. */
	| { kind: 'penalty'; cost: number; hyphen: number; style: Style }
	| { kind: 'break' };

type Setting = {
	width: number;
	align?: Align;
	/** Of the first line. */
	indent?: number;
};

/** Costs of breaking at a hyphen, within code or an address, and in a formula after its relation. */
const HYPHEN_COST = 60;
const CODE_COST = 90;
const RELATION_COST = 40;
/** A line looser than this is left ragged: wide gaps read worse. */
const LOOSEST = 2.2;

/** Sets a paragraph so that its worst line is as good as it can be (after Knuth and Plass). */
export function setParagraph(press: Press, inlines: Inline[], setting: Setting): SetLine[] {
	const { width, align = 'justify', indent = 0 } = setting;
	const lines: SetLine[] = [];
	let part: Atom[] = [];
	const flush = () => {
		const first = lines.length === 0 ? indent : 0;
		lines.push(...setPart(press, part, { width, align, indent: first }));
		part = [];
	};
	for (const atom of atomsOf(press, inlines, align === 'justify')) {
		if (atom.kind === 'break') flush();
		else part.push(atom);
	}
	flush();
	return lines;
}

/** How wide a paragraph would be in one line, and how wide its widest unbreakable piece is. */
export function measure(press: Press, inlines: Inline[]): { natural: number; least: number } {
	let [natural, least, line, piece] = [0, 0, 0, 0];
	for (const atom of atomsOf(press, inlines, false)) {
		if (atom.kind === 'break') [line, piece] = [0, 0];
		else if (atom.kind === 'penalty') piece = 0;
		else {
			line += atom.width;
			piece = atom.kind === 'glue' ? 0 : piece + atom.width;
		}
		natural = Math.max(natural, line);
		least = Math.max(least, piece);
	}
	return { natural, least };
}

function atomsOf(press: Press, inlines: Inline[], hyphenates: boolean): Atom[] {
	const atoms: Atom[] = [];
	for (const inline of inlines) {
		const { style } = inline;
		if ('box' in inline) {
			if (atoms.at(-1)?.kind === 'box')
				atoms.push({ kind: 'penalty', cost: RELATION_COST, hyphen: 0, style });
			atoms.push({ kind: 'box', width: inline.box.width, box: inline.box, style });
			continue;
		}
		if (inline.text === '\n') {
			atoms.push({ kind: 'break' });
			continue;
		}
		for (const token of inline.text.split(/([ \t\r\n]+|\u00a0)/)) {
			if (token === '') continue;
			if (token === '\u00a0') {
				const width = press.width(' ', style.face, style.size);
				atoms.push({ kind: 'penalty', cost: Infinity, hyphen: 0, style });
				atoms.push({ kind: 'glue', width, stretch: width / 2, shrink: width / 4, style });
			} else if (/^\s/.test(token)) {
				const width = press.width(' ', style.face, style.size);
				const last = atoms.at(-1);
				if (last === undefined || last.kind === 'glue' || last.kind === 'break') continue;
				atoms.push({ kind: 'glue', width, stretch: width * 0.55, shrink: width * 0.3, style });
			} else addWord(press, atoms, token, style, hyphenates);
		}
	}
	while (atoms.at(-1)?.kind === 'glue') atoms.pop();
	return atoms;
}

/** A word in the pieces between which it may be broken. The pieces are as wide together as the whole. */
function addWord(
	press: Press,
	atoms: Atom[],
	word: string,
	style: Style,
	hyphenates: boolean,
): void {
	const isCode = style.face === 'code' || /^https?:|\w\/\w/.test(word);
	let marked = word;
	if (isCode) marked = word.replace(/([/_.,(=-]|[a-z](?=[A-Z]))(?=.{2})/g, '$1\u200b');
	else {
		marked = word.replace(/(\w-|[–—/])(?=\w{2})/g, '$1\u200b');
		if (hyphenates && style.face !== 'display') {
			marked = marked.replace(/[A-Za-z]{7,}/g, (plain) =>
				hyphen.hyphenateSync(plain, { hyphenChar: '\u00ad' }),
			);
		}
	}
	const hyphenWidth = press.width('-', style.face, style.size);
	let before = 0;
	let whole = '';
	for (const piece of marked.split(/(\u00ad|\u200b)/)) {
		if (piece === '\u00ad' || piece === '\u200b') {
			// Two letters are not left or taken over alone.
			const isTight = whole.length < 3 || word.length - whole.length < 3;
			if (piece === '\u00ad' && isTight) continue;
			const cost = piece === '\u00ad' ? HYPHEN_COST : isCode ? CODE_COST : RELATION_COST;
			atoms.push({ kind: 'penalty', cost, hyphen: piece === '\u00ad' ? hyphenWidth : 0, style });
			continue;
		}
		if (piece === '') continue;
		whole += piece;
		const width = press.width(whole, style.face, style.size);
		atoms.push({ kind: 'text', text: piece, width: width - before, style });
		before = width;
	}
}

type Best = { cost: number; from: number; isHyphen: boolean; ratio: number };

function setPart(
	press: Press,
	atoms: Atom[],
	{ width, align, indent }: Required<Setting>,
): SetLine[] {
	if (atoms.length === 0) return [];
	const isJustified = align === 'justify';
	const count = atoms.length;
	// Sums up to an atom, so that a line's are differences.
	const sums = { width: [0], stretch: [0], shrink: [0] };
	for (const atom of atoms) {
		const isGlue = atom.kind === 'glue';
		sums.width.push(
			sums.width.at(-1)! + (atom.kind === 'penalty' ? 0 : 'width' in atom ? atom.width : 0),
		);
		sums.stretch.push(sums.stretch.at(-1)! + (isGlue ? atom.stretch : 0));
		sums.shrink.push(sums.shrink.at(-1)! + (isGlue ? atom.shrink : 0));
	}
	/** Where a line that begins at this break starts. */
	const startOf = (at: number) => {
		let start = at;
		while (start < count && (atoms[start]!.kind === 'glue' || atoms[start]!.kind === 'penalty'))
			start++;
		return start;
	};
	const canBreak = (at: number) => {
		if (at === count) return true;
		const atom = atoms[at]!;
		if (atom.kind === 'penalty') return atom.cost < Infinity;
		return atom.kind === 'glue' && atoms[at - 1]?.kind !== 'penalty';
	};
	const breaks = [0];
	for (let at = 1; at <= count; at++) if (canBreak(at)) breaks.push(at);
	const best = new Map<number, Best>([[0, { cost: 0, from: -1, isHyphen: false, ratio: 0 }]]);
	for (const [index, end] of breaks.entries()) {
		if (index === 0) continue;
		const atom = atoms[end];
		const penalty = atom?.kind === 'penalty' ? atom : undefined;
		let found: Best | undefined;
		for (let k = index - 1; k >= 0; k--) {
			const from = breaks[k]!;
			const before = best.get(from)!;
			const start = startOf(from);
			const room = width - (from === 0 ? indent : 0);
			const natural = sums.width[end]! - sums.width[start]! + (penalty?.hyphen ?? 0);
			const shrink = isJustified ? sums.shrink[end]! - sums.shrink[start]! : 0;
			const isTooWide = natural - shrink > room + 0.01;
			if (isTooWide && found) break;
			const stretch = isJustified ? sums.stretch[end]! - sums.stretch[start]! : width * 0.12;
			const isLast = end === count;
			let ratio = (room - natural) / (natural > room ? shrink || 1 : stretch || 1);
			if (isLast && ratio > 0) ratio = 0;
			let badness =
				100 * Math.abs(Math.min(ratio, 8)) ** 3 + (stretch === 0 && ratio > 0 ? 4000 : 0);
			if (isTooWide) badness = 1e6 + (natural - room) * 1e4;
			// A last line of one short piece is a widow in itself.
			if (isLast && from > 0 && natural < (isJustified ? 24 : width * 0.16)) badness += 400;
			let cost = before.cost + (10 + badness + (penalty?.cost ?? 0)) ** 2;
			if (penalty?.hyphen && before.isHyphen) cost += 40_000;
			if (!found || cost < found.cost)
				found = { cost, from, isHyphen: Boolean(penalty?.hyphen), ratio };
			if (isTooWide) break;
		}
		best.set(end, found!);
	}
	const ends: { start: number; end: number; ratio: number }[] = [];
	for (let end = count; end > 0;) {
		const { from, ratio } = best.get(end)!;
		ends.unshift({ start: startOf(from), end, ratio });
		end = from;
	}
	return ends.map(({ start, end, ratio }, index) => {
		const atom = atoms[end];
		const line = atoms.slice(start, end);
		if (atom?.kind === 'penalty' && atom.hyphen > 0)
			line.push({ kind: 'text', text: '-', width: atom.hyphen, style: atom.style });
		const given = isJustified ? Math.max(-1, ratio > LOOSEST ? 0 : ratio) : 0;
		const natural = line.reduce((sum, one) => sum + ('width' in one ? one.width : 0), 0);
		const share = { justify: 0, left: 0, center: 0.5, right: 1 }[align];
		const shift = (index === 0 ? indent : 0) + share * (width - natural);
		return lineOf(press, line, given, shift);
	});
}

function lineOf(press: Press, atoms: Atom[], ratio: number, shift: number): SetLine {
	const boxes = atoms.filter((atom) => atom.kind === 'box');
	return {
		ascent: Math.max(0, ...boxes.map(({ box }) => box.ascent)),
		descent: Math.max(0, ...boxes.map(({ box }) => box.descent)),
		text: atoms.map((atom) => ('text' in atom ? atom.text : ' ')).join(''),
		draw: (left, y) => {
			let x = left + shift;
			let run: { x: number; text: string; style: Style; loose: number } | undefined;
			const flush = () => {
				if (run) press.show(run.text, run.x, y, run.style, run.loose);
				run = undefined;
			};
			const links: { x: number; to: string; end: number }[] = [];
			for (const atom of atoms) {
				if (atom.kind === 'break' || atom.kind === 'penalty') continue;
				const isGlue = atom.kind === 'glue';
				const loose = isGlue ? ratio * (ratio < 0 ? atom.shrink : atom.stretch) : 0;
				const text = isGlue ? ' ' : 'text' in atom ? atom.text : undefined;
				if (text === undefined) flush();
				else if (run?.style === atom.style && (!isGlue || !run.loose || near(run.loose, loose))) {
					run.text += text;
					if (isGlue) run.loose = loose;
				} else {
					flush();
					run = { x, text, style: atom.style, loose };
				}
				if (atom.kind === 'box') atom.box.draw(x, y);
				const width = atom.width + loose;
				const to = atom.style.link;
				const last = links.at(-1);
				if (to && last?.to === to && near(last.end, x)) last.end = x + width;
				else if (to) links.push({ x, to, end: x + width });
				x += width;
			}
			flush();
			for (const { x: from, end, to } of links) press.link(from, y - 9, end - from, 12, to);
		},
	};
}

const near = (a: number, b: number) => Math.abs(a - b) < 0.01;
