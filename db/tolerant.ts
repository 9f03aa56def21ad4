import {
	getTableColumns,
	is,
	sql,
	type GetColumnData,
	type SQL,
	type SQLWrapper,
} from 'drizzle-orm';
import { SQLiteTable, type SQLiteColumn } from 'drizzle-orm/sqlite-core';

type Columns = Record<string, SQLiteColumn>;
type Tolerant<Of extends Columns> = { [Key in keyof Of]: SQL<GetColumnData<Of[Key]>> };

/** The first and last millisecond of the four-digit years. */
const TIMES = { first: -62_135_596_800_000, last: 253_402_300_799_999 };

/**
 * Returns columns, or all columns of a table, that can be selected whatever their rows hold. A restored dump or another
 * program may have stored what no column should: one text that is not UTF-8 ends the process that reads it, one integer
 * beyond 2^53 fails the query. Bytes that are no text are read as “�”, JSON that cannot be parsed as an empty object, and
 * what is no number or time as null, or as 0 where the table allows no null.
 */
export function tolerant<Of extends SQLiteTable>(table: Of): Tolerant<Of['_']['columns']>;
export function tolerant<Of extends Columns>(columns: Of): Tolerant<Of>;
export function tolerant(of: SQLiteTable | Columns): Tolerant<Columns> {
	const columns: Columns = is(of, SQLiteTable) ? getTableColumns(of) : of;
	return Object.fromEntries(
		Object.entries(columns).map(([key, column]) => [key, tolerantColumn(column)]),
	);
}

function tolerantColumn(column: SQLiteColumn): SQL {
	if (column.dataType === 'string') return asText(column);
	if (column.dataType === 'json') return sql`cast(${column} as blob)`.mapWith(parse);
	return sql`case when ${isNumber(column)} then ${column} else ${column.notNull ? 0 : null} end`.mapWith(
		column,
	);
}

/** Returns a text that is read as bytes. */
export function asText(text: SQLWrapper): SQL<string> {
	return sql`cast(${text} as blob)`.mapWith(decode);
}

/** Returns the condition that a number, flag or time can be read as such. */
export function isNumber(column: SQLiteColumn): SQL {
	const { first, last } =
		column.dataType === 'date'
			? TIMES
			: { first: Number.MIN_SAFE_INTEGER, last: Number.MAX_SAFE_INTEGER };
	return sql`(typeof(${column}) in ('integer', 'real') and ${column} between ${first} and ${last})`;
}

const decode = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString();

function parse(bytes: ArrayBuffer): unknown {
	try {
		return JSON.parse(decode(bytes));
	} catch {
		return {};
	}
}
