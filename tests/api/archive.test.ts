import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eq, getTableName, sql } from 'drizzle-orm';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { migrateDb, openDb } from '#db/local.ts';
import { auditLog, enrollments, media, meta, outbox, posts, subscribers } from '#db/schema.ts';
import { archiveTo, restoreArchive } from '#src/cli/archives.ts';
import { intoOneFile } from '#src/cli/backup.ts';
import type { Contents } from '#src/features/archive/archive.ts';
import { makeArchive } from '#src/features/archive/archive.api.ts';
import { Archive } from '#src/features/archive/read.server.ts';
import { ARCHIVED, LEFT_OUT } from '#src/features/archive/tables.server.ts';
import { writeArchive } from '#src/features/archive/write.server.ts';
import { queueLessons } from '#src/features/course/course.server.ts';
import { createIssue } from '#src/features/newsletter/next-issue.server.ts';
import { DAY } from '#src/lib/dates.ts';
import { sha256 } from '#src/lib/digest.ts';
import { getSecret } from '#src/lib/env.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { digestsOf, fillEverything, rowsOf, TABLES } from '#tests/support/archive.ts';
import { sealCheaply } from '#tests/support/cheap-seals.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost, makeSubscriber } from '#tests/support/factories.ts';

const NOW = new Date('2026-03-01T12:34:56Z');
let folder: string;
let db: Db;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'archive-'));
	db = await useTestDb();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const path = (name: string) => join(folder, name);
const archived = async (from: Db = db, name = 'site.zip', now = NOW) => {
	await archiveTo(from, path(name), { now });
	return path(name);
};

const schemaOf = (of: Db) =>
	of.all(sql`select name, sql from sqlite_schema where name not glob 'sqlite_*' order by name`);

/** Restores an archive into a new file, and opens that. */
async function restored(file: string, name = 'new.db'): Promise<Db> {
	const archive = await Archive.open(file);
	const databaseUrl = `file:${path(name)}`;
	await restoreArchive(archive, { databaseUrl, force: false, now: NOW });
	archive.close();
	return openDb(databaseUrl);
}

test('every table of the database is archived, or named with the reason why not', async () => {
	const stored = await db.all<{ name: string }>(
		sql`select name from sqlite_schema where type = 'table' and name not glob 'sqlite_*' and name not glob 'libsql_*'`,
	);
	// Made from the others by triggers; migrations keep their own list.
	const derived = /^(search_(index|heads|entry_index|trigrams|words)|__drizzle_migrations)/;
	const names = stored.map(({ name }) => name).filter((name) => !derived.test(name));
	const known = [...ARCHIVED.map(({ name }) => name), ...Object.keys(LEFT_OUT)];
	expect(known.toSorted()).toEqual(names.sort());
	expect(TABLES.map((table) => getTableName(table)).sort()).toEqual(names);
	const page = await readFile('docs/archive.md', 'utf8');
	for (const name of Object.keys(LEFT_OUT)) expect(page).toContain(`\`${name}\``);
});

test('every row of every table is the same afterwards, and so is its archive', async () => {
	await fillEverything(db);
	const before = await rowsOf(db);
	expect(Object.entries(before).filter(([, rows]) => rows.length < 2)).toEqual([]);
	const first = await archived();
	const copy = await restored(first);
	expect(await rowsOf(copy)).toEqual(before);
	const second = await archived(copy, 'again.zip', new Date('2026-04-01T00:00:00Z'));
	expect(await digestsOf(second)).toEqual(await digestsOf(first));
	copy.$client.close();
	expect((await stat(first)).mode & 0o77).toBe(0);
});

test('values that no program of ours stores are carried as they are', async () => {
	await makePost(db, { title: 'One' });
	await db.run(
		sql`update posts set title = cast(x'61ff62' as text), excerpt = x'00ff', read_time = 1.5, version = 9223372036854775807`,
	);
	await db.run(sql`update categories set position = -9e999, version = -9007199254740993`);
	const before = await rowsOf(db);
	const copy = await restored(await archived());
	expect(await rowsOf(copy)).toEqual(before);
	copy.$client.close();
});

