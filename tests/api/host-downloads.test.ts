import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { migrateDb, openDb } from '#db/local.ts';
import { categories, posts } from '#db/schema.ts';
import { UPGRADES } from '#src/features/downloads/download.ts';
import { downloadsFolder, readManifest } from '#src/features/downloads/downloads.server.ts';
import { DownloadQueue } from '#src/build/downloads.ts';

test('a process of its own makes the downloads of the database as it is at the last request', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'host-downloads-'));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	const url = `file:${join(folder, 'site.db')}`;
	vi.stubEnv('DATABASE_URL', url);
	onTestFinished(() => void vi.unstubAllEnvs());
	const db = await openDb(url);
	onTestFinished(() => db.$client.close());
	await migrateDb(db);
	await db.insert(categories).values([{ id: 'c1', name: 'Vision', slug: 'computer-vision' }]);
	const post = {
		author: 'Groundtruth',
		categoryId: 'c1',
		published: true,
		content: '<p>Text.</p>',
	};
	await db.insert(posts).values([{ ...post, title: 'First', slug: 'first' }]);

	const queue = new DownloadQueue();
	const first = queue.request();
	await db.insert(posts).values([{ ...post, title: 'Second', slug: 'second' }]);
	const second = queue.request();
	expect(queue.request()).toBe(second);
	expect(await first).toBe(true);
	const before = await readManifest(downloadsFolder(url));
	await second;
	const after = await readManifest(downloadsFolder(url));
	expect(Object.keys(after).sort()).toEqual([...UPGRADES].sort());
	expect(await readdir(downloadsFolder(url))).toEqual(
		expect.arrayContaining(Object.values(after).map(({ file }) => file)),
	);
	// Which of both the first process saw is not told; the last one saw both posts.
	expect({ ...before, pdf: after.pdf }).toEqual(after);

	queue.stop();
	await queue.request();
	expect(await readManifest(downloadsFolder(url))).toEqual(after);
}, 300_000);

test('downloads that cannot be made are told of', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'host-downloads-'));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	// No database: a folder.
	vi.stubEnv('DATABASE_URL', `file:${folder}`);
	expect(await new DownloadQueue().request()).toBe(false);
}, 60_000);
