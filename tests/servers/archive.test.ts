import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { migrateDb, openDb, RESTORING } from '#db/local.ts';
import { outbox, posts, subscribers, users } from '#db/schema.ts';
import { prepareDb } from '#src/build/prepare.ts';
import { archiveTo, restoreArchive } from '#src/cli/archives.ts';
import { copyIfDue, latestCopy } from '#src/cli/copies.ts';
import { getCopyReport } from '#src/core/copies/copies.server.ts';
import { Archive } from '#src/features/archive/read.server.ts';
import { writeArchive } from '#src/features/archive/write.server.ts';
import { digestsOf, fillEverything, rowsOf } from '#tests/support/archive.ts';
import { dieAfter } from '#tests/support/die-after.ts';
import { makePost, makeSubscriber } from '#tests/support/factories.ts';
import { Sqld } from '#tests/support/sqld.ts';

const NOW = new Date('2026-03-01T12:34:56Z');
let folder: string;
let server: Sqld;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'archive-'));
	server = await Sqld.start();
});
afterAll(async () => {
	await server.remove();
	await rm(folder, { recursive: true, force: true });
});

const path = (name: string) => join(folder, name);

async function restore(file: string, databaseUrl = server.url): Promise<void> {
	const archive = await Archive.open(path(file));
	try {
		await restoreArchive(archive, { databaseUrl, force: false, now: NOW });
	} finally {
		archive.close();
	}
}

test('from a file to an empty server and on: rows and archives are the same', async () => {
	const source = await openDb(`file:${path('site.db')}`);
	await migrateDb(source);
	await fillEverything(source);
	const rows = await rowsOf(source);
	await archiveTo(source, path('first.zip'), { now: NOW });
	source.$client.close();

	// Files of an interrupted restore do not belong to the site.
	const target = await openDb(server.url);
	await migrateDb(target);
	await makePost(target, { title: 'Half' });
	await target.run(sql.raw(`create table ${RESTORING} (since text)`));
	await expect(prepareDb(target)).rejects.toThrow(/npm run restore-archive FILE/);
	await restore('first.zip');
	expect(await rowsOf(target)).toEqual(rows);
	const marks = sql`select 1 from sqlite_schema where name = ${RESTORING}`;
	expect(await target.all(marks)).toEqual([]);

	await archiveTo(target, path('second.zip'), { now: new Date('2026-05-01T00:00:00Z') });
	expect(await digestsOf(path('second.zip'))).toEqual(await digestsOf(path('first.zip')));

	// Now it is in use.
	await expect(restore('first.zip')).rejects.toThrow(/This database is not empty: there are rows/);
	expect(await rowsOf(target)).toEqual(rows);
	target.$client.close();
});

test('an archive of a server that is written to is of one moment', async () => {
	const busy = await Sqld.start();
	const db = await openDb(busy.url);
	await migrateDb(db);
	for (let count = 0; count < 20; count++) await makeSubscriber(db);
	await makePost(db, {});
	const parts = [];
	let late = 0;
	const stream = writeArchive(db, {
		now: NOW,
		onProgress: ({ doing }) => {
			if (/builds|posts|categories/.test(doing)) late++;
		},
	});
	for await (const part of stream) {
		parts.push(part as Buffer);
		await db.insert(subscribers).values({ email: `late-${parts.length}@example.com` });
	}
	expect(late).toBeGreaterThan(0);
	expect(await db.$count(subscribers)).toBe(20 + parts.length);
	await writeFile(path('busy.zip'), Buffer.concat(parts));
	db.$client.close();
	await busy.remove();
	await restore('busy.zip', `file:${path('busy.db')}`);
	const copy = await openDb(`file:${path('busy.db')}`);
	expect([await copy.$count(subscribers), await copy.$count(posts)]).toEqual([20, 1]);
	copy.$client.close();
});

test('rows that do not fit leave the server empty', async () => {
	const empty = await Sqld.start();
	const source = await openDb(`file:${path('broken.db')}`);
	await migrateDb(source);
	await makePost(source, {});
	// As a damaged index lets happen: two rows of one slug.
	await source.$client.migrate([
		'drop index posts_slug_unique',
		`insert into posts (id, title, slug, content, author, category_id) select 'other', title, slug, content, author, category_id from posts`,
	]);
	await archiveTo(source, path('broken.zip'), { now: NOW });
	source.$client.close();
	await expect(restore('broken.zip', empty.url)).rejects.toThrow(
		/Rows of posts do not fit into the database: .*posts\.slug/,
	);
	const db = await openDb(empty.url);
	expect(
		await db.all(
			sql`select name from sqlite_schema where type = 'table' and name not glob 'sqlite_*' and name not glob 'libsql_*'`,
		),
	).toEqual([]);
	db.$client.close();
	await empty.remove();
});

