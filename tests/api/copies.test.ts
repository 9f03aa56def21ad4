import { fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Db } from '#db/client.ts';
import { migrateDb, openDb } from '#db/local.ts';
import { outbox, posts, users } from '#db/schema.ts';
import { failedCopyEmail, getCopyReport } from '#src/core/copies/copies.server.ts';
import { copiesFolder, copyIfDue, latestCopy, listCopies } from '#src/cli/copies.ts';
import { inspectCopy, restore } from '#src/cli/backup.ts';
import { makePost, makeSubscriber } from '#tests/support/factories.ts';

const NOW = new Date('2026-03-01T12:34:56Z');
let folder: string;
let copies: string;
let url: string;
let db: Db;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'copies-'));
	url = `file:${join(folder, 'site.db')}`;
	copies = copiesFolder(url);
	db = await openDb(url);
	await migrateDb(db);
	await makePost(db, { title: 'One' });
	await db.insert(users).values({ email: 'owner@example.com', username: 'owner', password: 'x' });
});
afterEach(async () => {
	db.$client.close();
	await rm(folder, { recursive: true, force: true });
});

const copy = (now = NOW) => copyIfDue(db, { databaseUrl: url, folder: copies, hour: 3, now });
const names = async () => (await readdir(copies)).filter((name) => name.endsWith('.db'));
const after = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);

test('a copy is made once a night, for its owner alone, and one that was missed is made up for', async () => {
	const first = await copy();
	expect(first).toBe(join(folder, 'site.backups', 'site-2026-03-01-123456.db'));
	expect((await stat(copies)).mode & 0o77).toBe(0);
	expect(await getCopyReport(db)).toMatchObject({
		last: { at: NOW.toISOString(), file: first, counts: expect.stringContaining('1 post,') },
		kept: 1,
		failure: null,
	});
	expect(await copy(after(1))).toBeUndefined();
	expect(await copy(after(14))).toBeUndefined();
	expect(await copy(after(15))).toMatch(/site-2026-03-02-033456\.db$/);
	expect(await names()).toHaveLength(2);
});

test('what expires is deleted, and nothing else that lies in the folder', async () => {
	for (let night = 0; night < 12; night++) await copy(after(24 * night));
	expect(await names()).toHaveLength(8);
	// Each has its digest beside it, and no digest is left alone.
	expect(await readdir(copies)).toHaveLength(16);
	const others = ['site-2020-01-01-000000.db.gz', 'other-2020-01-01-000000.db', 'notes.txt'];
	for (const name of others) await writeFile(join(copies, name), 'kept');
	await copy(after(24 * 12));
	expect(await readdir(copies)).toEqual(expect.arrayContaining(others));
});

test('a failure is told once a day, deletes no copy, and is forgotten with the next good one', async () => {
	const good = (await copy())!;
	// A page in the middle of the file is overwritten, as a bad disk does.
	await db.run(sql`pragma wal_checkpoint(truncate)`);
	const file = await open(join(folder, 'site.db'), 'r+');
	const { size } = await file.stat();
	const before = Buffer.alloc(size);
	await file.read(before, 0, size, 0);
	for (let page = 2; page < size / 4096; page += 3)
		await file.write(Buffer.alloc(512, 0x5a), 0, 512, page * 4096 + 8);
	vi.spyOn(console, 'error').mockImplementation(() => {});
	db.$client.close();
	const damaged = await openDb(url).catch(() => undefined);
	damaged?.$client.close();
	// A copy that is opened is no longer what was written.
	await copyFile(good, join(folder, 'report.db'));
	const report = await openDb(`file:${join(folder, 'report.db')}`);
	for (const hours of [24, 25]) {
		await expect(
			copyIfDue(report, { databaseUrl: url, folder: copies, hour: 3, now: after(hours) }),
		).rejects.toThrow();
	}
	expect(await readdir(copies)).toContain('site-2026-03-01-123456.db');
	expect((await readdir(copies)).filter((name) => name.includes('2026-03-02'))).toEqual([]);
	const emails = await report.select().from(outbox).where(eq(outbox.kind, 'copy'));
	expect(emails).toMatchObject([{ recipient: 'owner@example.com' }]);
	expect(failedCopyEmail(emails[0]!.payload as never).title).toBe(
		'The database could not be copied',
	);
	expect((await getCopyReport(report)).failure).toMatchObject({ at: after(25).toISOString() });
	report.$client.close();
	await file.write(before, 0, size, 0);
	await file.close();
	db = await openDb(url);
	await copy(after(26));
	expect((await getCopyReport(db)).failure).toBeNull();
});

test('the newest whole copy is restored, not a damaged one', async () => {
	const first = (await copy())!;
	await makePost(db, { title: 'Two' });
	const second = (await copy(after(24)))!;
	const file = await open(second, 'r+');
	await file.truncate(5000);
	await file.close();
	const told = vi.spyOn(console, 'error').mockImplementation(() => {});
	expect(await latestCopy(url, copies)).toBe(first);
	expect(told).toHaveBeenCalledOnce();
	const other = `file:${join(folder, 'other.db')}`;
	await restore(other, first, { force: false, now: NOW });
	const restored = await openDb(other);
	expect(await restored.$count(posts)).toBe(1);
	restored.$client.close();
});

test(
	'killed at ten moments, the process leaves whole copies only',
	{ tags: ['nightly'], timeout: 120_000 },
	async () => {
		const first = (await copy())!;
		// Large enough to be copied for a while.
		for (let count = 0; count < 40; count++) await makeSubscriber(db);
		await db.run(sql`insert into contact_messages (id, name, email, topic, message)
		with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
		select 'm' || i, 'Ada', 'ada@example.com', 'Other', printf('%.2000c', 'x') from n`);
		const unfinished = async () => {
			const names = await readdir(copies);
			const part = names.find((name) => name.endsWith('.part'));
			return part ? (await stat(join(copies, part)).catch(() => ({ size: 0 }))).size : -1;
		};
		const start = () => {
			const hour = (new Date().getUTCHours() + 23) % 24;
			const child = fork('src/cli/copies.ts', {
				env: { ...process.env, DATABASE_URL: url, BACKUP_HOUR: String(hour) },
				stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
			});
			return { child, closed: once(child, 'close') };
		};
		const { size } = await stat(join(folder, 'site.db'));
		let interrupted = 0;
		for (let moment = 0; moment < 10; moment++) {
			const { child, closed } = start();
			let isClosed = false;
			void closed.then(() => (isClosed = true));
			while (!isClosed && (await unfinished()) < (moment / 10) * size) await sleep(1);
			child.kill('SIGKILL');
			await closed;
			if ((await unfinished()) >= 0) interrupted++;
			const all = await listCopies(url, copies);
			for (const { file } of all) await inspectCopy(file);
			expect(all.at(-1)!.file).toBe(first);
			for (const { file } of all.slice(0, -1)) await rm(file);
		}
		expect(interrupted).toBeGreaterThan(0);
		await start().closed;
		expect((await readdir(copies)).filter((name) => !/\.db(\.sha256)?$/.test(name))).toEqual([]);
		expect(await names()).toHaveLength(2);
		expect(await latestCopy(url, copies)).not.toBe(first);
	},
);
