import { getTableName, is, sql } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { assertKnown, DatabaseError, migrateDb, openDb, readJournal } from '#db/local.ts';
import { filePath } from '#db/file-path.ts';
import * as schema from '#db/schema.ts';

const { meta } = schema;
const tables = Object.values(schema).filter((value) => is(value, SQLiteTable));
const folder = await mkdtemp(join(tmpdir(), 'groundtruth-'));
afterAll(() => rm(folder, { recursive: true }));

test('a file is made with its folder, in WAL mode, with foreign keys, and the driver blocks for a moment only', async () => {
	const db = await openDb(`file:${join(folder, 'new', 'folder', 'local.db')}`);
	expect(await db.all(sql`pragma journal_mode`)).toEqual([{ journal_mode: 'wal' }]);
	expect(await db.all(sql`pragma foreign_keys`)).toEqual([{ foreign_keys: 1 }]);
	expect(await db.all(sql`pragma busy_timeout`)).toEqual([{ timeout: 20 }]);
	db.$client.close();
});

test('a batch that reads before it writes waits until another process has written', async () => {
	const url = `file:${join(folder, 'busy.db')}`;
	const db = await openDb(url);
	await db.run(sql`create table numbers (number)`);
	const code = `import { openDb } from '#db/local.ts';
		const db = await openDb('${url}');
		const transaction = await db.$client.transaction('write');
		await transaction.execute('insert into numbers values (1)');
		console.log('writing');
		setTimeout(() => transaction.commit().then(() => process.exit()), 500);`;
	const other = spawn(process.execPath, ['--input-type=module', '-e', code]);
	await once(other.stdout, 'data');
	const [before] = await db.batch([
		db.all<{ number: number }>(sql`select number from numbers`),
		db.run(sql`insert into numbers values (2)`),
	]);
	expect(before).toEqual([{ number: 1 }]);
	expect(await db.all(sql`select number from numbers`)).toHaveLength(2);
	db.$client.close();
});

test('what was written is there after opening again, and migrating again does nothing', async () => {
	const url = `file:${join(folder, 'again.db')}`;
	const first = await openDb(url);
	await migrateDb(first);
	await first.insert(meta).values({ key: 'a', value: 'b' });
	first.$client.close();
	const second = await openDb(url);
	await migrateDb(second);
	expect(await second.select().from(meta)).toEqual([{ key: 'a', value: 'b' }]);
	expect(await second.all(sql`pragma foreign_keys`)).toEqual([{ foreign_keys: 1 }]);
	second.$client.close();
});

test('the migrations make every table and column of the schema', async () => {
	const db = await openDb(':memory:');
	await migrateDb(db);
	for (const table of tables) expect(await db.select().from(table)).toEqual([]);
});

test('every foreign key has an index that begins with it', async () => {
	const db = await openDb(':memory:');
	await migrateDb(db);
	for (const name of tables.map(getTableName)) {
		const indexed = await db.all<{ column: string }>(sql`select info.name as column
			from pragma_index_list(${name}) list, pragma_index_info(list.name) info where info.seqno = 0`);
		const keys = await db.all<{ from: string }>(
			sql`select "from" from pragma_foreign_key_list(${name})`,
		);
		const missing = keys
			.map((key) => key.from)
			.filter((key) => !indexed.some(({ column }) => column === key));
		expect(missing, name).toEqual([]);
	}
});

test('a file that is no database is refused with one sentence', async () => {
	const path = join(folder, 'text.db');
	await writeFile(path, 'this is no database, but it is long enough to be looked at '.repeat(20));
	const failure = await openDb(`file:${path}`).catch((error: unknown) => error);
	expect(failure).toBeInstanceOf(DatabaseError);
	expect((failure as Error).message).toMatch(
		/^The database file:.*text\.db cannot be opened: [^\n]+\.$/,
	);
});

test('a folder that cannot be made is refused with one sentence', async () => {
	const path = join(folder, 'file');
	await writeFile(path, '');
	await expect(openDb(`file:${path}/local.db`)).rejects.toThrow(DatabaseError);
});

test('only file addresses have a path', () => {
	expect(filePath('file:db/local.db')).toBe('db/local.db');
	expect(filePath(pathToFileURL('/tmp/a b.db').href)).toBe('/tmp/a b.db');
	expect(filePath(':memory:')).toBeUndefined();
	expect(filePath('libsql://example.turso.io')).toBeUndefined();
});

test('a schema that a newer release has made is refused in a sentence, and left as it is', async () => {
	const db = await openDb(`file:${join(folder, 'newer.db')}`);
	await migrateDb(db);
	await migrateDb(db);
	await db.run(
		sql`insert into __drizzle_migrations (hash, created_at) values ('of later', ${Date.now() + 1e9})`,
	);
	const before = await db.all(sql`select * from sqlite_schema`);
	await expect(migrateDb(db)).rejects.toThrow(
		new DatabaseError(
			'The database is that of a newer release, whose schema this one does not know: start that release again, or restore a backup that was made before the upgrade.',
		),
	);
	expect(await db.all(sql`select * from sqlite_schema`)).toEqual(before);
	db.$client.close();
});

/** A database as the migrations from before 1.0.0 left it, up to one that is named by its time. */
async function earlierDb(name: string, last: number) {
	const db = await openDb(`file:${join(folder, name)}`);
	await migrateDb(db, (await readJournal()).entries[0]!.when);
	await db.insert(meta).values({ key: 'a', value: 'b' });
	await db.run(
		sql`update __drizzle_migrations set hash = 'the last of earlier ones', created_at = ${last}`,
	);
	await db.run(
		sql`insert into __drizzle_migrations (hash, created_at) values ('the first', 1795239142249)`,
	);
	return db;
}
const appliedIn = (db: Db) => db.all(sql`select hash, created_at from __drizzle_migrations`);

test('a database that the earlier migrations brought to the schema of the one of now is taken as it is', async () => {
	const [first] = (await readJournal()).entries;
	const db = await earlierDb('last.db', first!.when);
	const schemaOf = (one: Db) => one.all(sql`select type, name, sql from sqlite_schema`);
	const before = await schemaOf(db);
	await assertKnown(db);
	expect(await schemaOf(db)).toEqual(before);
	await migrateDb(db);
	const fresh = await openDb(':memory:');
	await migrateDb(fresh);
	expect(await appliedIn(db)).toEqual(await appliedIn(fresh));
	expect(await db.select().from(meta)).toEqual([{ key: 'a', value: 'b' }]);
	expect(await schemaOf(db)).toEqual(await schemaOf(fresh));
	db.$client.close();
});

test.each([
	['of an earlier schema', 'earlier.db', -1, undefined],
	['whose schema is another than its migrations say', 'other.db', 0, 'drop index posts_updated'],
])(
	'a database from before 1.0.0 %s is refused in a sentence that says what to do',
	async (_, name, step, change) => {
		const [first] = (await readJournal()).entries;
		const db = await earlierDb(name, first!.when + step);
		if (change) await db.run(sql.raw(change));
		const before = await appliedIn(db);
		for (const use of [migrateDb, assertKnown]) {
			await expect(use(db)).rejects.toThrow(
				new DatabaseError(
					'The database is from before release 1.0.0: make an archive with the program that wrote it (npm run archive FILE), then restore that with this one (npm run restore-archive FILE).',
				),
			);
		}
		expect(await appliedIn(db)).toEqual(before);
		expect(await db.select().from(meta)).toEqual([{ key: 'a', value: 'b' }]);
		db.$client.close();
	},
);
