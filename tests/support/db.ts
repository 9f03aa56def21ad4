import type { InStatement } from '@libsql/client';
import { sql } from 'drizzle-orm';
import { setDb, type Db } from '#db/client.ts';
import { migrateDb, openDb } from '#db/local.ts';

let schema: string | undefined;

let make = async (): Promise<Db> => {
	const db = await openDb(':memory:');
	if (schema !== undefined) {
		await db.$client.executeMultiple(schema);
		return db;
	}
	await migrateDb(db);
	schema = await schemaOf(db);
	return db;
};

/** Returns the statements that make what all migrations have made, several times as fast. */
async function schemaOf(db: Db): Promise<string> {
	const made = await db.all<{ sql: string }>(sql`select sql from sqlite_schema
		where sql is not null and name not like 'sqlite_%'
			and name not in (select name from pragma_table_list where type = 'shadow') order by rowid`);
	// Migrations leave no rows but their own.
	const applied = await db.all<{ row: string }>(
		sql`select format('(%Q, %d)', hash, created_at) as row from __drizzle_migrations`,
	);
	return [
		...made.map((statement) => statement.sql),
		`insert into __drizzle_migrations (hash, created_at) values ${applied.map(({ row }) => row).join()}`,
	].join(';\n');
}

/** Takes a database again, unless somebody else has it. */
let retake = (_db: Db) => true;

/** Has `useTestDb` take its databases from elsewhere: fresh ones, and migrated. */
export function makeTestDbsBy(other: () => Promise<Db>, again: (db: Db) => boolean): void {
	make = other;
	retake = again;
}

/** A fresh, migrated database that the functions will use: in memory, a few milliseconds, so every test makes its own. */
export async function useTestDb(): Promise<Db> {
	const db = await make();
	setDb(db);
	return db;
}

/** Returns `useTestDb` with what `fill` stores, which takes no time after a test that wrote nothing. */
export function filledTestDb(fill: (db: Db) => Promise<unknown>): () => Promise<Db> {
	let filled: { db: Db; isWritten: () => boolean } | undefined;
	return async () => {
		if (!filled || filled.isWritten() || !retake(filled.db)) {
			const db = await useTestDb();
			await fill(db);
			filled = { db, isWritten: noteWrites(db) };
		}
		setDb(filled.db);
		return filled.db;
	};
}

/** Returns whether anything but queries was sent to a database since. */
function noteWrites({ $client: client }: Db): () => boolean {
	let isWritten = false;
	const isQuery = (statement: InStatement | undefined) =>
		/^\s*select\b/i.test(typeof statement === 'string' ? statement : (statement?.sql ?? ''));
	for (const name of ['execute', 'batch', 'migrate', 'executeMultiple', 'transaction'] as const) {
		const send = client[name].bind(client) as (...sent: unknown[]) => unknown;
		Object.assign(client, {
			[name]: (...sent: [InStatement | InStatement[] | undefined]) => {
				isWritten ||= ![sent[0]].flat().every(isQuery);
				return send(...sent);
			},
		});
	}
	return () => isWritten;
}
