/** Earlier versions of what is edited whole: a trigger keeps each row that a save replaces. */
import { and, desc, eq, type SQL } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { pageRevisions, stateRevisions } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';

type Revisions = typeof pageRevisions | typeof stateRevisions;

/** Returns when the versions that a condition selects were saved, newest first. */
export async function listVersions(db: Db, table: Revisions, where: SQL) {
	const { version, createdAt } = table;
	const rows = await db
		.select(tolerant({ version, createdAt }))
		.from(table)
		.where(where)
		.orderBy(desc(version));
	return rows.map((row) => ({ version: row.version, savedAt: row.createdAt.toISOString() }));
}

/** Returns a version with its columns as they were stored, or null. */
export async function getVersion(db: Db, table: Revisions, where: SQL, number: number) {
	const { version, createdAt, columns } = table;
	const [row] = await db
		.select(tolerant({ version, createdAt, columns }))
		.from(table)
		.where(and(where, eq(version, number)));
	return row
		? { version: row.version, savedAt: row.createdAt.toISOString(), columns: row.columns }
		: null;
}

/** Returns a column's value as SQLite stores it. */
export function storedValue(value: unknown): string | number | null {
	if (value instanceof Date) return value.getTime();
	if (typeof value === 'boolean') return Number(value);
	if (typeof value === 'string' || typeof value === 'number') return value;
	return value === null || value === undefined ? null : JSON.stringify(value);
}

/** Returns the value of a column of JSON, or undefined if it cannot be read. */
export function parseStored(value: unknown): unknown {
	try {
		return JSON.parse(String(value));
	} catch {
		return undefined;
	}
}
