/** Search is issued for queries of this many characters or more (specification section 9). */
export const SEARCH_MINIMUM = 3;
export const SEARCH_LIMIT = 20;
/** A passage has about so many characters. */
const PASSAGE_LENGTH = 180;
/** So many of them may stand before the first word that was found. */
const LEAD = 50;

/** A visitor's words: letters and digits, nothing else, so that nothing that is typed is syntax. */
export function wordsOf(text: string): string[] {
	const words = text.normalize('NFKC').match(/[\p{L}\p{N}]+/gu) ?? [];
	return words.slice(0, 16).map((word) => word.slice(0, 64));
}

/**
 * Words as an FTS5 query: every word must be there, and each may be a beginning, so that no result goes away while
 * somebody types on.
 */
export function toMatchQuery(words: readonly string[]): string {
	return words.map((word) => `"${withoutEnding(word)}"*`).join(' ');
}

/** "models" as "model" and "training" as "train": their beginnings are those of the word's other forms as well. */
export function withoutEnding(word: string): string {
	return word.replace(/(?<=\p{L}{4})(?:ing|ed|e?s)$/iu, '');
}

/** From where to where words were found in a text: each hit is a whole word of it. */
export function hitsOf(text: string, words: readonly string[]): { start: number; end: number }[] {
	if (words.length === 0) return [];
	const beginnings = words.map((word) => fold(withoutEnding(word))).join('|');
	const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${beginnings})[\\p{L}\\p{N}\\p{M}]*`, 'gu');
	return [...fold(text).matchAll(pattern)].map(({ index, 0: { length } }) => ({
		start: index,
		end: index + length,
	}));
}

/** A text cut where words were found, for marking them. */
export function marked(text: string, words: readonly string[]): { text: string; hit: boolean }[] {
	const parts = [];
	let at = 0;
	for (const { start, end } of hitsOf(text, words)) {
		if (start > at) parts.push({ text: text.slice(at, start), hit: false });
		parts.push({ text: text.slice(start, end), hit: true });
		at = end;
	}
	if (at < text.length) parts.push({ text: text.slice(at), hit: false });
	return parts;
}

/** The part in which most of the words stand together, of these texts; the first one's beginning where none holds any. */
export function passageOf(texts: readonly string[], words: readonly string[]): string {
	let best = { text: texts.find(Boolean) ?? '', start: 0, count: 0 };
	for (const text of texts) {
		const hits = hitsOf(text, words).slice(0, 400);
		const found = hits.map(({ start, end }) => fold(text.slice(start, end)));
		hits.forEach(({ start }, first) => {
			const different = new Set<string>();
			for (let next = first; (hits[next]?.end ?? Infinity) <= start + PASSAGE_LENGTH - LEAD; next++)
				different.add(found[next]!);
			if (different.size > best.count) best = { text, start, count: different.size };
		});
	}
	const { text } = best;
	const from = Math.max(0, Math.min(best.start - LEAD, text.length - PASSAGE_LENGTH));
	const start = from === 0 ? 0 : from + text.slice(from, best.start).search(/(?<=\s)/);
	const rest = text.slice(start, start + PASSAGE_LENGTH);
	const whole = start + PASSAGE_LENGTH >= text.length;
	const cut = whole ? rest : rest.replace(/\s+\S*$/, '');
	return `${start > 0 ? '… ' : ''}${cut.trim()}${whole ? '' : ' …'}`;
}

/** Lower case without accents, each character in its place. */
function fold(text: string): string {
	const lower = text.toLowerCase();
	const same = lower.length === text.length ? lower : text;
	return same.replace(/[^\0-\x7f]/gu, (one) => {
		const bare = one.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
		return bare.length === one.length ? bare : one;
	});
}
