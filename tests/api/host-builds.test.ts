import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { migrateDb, openDb } from '#db/local.ts';
import { builds } from '#db/schema.ts';
import { BuildQueue } from '#src/build/build-queue.ts';
import {
	currentBuild,
	currentVersion,
	buildDir,
	siteFolder,
	isLocked,
	withLock,
	activateBuild,
	isHeld,
	keptBuilds,
	openFiles,
	release,
	removeOldBuilds,
	rollBack,
	storeOf,
} from '#src/build/builds.ts';
import { setMeta } from '#src/core/meta.server.ts';
import { FileStore, namesOf } from '#src/build/file-store.ts';
import { Listing, type SiteFile } from '#src/build/listing.ts';
import { reuseFrom, storeFiles } from '#src/build/site-files.ts';
import { MINUTE } from '#src/lib/dates.ts';
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
async function publish(
	id: string,
	minute: number,
	erasedAt?: number,
	parts: string[] = [],
	room?: number,
) {
	await mkdir(buildDir(folder, id), { recursive: true });
	const made = { id, madeAt: minute * 60_000, cause: `for ${id}`, fingerprint: `of ${id}` };
	const before = await currentBuild(folder);
	await activateBuild(folder, { ...made, pageCount: 1, parts });
	await removeOldBuilds(folder, [id, before?.id ?? id], erasedAt, room);
	// As if that was some time ago: fresh ones stay.
	const old = new Date(Date.now() - 61_000);
	for (const one of [id, before?.id ?? id]) await utimes(buildDir(folder, one), old, old);
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

test(
	'a build whose end cannot be recorded holds no lock, and the next one takes what it had taken',
	{ tags: ['nightly'], timeout: 300_000 },
	async () => {
		const url = `file:${join(folder, 'queue.db')}`;
		vi.stubEnv('DATABASE_URL', url);
		vi.stubEnv('SECRET', 'x'.repeat(40));
		setEnv();
		const site = siteFolder(url);
		const db = await openDb(url);
		await migrateDb(db);
		// So that each build fails, and quickly.
		await setMeta(db, 'built_posts', '1');
		await db
			.insert(builds)
			.values({ id: 'b1', state: 'queued', cause: '', requestedAt: new Date() });
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
			serveEarly: async () => {},
			onEnd,
		});
		try {
			const both = [queue.request(), queue.request()];
			expect(queue.resume()).toBe(both[0]);
			await both[0];
			expect(onEnd).toHaveBeenCalledTimes(1);
			expect(told).toHaveBeenCalledWith(
				'How the build ended could not be recorded.',
				expect.anything(),
			);
			isAway = false;
			const last = await both[1];
			expect(onEnd).toHaveBeenCalledTimes(2);
			expect(last?.state).toBe('failed');
			expect(await db.select({ state: builds.state }).from(builds)).toEqual([{ state: 'failed' }]);
			expect(await isLocked(site, 'build')).toBe(false);
			// Starts no process after a failed build: it would fail again.
			await queue.learn();
			expect(onEnd).toHaveBeenCalledTimes(2);
		} finally {
			queue.stop();
			vi.unstubAllEnvs();
			setEnv();
			db.$client.close();
			await rm(site, { recursive: true, force: true });
		}
		// Two processes, which start slowly where much else runs.
	},
);

test('files that no kept build has are removed, and what was left half-written', async () => {
	const store = storeOf(folder);
	const add = await store.open();
	const build = async (minute: number, texts: Record<string, string>) => {
		const entries = Object.entries(texts).map(async ([path, text]): Promise<[string, SiteFile]> => {
			return [path, { ...(await add(path, Buffer.from(text))), modified: 0 }];
		});
		const listing = Listing.of(await Promise.all(entries));
		const parts = await listing.store(async (text) => (await add('', Buffer.from(text))).hash);
		await publish(`b${minute}`, minute, undefined, parts);
	};
	const page = (name: string) => `<p>${name}</p>`.repeat(200);
	for (let minute = 10; minute < 21; minute++) {
		await build(minute, { '/same.html': page('Same'), '/other.html': page(`Other ${minute}`) });
	}
	await writeFile(store.path({ hash: 'cut.br.part' }), 'half');
	await build(21, { '/other.html': page('Other 21') });
	const shown = async (path: string) => {
		const texts = new Map<string, string>();
		for (const build of await keptBuilds(folder)) {
			const { listing, locate } = await openFiles(folder, build);
			const file = listing.get(path);
			if (!file) continue;
			const name = locate(path, file);
			texts.set(build.id, String(await store.read(file)));
			expect([(await stat(`${name}.br`)).size, (await stat(`${name}.gz`)).size]).toEqual([
				file.br,
				file.gz,
			]);
		}
		return texts;
	};
	const lastTen = Array.from({ length: 10 }, (_, index) => 21 - index);
	expect([...(await shown('/other.html'))]).toEqual(
		lastTen.map((minute) => [`b${minute}`, page(`Other ${minute}`)]),
	);
	expect([...(await shown('/same.html')).values()]).toEqual(Array(9).fill(page('Same')));
	// Ten pages, the one they share, and ten lists.
	const names = await readdir(join(folder, 'store'));
	expect(names.filter((name) => !name.includes('.'))).toHaveLength(10);
	expect(names).toHaveLength(10 + 2 * 11);
	expect(names).not.toContain('cut.br.part');
});

