import { sql, type AnyColumn, type SQL } from 'drizzle-orm';

/** Whether a column holds a text, whatever the case of its letters A to Z; `%` and `_` stand for themselves. */
export function holds(column: AnyColumn, text: string): SQL {
	return sql`${column} like ${`%${literal(text)}%`} escape '\\'`;
}

/** Whether a column begins with a text, as `holds` reads it. */
export function beginsWith(column: AnyColumn, text: string): SQL {
	return sql`${column} like ${`${literal(text)}%`} escape '\\'`;
}

function literal(text: string): string {
	return text.replace(/[\\%_]/g, '\\$&');
}
