import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Db } from '#db/client.ts';
import { migrateDb, openDb } from '#db/local.ts';
import { outbox, posts, users } from '#db/schema.ts';
import { restore } from '#src/cli/backup.ts';
import { bucketOf } from '#src/cli/bucket.ts';
import {
	copiesFolder,
	copyIfDue,
	fetchLatestCopy,
	latestCopy,
	proveCopy,
} from '#src/cli/copies.ts';
import { failedCopyEmail, getCopyReport } from '#src/core/copies/copies.server.ts';
import { parseEnv } from '#src/lib/env.ts';
import { sealCheaply } from '#tests/support/cheap-seals.ts';
import { makePost } from '#tests/support/factories.ts';
import { KEYS, startS3, type S3 } from '#tests/support/s3.ts';

// As a busy machine needs.
vi.setConfig({ testTimeout: 60_000 });

const NOW = new Date('2026-03-01T12:34:56Z');
let folder: string;
let copies: string;
let databaseUrl: string;
let db: Db;
let s3: S3;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'uploads-'));
	databaseUrl = `file:${join(folder, 'site.db')}`;
	copies = copiesFolder(databaseUrl);
	db = await openDb(databaseUrl);
	await migrateDb(db);
	await makePost(db, { title: 'One' });
	await db.insert(users).values({ email: 'owner@example.com', username: 'owner', password: 'x' });
	s3 = await startS3();
});
afterEach(async () => {
	db.$client.close();
	await rm(folder, { recursive: true, force: true });
});

const env = () => ({
	...KEYS,
	BACKUP_S3_URL: `${s3.url}/my%20site`,
	BACKUP_PASSPHRASE: 'correct horse battery',
});
const bucket = (over = {}) => bucketOf(parseEnv({ ...env(), ...over }))!;
const copy = (now = NOW, to = bucket()) =>
	copyIfDue(db, { databaseUrl, folder: copies, hour: 3, now, bucket: to });
const after = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);

test('each copy is uploaded sealed, as many are kept there as here, and one comes back whole', async () => {
	sealCheaply();
	for (let night = 0; night < 10; night++) await copy(after(24 * night));
	const here = (await readdir(copies)).filter((name) => name.endsWith('.db'));
	expect([...s3.objects.keys()].sort()).toEqual(
		here.map((name) => `my site/${name}.sealed`).sort(),
	);
	for (const bytes of s3.objects.values()) expect(bytes.includes('SQLite format')).toBe(false);
	const { uploaded, uploadFailure } = await getCopyReport(db);
	expect([uploaded, uploadFailure]).toMatchObject([
		{ kept: here.length, at: after(216).toISOString() },
		null,
	]);

	// Another machine has nothing but the storage.
	const elsewhere = join(folder, 'elsewhere');
	const file = (await fetchLatestCopy(databaseUrl, elsewhere, bucket()))!;
	expect(await readFile(file)).toEqual(await readFile(join(copies, here.sort().at(-1)!)));
	const target = `file:${join(folder, 'other.db')}`;
	await restore(target, file, { force: false, now: NOW });
	const restored = await openDb(target);
	expect(await restored.$count(posts)).toBe(1);
	restored.$client.close();
});

test('what storage refuses is told, tried again within the hour, and costs no copy', async () => {
	sealCheaply();
	const wrong = bucket({ BACKUP_S3_SECRET_KEY: 'another' });
	await expect(copy(NOW, wrong)).rejects.toThrow(/status 403: SignatureDoesNotMatch it is/);
	expect(await latestCopy(databaseUrl, copies)).toMatch(/site-2026-03-01-123456\.db$/);
	await expect(copy(after(1), wrong)).rejects.toThrow(/403/);
	const emails = await db.select().from(outbox).where(eq(outbox.kind, 'copy'));
	expect(emails).toMatchObject([{ recipient: 'owner@example.com' }]);
	expect(failedCopyEmail(emails[0]!.payload as never).title).toBe(
		'The copy of the database could not be uploaded',
	);
	const report = await getCopyReport(db);
	expect([report.failure, report.uploadFailure]).toMatchObject([
		null,
		{ at: after(1).toISOString() },
	]);
	expect(await copy(after(2))).toBeUndefined();
	expect((await getCopyReport(db)).uploadFailure).toBeNull();
	expect(s3.objects.size).toBe(1);
	// Nothing half of it is left.
	expect((await readdir(copies)).filter((name) => name.includes('sealed'))).toEqual([]);
});

