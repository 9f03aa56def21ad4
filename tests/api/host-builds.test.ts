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
	isHeld,
	keptBuilds,
	release,
	removeOldBuilds,
	rollBack,
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

/** Makes a build of one file and serves it. Builds follow each other by the minute. */
async function publish(id: string, minute: number, erasedAt?: number) {
	await mkdir(buildDir(folder, id), { recursive: true });
	const made = { id, madeAt: minute * 60_000, cause: `for ${id}`, fingerprint: `of ${id}` };
	const build = { ...made, files: {}, pages: { 'index.html': null } };
	const before = await currentBuild(folder);
	await activateBuild(folder, build);
	await removeOldBuilds(folder, [id, before?.id ?? id], erasedAt);
	// As if that was some time ago: fresh ones stay.
	const old = new Date(Date.now() - 61_000);
	await utimes(buildDir(folder, id), old, old);
}
const stored = async () => (await readdir(join(folder, 'builds'))).sort();

test('publishing swaps the build and keeps the last ten, the one before, and fresh ones', async () => {
	expect(await currentBuild(folder)).toBeUndefined();
	expect(await currentVersion(folder)).toBeUndefined();
	const old = new Date(Date.now() - 61_000);
	for (const id of ['failed', 'fresh']) await mkdir(buildDir(folder, id), { recursive: true });
	await utimes(buildDir(folder, 'failed'), old, old);
	const versions = new Set<string | undefined>();
	for (let minute = 10; minute < 22; minute++) {
		await publish(`b${minute}`, minute);
		versions.add(await currentVersion(folder));
	}
	expect(await currentBuild(folder)).toMatchObject({ id: 'b21', fingerprint: 'of b21' });
	const lastTen = Array.from({ length: 10 }, (_, index) => `b${index + 12}`);
	expect(await stored()).toEqual([...lastTen, 'fresh']);
	expect((await keptBuilds(folder)).map(({ id }) => id)).toEqual(lastTen.toReversed());
	expect(versions.size).toBe(12);
});

test('the site goes back to a kept build in one step, and stays there until it is released', async () => {
	for (let minute = 1; minute < 4; minute++) await publish(`b${minute}`, minute);
	const version = await currentVersion(folder);
	expect(await rollBack(folder, 'b9')).toBeUndefined();
	expect(await isHeld(folder)).toBe(false);
	expect(await rollBack(folder, 'b1')).toMatchObject({ id: 'b1', cause: 'for b1' });
	expect(await currentBuild(folder)).toMatchObject({ id: 'b1' });
	expect(await currentVersion(folder)).not.toBe(version);
	// Twice is the same, and leaves nothing behind.
	await rollBack(folder, 'b1');
	expect((await readdir(folder)).filter((name) => name.startsWith('current'))).toEqual(['current']);
	// A build that began before is not shown.
	await expect(publish('b4', 4)).rejects.toThrow('put back to an earlier build');
	expect(await currentBuild(folder)).toMatchObject({ id: 'b1' });
	await release(folder);
	await publish('b5', 5);
	expect(await currentBuild(folder)).toMatchObject({ id: 'b5' });
});

test('there is no way back to what readers have erased since', async () => {
	for (let minute = 1; minute < 4; minute++) await publish(`b${minute}`, minute);
	const erased = 2.5 * 60_000;
	expect((await keptBuilds(folder, erased)).map(({ id }) => id)).toEqual(['b3']);
	expect(await rollBack(folder, 'b2', erased)).toBeUndefined();
	await publish('b4', 4, erased);
	// The one before may still be served by another process.
	expect(await stored()).toEqual(['b3', 'b4']);
});

test('a description that was cut off, or none, is no build to go back to', async () => {
	for (const id of ['b1', 'b2', 'b3']) await publish(id, Number(id[1]));
	await writeFile(join(buildDir(folder, 'b1'), '.build.json'), '{"id":"b1",');
	await rm(join(buildDir(folder, 'b2'), '.build.json'));
	expect((await keptBuilds(folder)).map(({ id }) => id)).toEqual(['b3']);
});

test('a current build that somebody removed is none', async () => {
	await publish('one', 1);
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
	const next = await prepareFiles(after, { earlier: { dir: before, files } });
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
		Object.values(await prepareFiles(folder, { finePages })).map(({ br }) => br!);
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
		const { br, gz, hash } = (await prepareFiles(dir, { earlier: { dir: before!, files } }))[
			'/page.html'
		]!;
		expect(hash).toBe(files['/page.html']!.hash);
		expect((await stat(join(dir, 'page.html.br'))).size).toBe(br);
		expect((await stat(join(dir, 'page.html.gz'))).size).toBe(gz);
		expect((await stat(join(dir, 'page.html.br'))).nlink).toBe(1);
	}
});
