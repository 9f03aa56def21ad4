/** Gives tests databases on real libSQL servers, by the client that deployed functions have. */
import { sql } from 'drizzle-orm';
import { afterAll, afterEach } from 'vitest';
import { openServers, type Db } from '#db/client.ts';
import { migrateDb } from '#db/local.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { makeTestDbsBy } from './db.ts';
import { Sqld } from './sqld.ts';

type Kept = { server: Sqld; schema: string };
const servers: Sqld[] = [];
/** Of tests that ended: emptied, they serve the next. */
const free: Kept[] = [];
const taken: Kept[] = [];

makeTestDbsBy(async () => {
	const kept = (await reused()) ?? (await start());
	taken.push(kept);
	return open(kept);
});

afterEach(() => void free.push(...taken.splice(0)));
afterAll(async () => {
	await Promise.all(servers.map((server) => server.remove()));
});

// What a busy machine takes its time for is no outage here.
const open = ({ server }: { server: Sqld }) => openServers([[server.url]], { patience: MINUTE });

async function start(): Promise<Kept> {
	const server = await Sqld.start();
	servers.push(server);
	const db = open({ server });
	await migrateDb(db);
	return { server, schema: JSON.stringify(await schemaOf(db)) };
}

/** One that a test has left as it was, but for its rows. */
async function reused(): Promise<Kept | undefined> {
	const kept = free.pop();
	if (!kept) return undefined;
	const db = open(kept);
	const schema = await schemaOf(db);
	if (JSON.stringify(schema) !== kept.schema) return reused();
	await empty(db, schema);
	return kept;
}

type Entry = { type: string; name: string; sql: string };
const schemaOf = (db: Db) =>
	db.all<Entry>(
		sql`select type, name, sql from sqlite_schema where name not like 'sqlite_%' order by type, name`,
	);

async function empty(db: Db, schema: Entry[]): Promise<void> {
	const tables = schema.filter(
		({ type, name }) =>
			type === 'table' && !/^(search_(index|heads|entry_index|trigrams)|__drizzle)/.test(name),
	);
	// A trigger refuses to forget what the audit log holds.
	const guards = schema.filter(({ type, name }) => type === 'trigger' && /^audit_log/.test(name));
	// In one request, without foreign keys.
	await db.$client.migrate([
		...guards.map(({ name }) => `drop trigger "${name}"`),
		...tables.map(({ name }) => `delete from "${name}"`),
		`insert into search_trigrams(search_trigrams) values ('delete-all')`,
		...guards.map((guard) => guard.sql),
	]);
}
