import { setDb, type Db } from '#db/client.ts';
import { migrateDb, openDb } from '#db/local.ts';

let make = async (): Promise<Db> => {
	const db = await openDb(':memory:');
	await migrateDb(db);
	return db;
};

/** Has `useTestDb` take its databases from elsewhere: fresh ones, and migrated. */
export function makeTestDbsBy(other: () => Promise<Db>): void {
	make = other;
}

/** A fresh, migrated database that the functions will use: in memory, about 4 ms, so every test makes its own. */
export async function useTestDb(): Promise<Db> {
	const db = await make();
	setDb(db);
	return db;
}