test('rows keep their order, and facts of one machine stay there', async () => {
	for (const title of ['Zebra', 'Apple', 'Mango']) await makePost(db, { title });
	await db.delete(posts).where(sql`title = 'Apple'`);
	await db.insert(meta).values([
		{ key: 'content_digest', value: 'kept' },
		{ key: 'copied', value: 'left' },
	]);
	const copy = await restored(await archived());
	expect(await copy.all(sql`select title from posts order by rowid`)).toEqual([
		{ title: 'Zebra' },
		{ title: 'Mango' },
	]);
	expect(await copy.select().from(meta)).toEqual([{ key: 'content_digest', value: 'kept' }]);
	copy.$client.close();
});

test('what is written meanwhile is in none of the tables', async () => {
	const url = `file:${path('busy.db')}`;
	const busy = await openDb(url);
	await migrateDb(busy);
	for (let count = 0; count < 50; count++) await makeSubscriber(busy);
	let written = 0;
	const parts = [];
	const stream = writeArchive(busy, {
		now: NOW,
		onProgress: ({ doing }) => {
			// Before and after their table is read.
			if (!/categories|posts|subscribers/.test(doing)) return;
			written++;
			void busy.insert(subscribers).values({ email: `late-${written}@example.com` });
		},
	});
	await makePost(busy, {});
	for await (const part of stream) {
		parts.push(part as Buffer);
		await busy.insert(subscribers).values({ email: `later-${parts.length}@example.com` });
	}
	await writeFile(path('busy.zip'), Buffer.concat(parts));
	expect(await busy.$count(subscribers)).toBeGreaterThan(50);
	busy.$client.close();
	const copy = await restored(path('busy.zip'));
	expect(await copy.$count(subscribers)).toBe(50);
	copy.$client.close();
});

test('the secret comes along only if asked for, and only its passphrase opens it', async () => {
	sealCheaply();
	const value = 'the secret of this site, which signs links';
	const passphrase = 'correct horse battery';
	await archiveTo(db, path('with.zip'), { now: NOW, secret: { value, passphrase } });
	expect((await readFile(path('with.zip'))).includes(value)).toBe(false);
	const archive = await Archive.open(path('with.zip'));
	expect(await archive.secret(passphrase)).toBe(value);
	await expect(archive.secret('another passphrase')).rejects.toThrow(/passphrase is another/);
	archive.close();
	const without = await Archive.open(await archived());
	expect([without.hasSecret, await without.secret(passphrase)]).toEqual([false, undefined]);
	without.close();
});

test('a site that moves goes on: the next letter tells what is new, and each reader gets the next lesson', async () => {
	const [monday, thursday] = ['2026-03-02T15:00:00Z', '2026-03-05T15:00:00Z'].map(
		(time) => new Date(time),
	) as [Date, Date];
	await createIssue(db, monday);
	await makePost(db, { title: 'Told before', publishedAt: new Date('2026-03-03T10:00:00Z') });
	await makeSubscriber(db);
	expect((await createIssue(db, thursday))?.posts).toMatchObject([{ title: 'Told before' }]);
	await makePost(db, { title: 'New since', publishedAt: new Date('2026-03-06T10:00:00Z') });
	await db.insert(enrollments).values({ email: 'reader@example.com', lesson: 3, nextAt: thursday });

	const copy = await restored(await archived());
	const nextWeek = new Date(thursday.getTime() + 7 * DAY);
	expect((await createIssue(copy, nextWeek))?.posts).toMatchObject([{ title: 'New since' }]);
	expect(await queueLessons(copy, nextWeek)).toBe(1);
	expect(await copy.select().from(enrollments)).toMatchObject([{ lesson: 4 }]);
	expect(await copy.select().from(outbox).where(eq(outbox.kind, 'lesson'))).toMatchObject([
		{ recipient: 'reader@example.com' },
	]);
	copy.$client.close();
});

