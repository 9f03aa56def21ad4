import { and, sql, type AnyColumn, type SQL } from 'drizzle-orm';

/** Whether a column holds a text, whatever the case of its letters A to Z; `%` and `_` stand for themselves. */
export function containsText(column: AnyColumn, text: string): SQL {
	return sql`${column} like ${`%${escapeLike(text)}%`} escape '\\'`;
}

/** Whether a column begins with a text, as `holds` reads it. */
export function beginsWith(column: AnyColumn, text: string): SQL {
	return sql`${column} like ${`${escapeLike(text)}%`} escape '\\'`;
}

/** No more words of a search are looked for. */
const MAX_WORDS = 16;

/** Whether a condition holds for every word of a search, in whatever order they are typed. */
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
