import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { link, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { migrateDb, openDb } from '#db/local.ts';
import { builds } from '#db/schema.ts';
import {
	BuildQueue,
	currentBuild,
	currentVersion,
	buildDir,
	siteFolder,
	isLocked,
	withLock,
	activateBuild,
} from '#src/build/builds.ts';
import { setMeta } from '#src/core/meta.server.ts';
import { prepareFiles } from '#src/build/site-files.ts';
import { setEnv } from '#src/lib/env.ts';

let folder: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'builds-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('two databases have two folders, and one has always the same', () => {
	expect(siteFolder('file:/a/site.db')).toBe(siteFolder('file:/a/site.db'));
	expect(siteFolder('file:/a/site.db')).not.toBe(siteFolder('file:/b/site.db'));
	expect(siteFolder('https://db.example')).toMatch(/db\.example-\w{8}$/);
});

test('publishing swaps the build and keeps what may still be served: the one before, and fresh ones', async () => {
	expect(await currentBuild(folder)).toBeUndefined();
	expect(await currentVersion(folder)).toBeUndefined();
	const old = new Date(Date.now() - 61_000);
	const versions = new Set<string | undefined>();
	for (const id of ['one', 'two', 'failed', 'fresh', 'three', 'four']) {
		await mkdir(buildDir(folder, id), { recursive: true });
		if (id !== 'fresh') await utimes(buildDir(folder, id), old, old);
		if (id !== 'failed')
			await activateBuild(folder, { id, fingerprint: `of ${id}`, files: {}, pages: {} });
		versions.add(await currentVersion(folder));
	}
	expect(await currentBuild(folder)).toMatchObject({ id: 'four', fingerprint: 'of four' });
	expect((await readdir(join(folder, 'builds'))).sort()).toEqual(['four', 'fresh', 'three']);
	expect(versions.size).toBe(5);
});

test('a current build that somebody removed is none', async () => {
	await mkdir(buildDir(folder, 'one'), { recursive: true });
	await activateBuild(folder, { id: 'one', fingerprint: '', files: {}, pages: {} });
	await rm(buildDir(folder, 'one'), { recursive: true });
	expect(await currentBuild(folder)).toBeUndefined();
});

test('only one build works in a folder at a time, also after one that failed', async () => {
	let working = 0;
	const work = async (fails: boolean) => {
		expect(++working).toBe(1);
		expect(await isLocked(folder, 'build')).toBe(true);
		await new Promise((resolve) => setTimeout(resolve, 20));
		working--;
		if (fails) throw new Error('failed');
		return 'done';
	};
	const all = [false, true, false].map((fails) => withLock(folder, 'build', () => work(fails)));
	const outcomes = await Promise.allSettled(all);
	expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
	expect(await isLocked(folder, 'build')).toBe(false);
});

test('work of another name goes on beside it', async () => {
	const inside = withLock(folder, 'build', () => withLock(folder, 'downloads', async () => 'both'));
	expect(await inside).toBe('both');
});

test('a process that holds a lock keeps others out, and lets go however it ends', async () => {
	const code = `import { withLock } from '#src/build/builds.ts';
		await withLock(${JSON.stringify(folder)}, 'build', async () => {
			console.log('held');
			await new Promise((resolve) => setTimeout(resolve, 60_000));
		});`;
	const holder = spawn(process.execPath, ['--input-type=module', '-e', code]);
	await once(holder.stdout, 'data');
	expect(await isLocked(folder, 'build')).toBe(true);
	let isIn = false;
	const waiting = withLock(folder, 'build', async () => (isIn = true));
	await new Promise((resolve) => setTimeout(resolve, 250));
	expect(isIn).toBe(false);
	holder.kill('SIGKILL');
	expect(await waiting).toBe(true);
});

