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

/** Has `useTestDb` take its databases from elsewhere: fresh ones, and migrated. */
export function makeTestDbsBy(other: () => Promise<Db>): void {
	make = other;
}

/** A fresh, migrated database that the functions will use: in memory, a few milliseconds, so every test makes its own. */
export async function useTestDb(): Promise<Db> {
	const db = await make();
	setDb(db);
	return db;
}
