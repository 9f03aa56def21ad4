import { sql, type SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { setImmediate } from 'node:timers/promises';
import type { Db, Statement } from '#db/client.ts';

/** Returns a statement that aborts the whole batch unless `condition` holds. */
export function abortUnless(db: Db, condition: SQL): Statement {
	return db.run(sql`select case when ${condition} then 1 else json('stale') end`);
}

const ATTEMPTS = 20;

/** Retries work if another save came between its reading and writing. */
export async function retryWhenOvertaken<Out>(work: () => Promise<Out>): Promise<Out> {
	for (let attempt = 1; ; attempt++) {
		try {
			return await work();
		} catch (error) {
			if (attempt === ATTEMPTS || !isOvertaken(error)) throw error;
		}
	}
}

function isOvertaken(error: unknown): boolean {
	const texts = [error, error instanceof Error ? error.cause : undefined].map(String).join();
	return /malformed JSON|(UNIQUE|FOREIGN KEY) constraint failed/.test(texts);
}

/** Returns the SQL list of these values, for `in`. One parameter, however many there are. */
export function among(values: readonly string[]): SQL {
	return sql`(select value from json_each(${JSON.stringify(values)}))`;
}

/** Resolves in a later turn of the event loop. Awaiting an embedded database gives nothing else a turn: its driver is synchronous. */
export async function nextTurn(): Promise<void> {
	await setImmediate();
}

/** Rows of a table that one piece of a long write goes through. */
const PIECE = 2000;

/**
 * Writes in pieces to the rows of a table that meet a condition, and gives everything else a turn between them. `write`
 * gets the condition for the rows of a piece. Returns how many rows it affected.
 */
export async function inPieces(
	db: Db,
	table: SQLiteTable,
	condition: SQL,
	write: (rows: SQL) => PromiseLike<{ rowsAffected: number }>,
): Promise<number> {
	let affected = 0;
	for (let from = -1; ;) {
		const [last] = await db.all<{ id: number | null }>(
			sql`select max(rowid) as id from (select rowid from ${table} where rowid > ${from} order by rowid limit ${PIECE})`,
		);
		if (last!.id === null) return affected;
		// An index on the condition would be read from its beginning for each piece.
		const rows = sql`rowid in (select rowid from ${table} not indexed
			where rowid > ${from} and rowid <= ${last!.id} and (${condition}))`;
		affected += (await write(rows)).rowsAffected;
		from = last!.id;
		await nextTurn();
	}
}

/** Deletes the rows of a table that meet a condition, in pieces. */
export async function deleteInPieces(db: Db, table: SQLiteTable, condition: SQL): Promise<void> {
	await inPieces(db, table, condition, (rows) => db.delete(table).where(rows));
}
