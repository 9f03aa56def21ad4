import { and, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import { straightenQuotes } from '#src/lib/quotes.ts';

/**
 * Returns a condition: the column contains the text, ignoring the case of A to Z and whether quotation marks are straight
 * or curly. `%` and `_` match themselves.
 */
export function containsText(column: AnyColumn, text: string): SQL {
	return sql`${asCompared(column, text)} like ${`%${escapeLike(text)}%`} escape '\\'`;
}

/** Returns a condition: the column begins with the text, compared as in `containsText`. */
export function beginsWith(column: AnyColumn, text: string): SQL {
	return sql`${asCompared(column, text)} like ${`${escapeLike(text)}%`} escape '\\'`;
}

/**
 * Returns a condition: the text contains the word, compared as in `containsText`. Other letters of the word are also looked for in
 * their small forms, which SQLite does not know of those of the text.
 */
export function holdsWord(text: SQL, word: string): SQL {
	const [within, wanted] = [asCompared(text, word), straightenQuotes(word)];
	return sql`(instr(lower(${within}), lower(${wanted})) > 0 or instr(lower(${within}), ${wanted.toLowerCase()}) > 0)`;
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
	return straightenQuotes(text).replace(/[\\%_]/g, '\\$&');
}

/** Returns what is compared with a typed text: with straight quotation marks, if that has any. */
function asCompared(text: SQL | AnyColumn, typed: string): SQL | AnyColumn {
	if (!/["'“”‘’]/.test(typed)) return text;
	return sql`replace(replace(replace(replace(${text}, '‘', ''''), '’', ''''), '“', '"'), '”', '"')`;
}