test('builds that share files are kept, and those that would take more than their room are not, but three', async () => {
	const kept = async (prefix: string, textOf: (number: number, minute: number) => string) => {
		const add = await storeOf(folder).open({ isCompressed: false });
		for (let minute = 1; minute < 8; minute++) {
			const entries = Array.from({ length: 10 }, async (_, number): Promise<[string, SiteFile]> => {
				const text = textOf(number, minute).padEnd(1000, '.');
				return [`/${number}.html`, { ...(await add('', Buffer.from(text))), modified: 0 }];
			});
			const parts = await Listing.of(await Promise.all(entries)).store(
				async (text) => (await add('', Buffer.from(text))).hash,
			);
			await publish(`${prefix}${minute}`, minute, undefined, parts, 5000);
		}
		return (await keptBuilds(folder)).map(({ id }) => id);
	};
	// One page of ten is another one each time.
	expect(await kept('a', (number, minute) => `${number} ${number === 0 && minute}`)).toHaveLength(
		7,
	);
	await rm(folder, { recursive: true });
	// Each has all of its pages anew: the room is that of two.
	expect(await kept('b', (number, minute) => `b ${number} ${minute}`)).toEqual(['b7', 'b6', 'b5']);
	// Pages and a list of each.
	expect(await readdir(join(folder, 'store'))).toHaveLength(3 * 11);
});

test('of a store from before, what is compressed is served as it is, and the rest goes when no server can read it', async () => {
	const store = storeOf(folder);
	const text = '<p>Words.</p>'.repeat(300);
	await (
		await store.open({ isCompressed: false })
	)('/page.html', Buffer.from(text));
	const add = await store.open();
	const file = await add('/page.html', Buffer.from(text));
	const { mtimeMs } = await stat(`${store.path(file)}.br`);
	expect(await (await store.open())('/page.html', Buffer.from(text))).toEqual(file);
	expect((await stat(`${store.path(file)}.br`)).mtimeMs).toBe(mtimeMs);
	const left = async () => {
		await store.keepOnly(new Set(namesOf(file)));
		return (await readdir(join(folder, 'store'))).sort();
	};
	expect(await left()).toEqual([file.hash, `${file.hash}.br`, `${file.hash}.gz`]);
	vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * MINUTE });
	onTestFinished(() => void vi.useRealTimers());
	expect(await left()).toEqual([`${file.hash}.br`, `${file.hash}.gz`]);
	expect(String(await store.read(file))).toBe(text);
});

test('where the list of a build is lost, no file is removed', async () => {
	const store = storeOf(folder);
	const add = await store.open();
	await add('/page.html', Buffer.from('<p>Page</p>'));
	await publish('b1', 1);
	expect(await readdir(join(folder, 'store'))).toEqual([]);
	const other = await add('/page.html', Buffer.from('<p>Other</p>'));
	await expect(publish('b2', 2, undefined, ['lost'])).rejects.toThrow('ENOENT');
	expect(await readdir(join(folder, 'store'))).toEqual([other.hash]);
});

