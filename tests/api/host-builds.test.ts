import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { currentBuild, dirOf, folderOf, locked, publish } from '#src/host/builds.ts';
import { prepareFiles } from '#src/host/site-files.ts';

let folder: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'builds-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('two databases have two folders, and one has always the same', () => {
	expect(folderOf('file:/a/site.db')).toBe(folderOf('file:/a/site.db'));
	expect(folderOf('file:/a/site.db')).not.toBe(folderOf('file:/b/site.db'));
	expect(folderOf('https://db.example')).toMatch(/db\.example-\w{8}$/);
});

test('publishing swaps the build and keeps the one before, for requests in flight', async () => {
	expect(await currentBuild(folder)).toBeUndefined();
	for (const id of ['one', 'two', 'failed', 'three']) {
		await mkdir(dirOf(folder, id), { recursive: true });
		if (id !== 'failed')
			await publish(folder, { id, fingerprint: `of ${id}`, files: {}, pages: {} });
	}
	expect(await currentBuild(folder)).toMatchObject({ id: 'three', fingerprint: 'of three' });
	expect((await readdir(join(folder, 'builds'))).sort()).toEqual(['three', 'two']);
});

test('a current build that somebody removed is none', async () => {
	await mkdir(dirOf(folder, 'one'), { recursive: true });
	await publish(folder, { id: 'one', fingerprint: '', files: {}, pages: {} });
	await rm(dirOf(folder, 'one'), { recursive: true });
	expect(await currentBuild(folder)).toBeUndefined();
});

test('only one build works in a folder at a time, also after one that failed', async () => {
	let working = 0;
	const work = async (fails: boolean) => {
		expect(++working).toBe(1);
		await new Promise((resolve) => setTimeout(resolve, 20));
		working--;
		if (fails) throw new Error('failed');
		return 'done';
	};
	// A process may hold its own lock only once, so others are played by a file with a living process.
	await writeFile(join(folder, 'lock'), String(process.ppid));
	const waiting = locked(folder, () => work(false));
	await new Promise((resolve) => setTimeout(resolve, 250));
	expect(working).toBe(0);
	await rm(join(folder, 'lock'));
	expect(await waiting).toBe('done');
	await expect(locked(folder, () => work(true))).rejects.toThrow('failed');
	expect(await locked(folder, () => work(false))).toBe('done');
});

test('the lock of a dead process is taken over, and one that nobody refreshes', async () => {
	await writeFile(join(folder, 'lock'), '2147483646');
	expect(await locked(folder, async () => 'taken')).toBe('taken');
	await writeFile(join(folder, 'lock'), String(process.ppid));
	const old = new Date(Date.now() - 120_000);
	await utimes(join(folder, 'lock'), old, old);
	expect(await locked(folder, async () => 'taken')).toBe('taken');
	expect(await readdir(folder)).toEqual([]);
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