test(
	'killed at any moment, a restore leaves the server empty or says that it is half, and begins anew',
	{ tags: ['nightly'], timeout: 300_000 },
	async () => {
		const target = await Sqld.start();
		const source = await openDb(`file:${path('whole.db')}`);
		await migrateDb(source);
		await fillEverything(source);
		const rows = await rowsOf(source);
		await archiveTo(source, path('whole.zip'), { now: NOW });
		source.$client.close();
		const bytes = await readFile(path('whole.zip'));

		/** Runs the command until it has printed this many lines. */
		async function restoreUntil(lines: number): Promise<void> {
			const child = fork('src/cli/main.ts', ['restore-archive', path('whole.zip')], {
				env: { ...process.env, DATABASE_URL: target.url },
				execArgv: dieAfter('', lines),
				stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
			});
			await once(child, 'close');
		}

		async function stateNow(): Promise<'empty' | 'half' | 'whole'> {
			const db = await openDb(target.url);
			try {
				const tables = await db.all<{ name: string }>(
					sql`select name from sqlite_schema where type = 'table' and name not glob 'sqlite_*' and name not glob 'libsql_*'`,
				);
				if (tables.length === 0) return 'empty';
				if (tables.some(({ name }) => name === RESTORING)) {
					await expect(prepareDb(db)).rejects.toThrow(/npm run restore-archive FILE/);
					return 'half';
				}
				expect(await rowsOf(db)).toEqual(rows);
				return 'whole';
			} finally {
				db.$client.close();
			}
		}

		const states: string[] = [];
		// It prints two lines for each of about forty tables.
		for (const lines of [1, 3, 40]) {
			await restoreUntil(lines);
			states.push(await stateNow());
		}
		expect(states).toEqual(['empty', 'half', 'half']);
		expect(bytes.equals(await readFile(path('whole.zip')))).toBe(true);
		await restore('whole.zip', target.url);
		expect(await stateNow()).toBe('whole');
		await target.remove();
	},
);

test('a database on a server is archived each night, and the newest whole archive is restored', async () => {
	const night = await Sqld.start();
	const db = await openDb(night.url);
	await migrateDb(db);
	await fillEverything(db);
	const [owner] = await db.select().from(users).limit(1);
	const copies = path('copies');
	const copy = (at: Date) =>
		copyIfDue(db, { databaseUrl: night.url, folder: copies, hour: 3, now: at });
	const after = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);

	const first = (await copy(NOW))!;
	expect(first).toMatch(/127-0-0-1-\d+-2026-03-01-123456\.zip$/);
	expect((await stat(first)).mode & 0o77).toBe(0);
	expect(await copy(after(1))).toBeUndefined();
	expect(await getCopyReport(db)).toMatchObject({
		last: { at: NOW.toISOString(), file: first, counts: expect.stringContaining('2 posts, ') },
		kept: 1,
		failure: null,
	});
	const rows = await rowsOf(db);

	// While the server is away, nothing is made and nothing deleted.
	await night.kill();
	await expect(copy(after(24))).rejects.toThrow();
	await night.start();
	expect((await readdir(copies)).length).toBe(2);

	const second = (await copy(after(25)))!;
	const file = await open(second, 'r+');
	await file.write(Buffer.from([0x5a]), 0, 1, (await file.stat()).size >> 1);
	await file.close();
	const told = vi.spyOn(console, 'error').mockImplementation(() => {});
	expect(await latestCopy(night.url, copies)).toBe(first);
	expect(told).toHaveBeenCalledOnce();
	told.mockRestore();
	await copy(after(48));
	expect((await readdir(copies)).filter((name) => name.endsWith('.damaged'))).toHaveLength(1);
	expect((await getCopyReport(db)).failure?.reason).toContain(' are damaged and were put aside');
	const emails = await db
		.select()
		.from(outbox)
		.where(sql`kind = 'copy'`);
	expect(emails).toMatchObject([{ recipient: owner!.email }]);
	db.$client.close();
	await night.remove();

	const archive = await Archive.open(first);
	const databaseUrl = `file:${path('morning.db')}`;
	await restoreArchive(archive, { databaseUrl, force: false, now: NOW });
	archive.close();
	const restored = await openDb(databaseUrl);
	expect(await rowsOf(restored)).toEqual(rows);
	restored.$client.close();
});