test('a build that is older than the store is served from its folder, and can be gone back to', async () => {
	const dir = buildDir(folder, 'old');
	await mkdir(dir, { recursive: true });
	await writeFile(join(dir, 'index.html'), '<p>Old</p>');
	const old = {
		...{ id: 'old', madeAt: 1, cause: 'Older', fingerprint: 'of old' },
		files: { '/index.html': { hash: 'h', size: 10, modified: 0 } },
		pages: { 'index.html': null, 'rss.xml': null },
	};
	await writeFile(join(dir, '.build.json'), JSON.stringify(old));
	await writeFile(join(folder, 'current'), JSON.stringify(old));
	const page = async () => {
		const { listing, locate } = await openFiles(folder, (await currentBuild(folder))!);
		const file = listing.get('/index.html');
		return file && readFile(locate('/index.html', file), 'utf8');
	};
	expect(await page()).toBe('<p>Old</p>');
	await publish('new', 2);
	expect(await page()).toBeUndefined();
	expect((await keptBuilds(folder)).map(({ id, pageCount }) => [id, pageCount])).toEqual([
		['new', 1],
		['old', 1],
	]);
	await rollBack(folder, 'old');
	expect(await page()).toBe('<p>Old</p>');
});

test('what an earlier build has compressed is not compressed again', async () => {
	const store = new FileStore(join(folder, 'store'));
	const page = (title: string) => `<h1>${title}</h1>${'<p>Words.</p>'.repeat(300)}`;
	const build = async (title: string, earlier?: Listing) => {
		const dir = join(folder, title);
		await mkdir(dir);
		await writeFile(join(dir, 'same.html'), page('Same'));
		await writeFile(join(dir, 'changed.html'), page(title));
		await writeFile(join(dir, 'small.html'), title);
		if (!earlier) await utimes(join(dir, 'same.html'), old, old);
		return storeFiles(await store.open(), { dir }, { earlier });
	};
	const old = new Date('2026-01-01');
	const before = await build('Old');
	const compressed = `${store.path(before.get('/same.html')!)}.br`;
	const { ino, mtimeMs } = await stat(compressed);
	const after = await build('New', before);
	expect(after.get('/same.html')).toEqual(before.get('/same.html'));
	expect(after.get('/same.html')!.modified).toBe(old.getTime());
	expect(after.get('/changed.html')!.hash).not.toBe(before.get('/changed.html')!.hash);
	expect(after.get('/small.html')).not.toHaveProperty('br');
	expect(await stat(compressed)).toMatchObject({ ino, mtimeMs });
});

test('pages are compressed well as long as nobody waits for it, and home always', async () => {
	const text = Array.from({ length: 3000 }, (_, i) => `<p>${(i * 7919) % 613}</p>`).join('');
	const dir = join(folder, 'pages');
	await mkdir(dir);
	for (const name of ['a', 'b', 'index'])
		await writeFile(join(dir, `${name}.html`), `<p>${name}</p>${text}`);
	const sizes = async (name: string, finePages?: number) => {
		const store = new FileStore(join(folder, name));
		const add = await store.open(finePages === undefined ? {} : { finePages });
		return [...(await storeFiles(add, { dir }))].map(([path, { br }]) => ({ path, br: br! }));
	};
	const fine = Math.max(...(await sizes('whole')).map(({ br }) => br));
	const isFine = async (name: string, finePages: number) =>
		(await sizes(name, finePages)).filter(({ br }) => br <= fine).map(({ path }) => path);
	expect(await isFine('none', 0)).toEqual(['/index.html']);
	expect(await isFine('some', 1)).toHaveLength(2);
});

test('a file that is lost or damaged is made again, with its compressed versions', async () => {
	const store = new FileStore(join(folder, 'store'));
	const dir = join(folder, 'site');
	await mkdir(dir);
	await writeFile(join(dir, 'page.html'), '<p>Words.</p>'.repeat(300));
	const listing = await storeFiles(await store.open(), { dir });
	const file = listing.get('/page.html')!;
	for (const ending of ['.br', '.gz']) {
		const name = store.path(file) + ending;
		const bytes = await readFile(name);
		await rm(name);
		expect((await store.contents())(file)).toBe(false);
		expect((await storeFiles(await store.open(), { dir })).get('/page.html')).toMatchObject(file);
		expect(await readFile(name)).toEqual(bytes);
		expect((await store.contents())(file)).toBe(true);
	}
	await writeFile(`${store.path(file)}.gz`, 'Cut');
	await storeFiles(await store.open(), { dir });
	expect(String(await store.read(file))).toBe('<p>Words.</p>'.repeat(300));
});

