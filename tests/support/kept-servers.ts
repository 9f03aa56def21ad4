/** Databases on libSQL servers that are kept for the next test of this process. */
import { sql } from 'drizzle-orm';
import { openServers, type Db } from '#db/client.ts';
import { migrateDb } from '#db/local.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { Sqld } from './sqld.ts';

type Kept = { server: Sqld; schema: string; tables: string[]; db: Db };
/** Of tests that ended: emptied, they serve the next. */
const free: Kept[] = [];
const taken: Kept[] = [];

/** Returns a fresh, migrated database on a server of its own. */
export async function takeServerDb(): Promise<Db> {
	const kept = (await reused()) ?? (await start());
	taken.push(kept);
	return kept.db;
}

/** Takes a database again with what is in it. Returns whether nobody else has taken it meanwhile. */
export function retakeServerDb(db: Db): boolean {
	const at = free.findIndex((one) => one.db === db);
	if (at < 0) return false;
	taken.push(...free.splice(at, 1));
	return true;
}

/** Says that nobody uses the databases any longer that were taken so far. */
export function freeServerDbs(): void {
	free.push(...taken.splice(0));
}

// What a busy machine takes its time for is no outage here.
const open = (server: Sqld) => openServers([[server.url]], { patience: MINUTE });

async function start(): Promise<Kept> {
	const server = await Sqld.start();
	const db = open(server);
	await migrateDb(db);
	const schema = await db.all<Entry>(SCHEMA);
	const tables = schema
		.filter(({ type }) => type === 'table')
		.map(({ name }) => name)
		.filter((name) => !/^(search_(index|heads|entry_index|trigrams)|__drizzle)/.test(name));
	return { server, db, tables, schema: JSON.stringify(schema) };
}

/** One that a test has left as it was, but for its rows. */
async function reused(): Promise<Kept | undefined> {
	const kept = free.pop();
	if (!kept) return undefined;
	const db = open(kept.server);
	const schema = await db.all<Entry>(SCHEMA);
	if (JSON.stringify(schema) === kept.schema) {
		await empty(db, schema, kept.tables);
		return { ...kept, db };
	}
	await kept.server.remove();
	return reused();
}

type Entry = { type: string; name: string; sql: string };
const SCHEMA = sql`select type, name, sql from sqlite_schema where name not like 'sqlite_%' order by type, name`;

async function empty(db: Db, schema: Entry[], tables: string[]): Promise<void> {
	const used = await db.all<{ name: string }>(
		sql.raw(
			tables
				.map((name) => `select '${name}' as name where exists (select 1 from "${name}")`)
				.join(' union all '),
		),
	);
	if (used.length === 0) return;
	// A trigger refuses to forget what the audit log holds.
	const guards = schema.filter(({ type, name }) => type === 'trigger' && /^audit_log/.test(name));
	const deletions = used.map(({ name }) => `delete from "${name}"`);
	// In one request, without foreign keys.
	await db.$client.migrate([
		...guards.map(({ name }) => `drop trigger "${name}"`),
		...deletions,
		// Triggers have noted what went.
		...deletions,
		`insert into search_trigrams(search_trigrams) values ('delete-all')`,
		...guards.map((guard) => guard.sql),
	]);
}