test('of what was changed or cut off in storage nothing is restored', async () => {
	sealCheaply();
	await copy();
	await copy(after(24));
	const [older, newer] = [...s3.objects.keys()].sort() as [string, string];
	const whole = s3.objects.get(newer)!;
	const told = vi.spyOn(console, 'error').mockImplementation(() => {});
	const elsewhere = join(folder, 'elsewhere');
	const flipped = Buffer.from(whole);
	flipped[whole.length >> 1]! ^= 4;
	for (const bad of [
		flipped,
		whole.subarray(0, -9),
		whole.subarray(0, 30),
		Buffer.from('Hello.'),
	]) {
		s3.objects.set(newer, bad);
		const file = await fetchLatestCopy(databaseUrl, elsewhere, bucket());
		expect(`my site/${file!.slice(elsewhere.length + 1)}.sealed`).toBe(older);
		expect((await readdir(elsewhere)).filter((name) => /part$/.test(name))).toEqual([]);
		await rm(elsewhere, { recursive: true });
	}
	expect(told).toHaveBeenCalledTimes(4);
	expect(
		await fetchLatestCopy(
			databaseUrl,
			elsewhere,
			bucket({ BACKUP_PASSPHRASE: 'another passphrase' }),
		),
	).toBeUndefined();
});

test('a copy that a disk has changed since is put aside and told of, and never restored', async () => {
	sealCheaply();
	const first = (await copy())!;
	const bytes = await readFile(first);
	// In the middle of a text, where no check of SQLite looks.
	const at = bytes.indexOf('<p>Words.</p>');
	bytes[at + 4]! ^= 1;
	await writeFile(first, bytes);
	await expect(proveCopy(first)).rejects.toThrow(/is damaged: it is not what was written/);
	vi.spyOn(console, 'error').mockImplementation(() => {});
	expect(await latestCopy(databaseUrl, copies)).toBeUndefined();
	// Nor one of another program.
	await writeFile(join(copies, 'site-2026-02-28-030000.db'), 'Quite another program wrote this.');
	const second = await copy(after(24));
	expect((await readdir(copies)).filter((name) => name.endsWith('.damaged')).sort()).toEqual([
		'site-2026-02-28-030000.db.damaged',
		'site-2026-03-01-123456.db.damaged',
	]);
	expect((await getCopyReport(db)).failure?.reason).toMatch(
		/older ones are damaged and were put aside: site-2026-03-01-123456\.db, site-2026-02-28-030000\.db/,
	);
	expect(await db.select().from(outbox).where(eq(outbox.kind, 'copy'))).toHaveLength(1);
	expect(await latestCopy(databaseUrl, copies)).toBe(second);
	await copy(after(48));
	expect((await getCopyReport(db)).failure).toBeNull();
});

test(
	'killed at ten moments of an upload, storage has whole copies only, and the next one makes up for it',
	{ tags: ['nightly'], timeout: 120_000 },
	async () => {
		const hour = (new Date().getUTCHours() + 23) % 24;
		let moment = 0;
		/** Kills the process in the middle of its requests: of each kind, before it is answered and after. */
		const moments: [string, boolean][] = ['PUT', 'HEAD', 'GET'].flatMap((method) => [
			[method, true],
			[method, false],
		]);
		for (; moment < 10; moment++) {
			const [method, isBefore] = moments[moment % moments.length]!;
			const child = fork('src/cli/copies.ts', {
				env: { ...process.env, ...env(), DATABASE_URL: databaseUrl, BACKUP_HOUR: String(hour) },
				stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
			});
			const closed = once(child, 'close');
			s3.before = (asked) => {
				if (asked !== method) return;
				if (isBefore) {
					child.kill('SIGKILL');
					return closed.then(() => 503);
				}
				setImmediate(() => child.kill('SIGKILL'));
				return undefined;
			};
			await closed;
			s3.before = () => {};
			await proveCopy((await latestCopy(databaseUrl, copies))!);
			const elsewhere = join(folder, `elsewhere-${moment}`);
			if (s3.objects.size > 0)
				expect(await fetchLatestCopy(databaseUrl, elsewhere, bucket())).toBeDefined();
		}
		await copyIfDue(db, { databaseUrl, folder: copies, hour, now: new Date(), bucket: bucket() });
		expect((await getCopyReport(db)).uploadFailure).toBeNull();
		expect(s3.objects.size).toBe(1);
		expect((await readdir(copies)).filter((name) => /part$/.test(name))).toEqual([]);
	},
);
