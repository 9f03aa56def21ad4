import { wordsOf } from '#src/lib/stems.ts';
import { plural } from '#src/lib/text.ts';

/** Minimum length of a query (product.md section 9). */
export const SEARCH_MINIMUM = 3;
/** Maximum length of a query. */
export const QUERY_MAX = 200;
export const SEARCH_LIMIT = 20;
/** Approximate length of a passage. */
const PASSAGE_LENGTH = 180;
/** Maximum number of characters before the first found word. */
const PASSAGE_LEAD = 50;

/** Returns the number of articles found, or that none contains everything. */
export function foundText(query: string, results: readonly { partial?: true }[]): string {
	if (!results[0]?.partial) return plural(results.length, 'article');
	return wordsOf(query).length > 1
		? 'No article has all of these words. These have most of them:'
		: 'No article has this word. These are near it:';
}

/** Position of a match, and its text in lower case without accents. */
export type Hit = { start: number; end: number; found: string };

/** Returns a function that finds words and phrases in a text, longest first. A trailing `*` makes a prefix. */
export function createFinder(marks: readonly string[]): (text: string) => Hit[] {
	const names = [...new Set(marks)].map((mark) => ({
		words: fold(mark).match(/[\p{L}\p{N}]+/gu) ?? [],
		open: mark.endsWith('*'),
	}));
	// Searching each one separately is several times faster than one pattern for all.
	return (text) => {
		const folded = fold(text);
		const hits: Hit[] = [];
		for (const { words, open } of names) {
			const [first] = words;
			if (first === undefined) continue;
			let start = folded.indexOf(first);
			while (start !== -1) {
				const end = isInWord(folded, start - 1) ? -1 : phraseEnd(folded, start, words, open);
				if (end !== -1) hits.push({ start, end, found: folded.slice(start, end) });
				start = folded.indexOf(first, end === -1 ? start + 1 : end);
			}
		}
		hits.sort((a, b) => a.start - b.start || b.end - a.end);
		let last = 0;
		return hits.filter(({ start, end }) => {
			if (start < last) return false;
			last = end;
			return true;
		});
	};
}

/** Returns where a phrase that begins here ends, or -1. */
function phraseEnd(text: string, start: number, words: readonly string[], open: boolean): number {
	let at = start;
	for (const [index, word] of words.entries()) {
		if (index > 0) {
			WORD_GAP.lastIndex = at;
			if (!WORD_GAP.test(text)) return -1;
			at = WORD_GAP.lastIndex;
		}
		if (!text.startsWith(word, at)) return -1;
		at += word.length;
	}
	if (open) while (isInWord(text, at)) at++;
	// A combining accent belongs to the letter before it.
	else while (isInWord(text, at) && /\p{M}/u.test(text[at]!)) at++;
	return isInWord(text, at) ? -1 : at;
}

/** Matches the gap between the words of a phrase. In code, a comma, a bracket or an operator separates them. */
const WORD_GAP = /\p{M}*(?:\s{1,3}|[-‐‑–/_.’'])/uy;

function isInWord(text: string, at: number): boolean {
	const code = text.charCodeAt(at);
	if (code < 128) return (code > 96 && code < 123) || (code > 47 && code < 58);
	// Surrogate pairs count as letters.
	return code >= 128 && /[\p{L}\p{N}\p{M}\p{Cs}]/u.test(text[at]!);
}

/** Splits a text at matches, to mark them. */
export function splitMarks(
	text: string,
	marks: readonly string[],
): { text: string; hit: boolean }[] {
	const parts = [];
	let at = 0;
	for (const { start, end } of createFinder(marks)(text)) {
		if (start > at) parts.push({ text: text.slice(at, start), hit: false });
		parts.push({ text: text.slice(start, end), hit: true });
		at = end;
	}
	if (at < text.length) parts.push({ text: text.slice(at), hit: false });
	return parts;
}

/** Returns the passage with the most different words, or the first text's beginning if there are none. */
export function bestPassage(texts: readonly string[], hitsOf: (text: string) => Hit[]): string {
	let best = { text: texts.find(Boolean) ?? '', start: 0, count: 0 };
	for (const text of texts) {
		const hits = hitsOf(text).slice(0, 400);
		hits.forEach(({ start }, first) => {
			const different = new Set<string>();
			for (
				let next = first;
				(hits[next]?.end ?? Infinity) <= start + PASSAGE_LENGTH - PASSAGE_LEAD;
				next++
			)
				different.add(hits[next]!.found);
			if (different.size > best.count) best = { text, start, count: different.size };
		});
	}
	const { text } = best;
	const from = Math.max(0, Math.min(best.start - PASSAGE_LEAD, text.length - PASSAGE_LENGTH));
	const start = from === 0 ? 0 : from + text.slice(from, best.start).search(/(?<=\s)/);
	const rest = text.slice(start, start + PASSAGE_LENGTH);
	const whole = start + PASSAGE_LENGTH >= text.length;
	const cut = whole ? rest : rest.replace(/\s+\S*$/, '');
	return `${start > 0 ? '… ' : ''}${cut.trim()}${whole ? '' : ' …'}`;
}

/** Returns lower case without accents, keeping every character's position. */
export function fold(text: string): string {
	const lower = text.toLowerCase();
	const same = lower.length === text.length ? lower : text;
	return same.replace(/[^\0-\x7f]/gu, (character) => {
		const bare = character.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
		return bare.length === character.length ? bare : character;
	});
}
