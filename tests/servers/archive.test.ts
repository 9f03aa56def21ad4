import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateDb, openDb, RESTORING } from '#db/local.ts';
import { posts, subscribers } from '#db/schema.ts';
import { prepareDb } from '#src/build/prepare.ts';
import { archiveTo, restoreArchive } from '#src/cli/archives.ts';
import { Archive } from '#src/features/archive/read.server.ts';
import { writeArchive } from '#src/features/archive/write.server.ts';
import { digestsOf, fillEverything, rowsOf } from '#tests/support/archive.ts';
import { makePost, makeSubscriber } from '#tests/support/factories.ts';
import { Sqld } from '#tests/support/sqld.ts';

const NOW = new Date('2026-03-01T12:34:56Z');
let folder: string;
let server: Sqld;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'archive-'));
	server = await Sqld.start();
}, 60_000);
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