test('a build whose end cannot be recorded holds no lock, and the next one takes what it had taken', async () => {
	const url = `file:${join(folder, 'queue.db')}`;
	vi.stubEnv('DATABASE_URL', url);
	vi.stubEnv('SECRET', 'x'.repeat(40));
	setEnv();
	const site = siteFolder(url);
	const db = await openDb(url);
	await migrateDb(db);
	// So that each build fails, and quickly.
	await setMeta(db, 'built_posts', '1');
	await db.insert(builds).values({ id: 'b1', state: 'queued', cause: '', requestedAt: new Date() });
	let isAway = true;
	const flaky = new Proxy(db, {
		get(target, key) {
			if (isAway && key === 'update') throw new Error('The database is away.');
			return Reflect.get(target, key) as unknown;
		},
	});
	const told = vi.spyOn(console, 'error').mockImplementation(() => {});
	const onEnd = vi.fn();
	const queue = new BuildQueue(flaky, {
		serveCurrent: async () => {},
		onProgress: () => {},
		onEnd,
	});
	try {
		const both = [queue.request(), queue.request()];
		await both[0];
		expect(onEnd).toHaveBeenCalledTimes(1);
		expect(told).toHaveBeenCalledWith(
			'How the build ended could not be recorded.',
			expect.anything(),
		);
		isAway = false;
		await both[1];
		expect(onEnd).toHaveBeenCalledTimes(2);
		expect(queue.status.state).toBe('failed');
		expect(await db.select({ state: builds.state }).from(builds)).toEqual([{ state: 'failed' }]);
		expect(await isLocked(site, 'build')).toBe(false);
	} finally {
		queue.stop();
		vi.unstubAllEnvs();
		setEnv();
		db.$client.close();
		await rm(site, { recursive: true, force: true });
	}
});

test('what an earlier build has compressed is not compressed again', async () => {
	const [before, after] = [join(folder, 'before'), join(folder, 'after')];
	const page = (title: string) => `<h1>${title}</h1>${'<p>Words.</p>'.repeat(300)}`;
	for (const [dir, title] of [
		[before, 'Old'],
		[after, 'New'],
	] as const) {
		await mkdir(dir);
		await writeFile(join(dir, 'same.html'), page('Same'));
		await writeFile(join(dir, 'changed.html'), page(title));
		await writeFile(join(dir, 'small.html'), title);
	}
	const old = new Date('2026-01-01');
	await utimes(join(before, 'same.html'), old, old);
	const files = await prepareFiles(before);
	const next = await prepareFiles(after, { dir: before, files });
	expect(next['/same.html']).toEqual(files['/same.html']);
	expect(next['/same.html']!.modified).toBe(old.getTime());
	expect(next['/changed.html']!.hash).not.toBe(files['/changed.html']!.hash);
	expect(next['/small.html']).not.toHaveProperty('br');
	const inode = async (path: string) => (await stat(path)).ino;
	expect(await inode(join(after, 'same.html.br'))).toBe(await inode(join(before, 'same.html.br')));
	expect(await inode(join(after, 'changed.html.gz'))).not.toBe(
		await inode(join(before, 'changed.html.gz')),
	);
});

test('pages are compressed well as long as nobody waits for it', async () => {
	const text = Array.from({ length: 3000 }, (_, i) => `<p>${(i * 7919) % 613}</p>`).join('');
	for (const name of ['one', 'other']) await writeFile(join(folder, `${name}.html`), text);
	const sizes = async (finePages?: number) =>
		Object.values(await prepareFiles(folder, undefined, finePages)).map(({ br }) => br!);
	const [fine] = await sizes();
	expect(await sizes()).toEqual([fine, fine]);
	const some = await sizes(1);
	expect(Math.min(...some)).toBe(fine);
	expect(Math.max(...some)).toBeGreaterThan(fine!);
});

test('a compressed file that an earlier build has lost is made again', async () => {
	const [before, after, linked] = ['before', 'after', 'linked'].map((name) => join(folder, name));
	const text = '<p>Words.</p>'.repeat(300);
	for (const dir of [before!, after!, linked!]) await mkdir(dir);
	await writeFile(join(before!, 'page.html'), text);
	await writeFile(join(after!, 'page.html'), text);
	await link(join(before!, 'page.html'), join(linked!, 'page.html'));
	const files = await prepareFiles(before!);
	await rm(join(before!, 'page.html.gz'));
	for (const dir of [after!, linked!]) {
		const { br, gz, hash } = (await prepareFiles(dir, { dir: before!, files }))['/page.html']!;
		expect(hash).toBe(files['/page.html']!.hash);
		expect((await stat(join(dir, 'page.html.br'))).size).toBe(br);
		expect((await stat(join(dir, 'page.html.gz'))).size).toBe(gz);
		expect((await stat(join(dir, 'page.html.br'))).nlink).toBe(1);
	}
});
