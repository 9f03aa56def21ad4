import { setDb, type Db } from '#db/client.ts';
import { migrateDb, openDb } from '#db/local.ts';

/** A fresh, migrated, in-memory database that the functions will use. About 4 ms, so every test makes its own. */
export async function useTestDb(): Promise<Db> {
	const db = await openDb(':memory:');
	await migrateDb(db);
	setDb(db);
	return db;
}
