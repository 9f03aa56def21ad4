import { and, sql, type AnyColumn, type SQL } from 'drizzle-orm';

/** Returns a condition: the column contains the text, ignoring the case of A to Z. `%` and `_` match themselves. */
export function containsText(column: AnyColumn, text: string): SQL {
	return sql`${column} like ${`%${escapeLike(text)}%`} escape '\\'`;
}

/** Returns a condition: the column begins with the text, compared as in `containsText`. */
export function beginsWith(column: AnyColumn, text: string): SQL {
	return sql`${column} like ${`${escapeLike(text)}%`} escape '\\'`;
}

/**
 * Returns a condition: the text contains the word, ignoring the case of A to Z. Other letters of the word are also looked for in
 * their small forms, which SQLite does not know of those of the text.
 */
export function holdsWord(text: SQL, word: string): SQL {
	return sql`(instr(lower(${text}), lower(${word})) > 0 or instr(lower(${text}), ${word.toLowerCase()}) > 0)`;
}

/** Further words of a search are ignored. */
const MAX_WORDS = 16;

/** Returns a condition that holds for every word of a search, in any order. */
export function everyWord(
	typed: string,
	matches: (word: string) => SQL | undefined,
): SQL | undefined {
	const words = typed.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
	return and(...words.map(matches));
}

function escapeLike(text: string): string {
	return text.replace(/[\\%_]/g, '\\$&');
}
