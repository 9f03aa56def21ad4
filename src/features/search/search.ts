/** Search is issued for queries of this many characters or more (specification section 9). */
export const SEARCH_MINIMUM = 3;
export const SEARCH_LIMIT = 20;

/**
 * A visitor's words as an FTS5 query: every word must be there, the last ones may be beginnings.
 * Each word is quoted, so nothing a visitor types is syntax. Null where there is no word.
 */
export function toMatchQuery(text: string): string | null {
	const words = text.normalize('NFKC').match(/[\p{L}\p{N}]+/gu) ?? [];
	return words.length === 0 ? null : words.slice(0, 16).map((word) => `"${word.slice(0, 64)}"*`).join(' ');
}
