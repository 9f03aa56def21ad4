/** Tells what failures of a database mean. Loads no driver, because a process that asks no database needs it as well. */
import { DrizzleQueryError } from 'drizzle-orm/errors';

/** No database server responded; retrying soon makes sense. */
export class UnreachableError extends Error {
	override name = 'UnreachableError';
}

/** Returns whether a database may do later what it refused with this code: it is locked, or something is wrong with its disk. */
export function isOutageCode(code: string): boolean {
	return OUTAGES.some(([beginning]) => code.startsWith(beginning));
}

/**
 * Returns why the database cannot respond for now, or undefined if the failure has another cause, which then is
 * a bug.
 */
export function outageOf(error: unknown): string | undefined {
	if (!(error instanceof Error)) return undefined;
	// Compared by name, because the dev server loads this file twice.
	if (error.name === UnreachableError.name) return error.message;
	const code = 'code' in error ? String(error.code) : '';
	if (!isOutageCode(code)) return outageOf(error.cause);
	const [, why] = OUTAGES.find(([beginning]) => code.startsWith(beginning))!;
	// The driver says its code twice where a batch fails.
	return `${why} (${error.message.replace(/^(\w+: )\1/, '$1')}).`;
}

/** Why an embedded database refuses, for a person, by the code of SQLite. */
const OUTAGES = [
	['SQLITE_BUSY', 'Another process keeps the database locked'],
	['SQLITE_FULL', 'The disk of the database is full'],
	['SQLITE_IOERR', 'The disk of the database fails'],
	[
		'SQLITE_READONLY',
		'The database cannot be written, because its file or file system is read-only',
	],
	['SQLITE_CANTOPEN', 'The file of the database cannot be opened'],
] as const;

/**
 * Returns the error for the log without a failed query's parameters, which may be what people typed: only its
 * SQL and cause remain.
 */
export function withoutValues(error: unknown): unknown {
	if (!(error instanceof DrizzleQueryError)) return error;
	return new Error(`Failed query: ${error.query}`, { cause: error.cause });
}
