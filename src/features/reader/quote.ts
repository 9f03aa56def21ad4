import { straightenQuotes } from '#src/lib/quotes.ts';

/** A text with some letters around it, which tell its occurrences apart. */
export type Quote = { text: string; prefix?: string | undefined; suffix?: string | undefined };
/** First letter and the one after the last, in a text without white space. */
export type Span = { start: number; end: number };

/** Letters of context on each side of a quote. */
const CONTEXT = 32;

/** Removes white space, so that line breaks, spaces and markup make no difference, and straightens quotation marks. */
function lettersOf(text: string): string {
	return straightenQuotes(text.replace(/\s+/g, ''));
}

/** Returns the context of a span, for finding it again if its text occurs more than once. */
export function contextOf(letters: string, { start, end }: Span) {
	return {
		prefix: letters.slice(Math.max(0, start - CONTEXT), start),
		suffix: letters.slice(end, end + CONTEXT),
	};
}

/**
 * Returns the position of a quote: of several occurrences the one with the most similar context, or the first
 * of equals.
 */
export function findQuote(letters: string, { text, prefix, suffix }: Quote): Span | undefined {
	const wanted = lettersOf(text);
	if (wanted === '') return undefined;
	let best: Span | undefined;
	let bestScore = -1;
	for (
		let start = letters.indexOf(wanted);
		start >= 0;
		start = letters.indexOf(wanted, start + 1)
	) {
		const span = { start, end: start + wanted.length };
		const around = contextOf(letters, span);
		const score =
			commonPrefixLength(reverse(around.prefix), reverse(lettersOf(prefix ?? ''))) +
			commonPrefixLength(around.suffix, lettersOf(suffix ?? ''));
		if (score > bestScore) [best, bestScore] = [span, score];
	}
	return best;
}

function commonPrefixLength(a: string, b: string): number {
	let length = 0;
	while (length < a.length && a[length] === b[length]) length++;
	return length;
}

function reverse(text: string): string {
	return [...text].reverse().join('');
}

/** The letters of an element's text, and their positions in the page. Controls and live regions are skipped. */
export class PageText {
	readonly letters: string;
	/** Text nodes with letters, and the number of letters before each. */
	readonly #nodes: { node: Text; from: number }[] = [];

	constructor(root: Node) {
		const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, {
			acceptNode: (node) => {
				if (!(node instanceof Element)) return NodeFilter.FILTER_ACCEPT;
				return node.matches('button, annotation, [data-live]')
					? NodeFilter.FILTER_REJECT
					: NodeFilter.FILTER_SKIP;
			},
		});
		const parts: string[] = [];
		let from = 0;
		while (walker.nextNode()) {
			const node = walker.currentNode as Text;
			const letters = lettersOf(node.data);
			if (letters === '') continue;
			this.#nodes.push({ node, from });
			parts.push(letters);
			from += letters.length;
		}
		this.letters = parts.join('');
	}

	/** Returns the pieces of text nodes that a span covers. */
	pieces({ start, end }: Span): { node: Text; from: number; to: number }[] {
		return this.#nodes.flatMap(({ node, from }, index) => {
			const until = this.#nodes[index + 1]?.from ?? this.letters.length;
			if (until <= start || from >= end) return [];
			const first = start >= from ? indexOfLetter(node.data, start - from) : 0;
			const last = end <= until ? indexOfLetter(node.data, end - 1 - from) : node.data.length - 1;
			return [{ node, from: first, to: last + 1 }];
		});
	}

	range(span: Span): Range {
		const pieces = this.pieces(span);
		const [first, last] = [pieces[0]!, pieces.at(-1)!];
		const range = document.createRange();
		range.setStart(first.node, first.from);
		range.setEnd(last.node, last.to);
		return range;
	}

	/** Returns the letters inside a range, or undefined if there are none. */
	span(range: Range): Span | undefined {
		let start: number | undefined;
		let end = 0;
		for (const { node, from } of this.#nodes) {
			if (!range.intersectsNode(node)) continue;
			const first = node === range.startContainer ? range.startOffset : 0;
			const last = node === range.endContainer ? range.endOffset : node.data.length;
			const letters = lettersOf(node.data.slice(first, last)).length;
			if (letters === 0) continue;
			const before = from + lettersOf(node.data.slice(0, first)).length;
			start ??= before;
			end = before + letters;
		}
		return start === undefined ? undefined : { start, end };
	}
}

/** Returns the index of the nth letter of a text. */
function indexOfLetter(text: string, n: number): number {
	let index = -1;
	for (let letters = -1; letters < n;) if (/\S/.test(text[++index]!)) letters++;
	return index;
}
