/** Search is issued for queries of this many characters or more (specification section 9). */
export const SEARCH_MINIMUM = 3;
export const SEARCH_LIMIT = 20;

/**
 * A visitor's words as an FTS5 query: every word must be there, and each may be a beginning, so that no result
 * goes away while somebody types on. Each word is quoted, so nothing a visitor types is syntax. Null where there is no word.
 */
export function toMatchQuery(text: string): string | null {
	const words = text.normalize('NFKC').match(/[\p{L}\p{N}]+/gu) ?? [];
	if (words.length === 0) return null;
	return words
		.slice(0, 16)
		.map((word) => `"${withoutEnding(word.slice(0, 64))}"*`)
		.join(' ');
}

/** "models" as "model" and "training" as "train": their beginnings are those of the word's other forms as well. */
function withoutEnding(word: string): string {
	return word.replace(/(?<=\p{L}{4})(?:ing|ed|e?s)$/iu, '');
}
