import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { eq } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { setDb, type Db } from '#db/client.ts';
import { migrateDb, openDb } from '#db/local.ts';
import { categories, posts } from '#db/schema.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { setMeta } from '#src/core/meta.server.ts';
import { ask, askHere, setAsk } from '#src/features/search/asking.server.ts';
import * as api from '#src/features/search/search.api.ts';
import { searchInThreads } from '#src/features/search/search-threads.server.ts';
import { call } from '#src/lib/endpoint.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { fetchApi } from '#tests/support/api.ts';
import { makePost } from '#tests/support/factories.ts';

// Threads start slowly where much else runs.
vi.setConfig({ testTimeout: 600_000 });

const now = new Date();

/** Opens a database of three articles in a file, which so many threads search, and follows the threads that are started. */
async function searched(count: number): Promise<{ db: Db; threads: Worker[] }> {
	const folder = await mkdtemp(join(tmpdir(), 'search-threads-'));
	const url = `file:${join(folder, 'site.db')}`;
	const db = await openDb(url);
	await migrateDb(db);
	setDb(db);
	for (const title of ['Kalman filters', 'Kalman gains', 'Gradients'])
		await makePost(db, { title, content: `<p>All of ${title}.</p>` });
	await renderStalePosts(db);
	const threads: Worker[] = [];
	const follow = (thread: Worker) => threads.push(thread);
	process.on('worker', follow);
	const end = searchInThreads(url, count);
	onTestFinished(async () => {
		process.off('worker', follow);
		setAsk(askHere);
		await end();
		db.$client.close();
		await rm(folder, { recursive: true, force: true });
	});
	return { db, threads };
}

test('a question is answered alike by threads and by none', async () => {
	const { db, threads } = await searched(2);
	for (const q of ['kalman', 'kalmann filter', 'nothing at all', 'k']) {
		expect(await ask('posts', db, { q }, now)).toEqual(await askHere('posts', db, { q }, now));
		const everything = await ask('everything', db, { q }, now);
		expect(everything).toEqual(await askHere('everything', db, { q }, now));
	}
	expect(threads).toHaveLength(1);
	const found = await call(api.searchPosts, { q: 'gradients' }, fetchApi());
	expect(found.map(({ title }) => title)).toEqual(['Gradients']);
});

test.each([1, 0])(
	'by %s threads, an answer is kept until something that it may show changes',
	async (count) => {
		const { db, threads } = await searched(count);
		const asked = { q: 'kalman' };
		const titles = (found: { title: string }[]) => found.map(({ title }) => title).sort();
		const first = ask('posts', db, asked, now);
		const same = await ask('posts', db, { ...asked }, now);
		expect(same).toBe(await first);
		expect(await ask('posts', db, asked, now)).toBe(same);
		expect(threads).toHaveLength(count);
		expect(await ask('posts', db, { ...asked, category: 'none' }, now)).toEqual([]);

		await db.update(posts).set({ title: 'Kalman losses' }).where(eq(posts.title, 'Kalman gains'));
		await renderStalePosts(db);
		expect(titles(await ask('posts', db, asked, now))).toEqual(['Kalman filters', 'Kalman losses']);
		const edited = await ask('posts', db, asked, now);
		const { name } = edited[0]!.category;
		await db.update(categories).set({ name: 'Another' }).where(eq(categories.name, name));
		expect((await ask('posts', db, asked, now))[0]!.category.name).toBe('Another');

		// A build has pages besides articles in the index; one that is scheduled comes by itself.
		const renamed = await ask('posts', db, asked, now);
		expect(renamed).not.toBe(edited);
		await setMeta(db, 'built_at', 'another time');
		expect(await ask('posts', db, asked, now)).not.toBe(renamed);
		const soon = new Date(now.getTime() + MINUTE);
		await makePost(db, { title: 'Kalman next', publishedAt: soon });
		await renderStalePosts(db);
		expect(await ask('posts', db, asked, now)).toHaveLength(2);
		expect(await ask('posts', db, asked, soon)).toHaveLength(3);
	},
);

test('a thread that ends is replaced, and its question asked again', async () => {
	const { db, threads } = await searched(1);
	const asking = ['kalman', 'gradients', 'filters'].map((q) => ask('posts', db, { q }, now));
	await vi.waitFor(() => expect(threads).toHaveLength(1));
	await threads[0]!.terminate();
	expect((await Promise.all(asking)).map((found) => found.length)).toEqual([2, 1, 1]);
	expect(threads).toHaveLength(2);

	// One that ends each time is no reason to ask for ever.
	const failing = ask('posts', db, { q: 'losses' }, now);
	for (const at of [1, 2]) {
		await vi.waitFor(() => expect(threads).toHaveLength(at + 1));
		await threads[at]!.terminate();
	}
	await expect(failing).rejects.toMatchObject({ code: 'unavailable' });
	expect(await ask('posts', db, { q: 'losses' }, now)).toEqual([]);
});

test('a failure is told and not kept, and of too many questions the last are refused', async () => {
	const { db } = await searched(1);
	await db.$client.execute('alter table rendered_posts rename to away');
	await expect(ask('posts', db, { q: 'kalman' }, now)).rejects.toThrow(/no such table/);
	await db.$client.execute('alter table away rename to rendered_posts');
	expect(await ask('posts', db, { q: 'kalman' }, now)).toHaveLength(2);
	const many = await Promise.allSettled(
		Array.from({ length: 230 }, (_, at) => ask('posts', db, { q: `kalman ${at}` }, now)),
	);
	const refused = many.filter(({ status }) => status === 'rejected');
	expect(refused).toHaveLength(many.length - 201);
	for (const one of refused)
		expect(one).toMatchObject({ reason: { code: 'unavailable', retryAfter: 2 } });
	expect(await ask('posts', db, { q: 'kalman 229' }, now)).toHaveLength(2);
});
