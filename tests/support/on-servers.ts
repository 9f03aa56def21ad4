/** Gives tests databases on real libSQL servers, by the client that deployed functions have. */
import { sql } from 'drizzle-orm';
import { afterAll, afterEach } from 'vitest';
import { openServers, type Db } from '#db/client.ts';
import { migrateDb } from '#db/local.ts';
import { makeTestDbsBy } from './db.ts';
import { Sqld } from './sqld.ts';

const servers: Sqld[] = [];
/** Databases of tests that ended: emptied, they serve the next. */
const free: Db[] = [];
const taken: Db[] = [];

makeTestDbsBy(async () => {
	const known = free.pop();
	const db = known ?? (await makeDb());
	if (known) await empty(known);
	taken.push(db);
	return db;
});

afterEach(() => void free.push(...taken.splice(0)));
afterAll(async () => {
	await Promise.all(servers.map((server) => server.remove()));
});

async function makeDb(): Promise<Db> {
	const server = await Sqld.start();
	servers.push(server);
	const db = openServers([[server.url]]);
	await migrateDb(db);
	return db;
}

async function empty(db: Db): Promise<void> {
	const tables = await db.all<{ name: string }>(sql`select name from sqlite_schema
		where type = 'table' and name not like 'sqlite_%' and name not like 'search_index%'
		and name not like 'search_trigrams%' and name <> '__drizzle_migrations'`);
	// In one request, without foreign keys.
	await db.$client.migrate([
		...tables.map(({ name }) => `delete from "${name}"`),
		`insert into search_trigrams(search_trigrams) values ('delete-all')`,
	]);
}