test('an archive of version 1, as the release of 2026-11-24 made it, is restored by this one', async () => {
	const file = 'tests/support/archive-v1.zip';
	const copy = await restored(resolve(file));
	const archive = await Archive.open(resolve(file));
	expect(archive.manifest).toMatchObject({ version: 1, schema: 1795487104728 });
	expect(await archive.secret('correct horse battery')).toBe(
		'a secret of forty characters, or somewhat more',
	);
	archive.close();
	expect(await copy.select().from(posts)).toMatchObject([
		{ id: 'p1', slug: 'a-first-article', content: '<p>Words, “quoted”, and a naïve idea.</p>' },
		{ id: 'p2', published: false, searchedAs: null, related: null, staleAfter: null },
	]);
	expect(await copy.select().from(enrollments)).toMatchObject([{ id: 'e1', lesson: 3 }]);
	expect(await copy.select().from(subscribers)).toMatchObject([
		{ email: 'reader@example.com', active: true },
		{ email: 'left@example.com', active: false },
	]);
	expect((await copy.select().from(media))[0]!.bytes).toEqual(Buffer.from('89504e47', 'hex'));
	expect(await copy.select().from(outbox)).toMatchObject([{ key: '2026-11-19 s1' }]);
	// Its tables are those of this release.
	expect(await schemaOf(copy)).toEqual(await schemaOf(db));
	copy.$client.close();
});

test('a database without the tables of this release is brought up to date first', async () => {
	const empty = await openDb(`file:${path('empty.db')}`);
	await expect(archived(empty)).rejects.toThrow(/npm run db:migrate/);
	expect(await readdir(folder)).not.toContain('site.zip');
	await migrateDb(empty);
	await archived(empty);
	empty.$client.close();
});

test('an archive of a newer format, or of a newer database, is refused', async () => {
	await makePost(db, {});
	const change = async (values: object) => {
		const files = unzipSync(await readFile(path('site.zip')));
		const changed = { ...JSON.parse(strFromU8(files['archive.json']!)), ...values };
		const bytes = strToU8(JSON.stringify(changed));
		const contents = JSON.parse(strFromU8(files['contents.json']!));
		contents.files['archive.json'] = { bytes: bytes.length, sha256: sha256(bytes) };
		const name = path(`${Object.keys(values).join()}.zip`);
		const all = {
			...files,
			'archive.json': bytes,
			'contents.json': strToU8(JSON.stringify(contents)),
		};
		await writeFile(name, zipSync(all));
		return name;
	};
	await archived();
	await expect(restored(await change({ version: 2 }))).rejects.toThrow(/a newer release/);
	for (const schema of [9_999_999_999_999, 0])
		await expect(restored(await change({ schema }))).rejects.toThrow(/another release/);
	await expect(restored(await change({ format: 'another' }))).rejects.toThrow(/no archive of this/);
	expect((await readdir(folder)).filter((name) => name.startsWith('new.db'))).toEqual([]);
});

test('at the desk the same file is made, for the admin alone, and the log tells of it', async () => {
	sealCheaply();
	const admin = await asAdmin(db);
	await makePost(db, { title: 'One' });
	const ask = (input: object, as = admin) =>
		as(makeArchive.path, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify(input),
		});
	expect((await ask({}, fetchApi())).status).toBe(401);
	const refused = await ask({ passphrase: 'short' });
	expect([refused.status, await refused.text()]).toEqual([
		400,
		expect.stringContaining('A passphrase has at least 12 characters.'),
	]);
	const answer = await ask({ passphrase: 'correct horse battery' });
	expect(answer.headers.get('Content-Disposition')).toMatch(/-archive-\d{4}-\d\d-\d\d\.zip"$/);
	expect(answer.headers.get('Cache-Control')).toBe('no-store');
	await writeFile(path('desk.zip'), Buffer.from(await answer.arrayBuffer()));
	const archive = await Archive.open(path('desk.zip'));
	expect(await archive.secret('correct horse battery')).toBe(getSecret());
	expect([archive.count('posts'), archive.count('audit_log')]).toEqual([1, 1]);
	archive.close();
	expect(await db.select().from(auditLog)).toMatchObject([
		{ action: 'archived everything', detail: 'with the secret of the site' },
	]);
});

