import { prepareDb, seedDb } from '#src/build/prepare.ts';

/** Brings the tables up to date. */
export async function migrate(): Promise<void> {
	(await prepareDb()).$client.close();
	console.log('The database is up to date.');
}

/** Adds the entries of content/ that are not in the database. */
export async function seed(): Promise<void> {
	const db = await prepareDb();
	const added = await seedDb(db);
	db.$client.close();
	console.log(added ? `Added ${added} entries of content/.` : 'All of content/ is there already.');
}