test('a page that has its key is taken from the build before, and missed where that has lost it', async () => {
	const store = new FileStore(join(folder, 'store'));
	const dir = join(folder, 'site');
	await mkdir(dir);
	await writeFile(join(dir, 'page.html'), '<p>Page</p>');
	const keys = new Map([['page.html', 'k1']]);
	const earlier = await storeFiles(await store.open(), { dir, keys });
	await rm(join(dir, 'page.html'));
	const { reuse, reused } = reuseFrom({ earlier });
	expect([reuse('/page.html', 'k2'), reuse('/page.html', 'k1')]).toEqual([false, true]);
	const again = await storeFiles(await store.open(), { dir, reused }, { earlier });
	expect(again.get('/page.html')).toBe(earlier.get('/page.html'));
	const lost = reuseFrom({ earlier, isStored: () => false });
	expect(lost.reuse('/page.html', 'k1')).toBe(false);
	const missed = storeFiles(await store.open(), { dir, keys }, { earlier });
	await expect(missed).rejects.toThrow('page.html was not built');
});

test('a build lists what stays, what changed and what came, and nothing that went', async () => {
	const store = new FileStore(join(folder, 'store'));
	const build = async (name: string, changed: Record<string, string>, earlier?: Listing) => {
		const dir = join(folder, name);
		await mkdir(dir);
		for (const [file, text] of Object.entries(changed)) await writeFile(join(dir, file), text);
		const { reuse, reused } = reuseFrom({ earlier });
		for (const file of ['a', 'b', 'c']) if (!(file in changed)) reuse(`/${file}`, 'k');
		const keys = new Map(Object.keys(changed).map((file) => [file, 'k']));
		return storeFiles(await store.open(), { dir, keys, reused }, { earlier });
	};
	const pathsOf = (listing: Listing) => [...listing].map(([path]) => path).sort();
	const first = await build('first', { a: 'A', b: 'B', gone: 'Gone' });
	const second = await build('second', { gone: 'Still', c: 'C' }, first);
	expect(pathsOf(second)).toEqual(['/a', '/b', '/c', '/gone']);
	expect(second.get('/gone')!.hash).not.toBe(first.get('/gone')!.hash);
	expect(pathsOf(await build('third', { a: 'Another' }, second))).toEqual(['/a', '/b', '/c']);
	// As many as before.
	const fourth = await build('fourth', { a: 'Another', new: 'New' }, second);
	expect(pathsOf(fourth)).toEqual(['/a', '/b', '/c', '/new']);
});

test('what a build names as gone goes, and all that it does not name stays', async () => {
	const store = new FileStore(join(folder, 'store'));
	const dir = join(folder, 'site');
	await mkdir(dir);
	for (const file of ['a.html', 'b.html', 'c.html']) await writeFile(join(dir, file), file);
	const earlier = await storeFiles(await store.open(), { dir });
	for (const file of ['a.html', 'b.html', 'c.html']) await rm(join(dir, file));
	await writeFile(join(dir, 'b.html'), 'Other');
	const listing = await storeFiles(
		await store.open(),
		{ dir, gone: new Set(['/a.html']) },
		{ earlier },
	);
	expect([...listing].map(([path]) => path).sort()).toEqual(['/b.html', '/c.html']);
	expect(listing.get('/b.html')!.hash).not.toBe(earlier.get('/b.html')!.hash);
	expect(listing.get('/c.html')).toBe(earlier.get('/c.html'));
});

test('a page that was stored as it was rendered is listed with its key, and keeps its date with its bytes', async () => {
	const store = new FileStore(join(folder, 'store'));
	const dir = join(folder, 'empty');
	await mkdir(dir);
	const keys = new Map([['page.html', 'k']]);
	const build = async (text: string, earlier?: Listing) => {
		const add = await store.open();
		const stored = new Map([['/page.html', await add('/page.html', Buffer.from(text))]]);
		return (await storeFiles(add, { dir, keys, stored }, { earlier })).get('/page.html')!;
	};
	const first = await build('<p>Page</p>');
	expect(first).toMatchObject({ key: 'k', size: 11 });
	const old = { ...first, modified: 1 };
	const earlier = Listing.of([['/page.html', old]]);
	expect(await build('<p>Page</p>', earlier)).toBe(old);
	expect((await build('<p>Else</p>', earlier)).modified).toBeGreaterThanOrEqual(first.modified);
});