test('an archive is never restored over what is there, nor written over a file', async () => {
	await makePost(db, {});
	const file = await archived();
	await expect(archived()).rejects.toThrow(/is there already/);
	const copy = await restored(file);
	await intoOneFile(copy);
	copy.$client.close();
	await expect(restored(file)).rejects.toThrow(/--force/);
	const archive = await Archive.open(file);
	const { previousFile } = await restoreArchive(archive, {
		databaseUrl: `file:${path('new.db')}`,
		force: true,
		now: NOW,
	});
	archive.close();
	expect(previousFile).toBe(`${path('new.db')}.20260301123456.before`);
	expect((await readdir(folder)).sort()).toEqual([
		'new.db',
		'new.db.20260301123456.before',
		'site.zip',
	]);
});

test('a file that is cut off, changed or of another program is refused in a sentence', async () => {
	await fillEverything(db);
	const whole = await readFile(await archived());
	const refused = async (bytes: Buffer) => {
		await writeFile(path('bad.zip'), bytes);
		return Archive.open(path('bad.zip')).then(
			(archive) => {
				archive.close();
				return archive;
			},
			(error: Error) => {
				expect([error.name, error.message]).toEqual([
					'ArchiveError',
					expect.stringContaining(path('bad.zip')),
				]);
				return undefined;
			},
		);
	};
	for (let tenth = 0; tenth < 10; tenth++)
		expect(await refused(whole.subarray(0, (tenth * whole.length) / 10))).toBeUndefined();
	expect(await refused(whole.subarray(0, -1))).toBeUndefined();
	expect(await refused(Buffer.from('This is a letter.'))).toBeUndefined();
	expect(await refused(await readFile('tests/api/archive.test.ts'))).toBeUndefined();
	// Every bit that says something is one that is checked: what opens nevertheless holds the same.
	const contents = JSON.stringify((await refused(whole))!.contents);
	let caught = 0;
	for (let at = 0; at < whole.length; at += 211) {
		const flipped = Buffer.from(whole);
		flipped[at]! ^= 1 << (at % 8);
		const opened = await refused(flipped);
		if (opened) expect(JSON.stringify(opened.contents)).toBe(contents);
		else caught++;
	}
	expect(caught).toBeGreaterThan(whole.length / 211 / 2);
});

test('a row of more than 16 MB is refused by its place, by who writes it and by who reads it', async () => {
	const MB = 1024 * 1024;
	// A server holds none that are as long.
	const large = await openDb(`file:${path('large.db')}`);
	onTestFinished(() => large.$client.close());
	await migrateDb(large);
	await makePost(large, { id: 'small' });
	const long = await makePost(large, { id: 'long' });
	const fill = (bytes: number) =>
		large
			.update(posts)
			.set({ content: 'x'.repeat(bytes) })
			.where(eq(posts.id, long.id));
	await fill(15 * MB);
	const file = await archived(large);
	(await Archive.open(file)).close();
	await fill(17 * MB);
	const sentence = /^Row 2 of (.+) has more than 16 MB, which is more than an archive may have\.$/;
	await expect(archived(large, 'long.zip')).rejects.toThrow(sentence);
	expect(await readdir(folder)).not.toContain('long.zip');
	const files = unzipSync(await readFile(file));
	const name = 'tables/posts.jsonl';
	const grown = strFromU8(files[name]!).replace('xxx', 'x'.repeat(3 * MB));
	files[name] = strToU8(grown);
	const contents = JSON.parse(strFromU8(files['contents.json']!)) as Contents;
	Object.assign(contents.files[name]!, { bytes: files[name].length, sha256: sha256(files[name]) });
	files['contents.json'] = strToU8(JSON.stringify(contents));
	await writeFile(path('grown.zip'), zipSync(files));
	await expect(Archive.open(path('grown.zip'))).rejects.toThrow(sentence);
	await expect(Archive.open(path('grown.zip'))).rejects.toThrow(`${name} in ${path('grown.zip')}`);
}, 60_000);
