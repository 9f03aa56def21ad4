import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Db } from '#db/client.ts';
import { categories, posts } from '#db/schema.ts';
import { BuildMemory } from '#src/build/memory.ts';
import { readSource } from '#src/build/source.ts';
import { useTestDb } from '#tests/support/db.ts';

let db: Db;
let cacheDir: string;
let memory: BuildMemory;
beforeEach(async () => {
	cacheDir = await mkdtemp(join(tmpdir(), 'meanwhile-'));
	db = await useTestDb();
	await db.insert(categories).values({ id: 'c1', name: 'Vision', slug: 'vision' });
	memory = new BuildMemory();
	await publish('first');
	expect(await read()).toEqual(['first']);
});
afterEach(async () => {
	vi.restoreAllMocks();
	await rm(cacheDir, { recursive: true, force: true });
});

const publish = (slug: string) =>
	db.insert(posts).values({
		...{ id: slug, slug, title: slug, content: `<p>${slug}</p>`, author: 'Groundtruth' },
		...{ categoryId: 'c1', published: true },
	});

/** Reads what the next build is made of. Returns the addresses of its articles, in order of the alphabet. */
async function read(): Promise<string[]> {
	const { site } = await readSource(db, { report: () => {}, cacheDir, memory });
	return site.articles.map(({ post }) => post.slug).sort();
}

/** Writes once after articles were rendered, before the site is read. */
function writeMeanwhile(write: () => PromiseLike<unknown>): void {
	const { rows } = memory.site;
	const readRows = rows.read.bind(rows);
	vi.spyOn(rows, 'read').mockImplementationOnce(async (from) => {
		await write();
		return readRows(from);
	});
}

test('a post that is published while a build reads the site is in the next one', async () => {
	writeMeanwhile(() => publish('second'));
	expect(await read()).toEqual(['first']);
	expect(await read()).toEqual(['first', 'second']);
});

test('a text that is written while a build reads the site is in it', async () => {
	const words = () => memory.site.rows.all.get('first')!.rendering.words;
	expect(words()).toBe(1);
	// Nothing is left that this build would look at by itself.
	expect(await read()).toEqual(['first']);
	writeMeanwhile(() =>
		db.update(posts).set({ content: '<p>It has five words now.</p>' }).where(eq(posts.id, 'first')),
	);
	expect(await read()).toEqual(['first']);
	expect(words()).toBe(5);
});

test('what a stranger stores while a build reads the site is checked by the next one', async () => {
	writeMeanwhile(async () => {
		await publish('second');
		await db.run(sql`update posts set slug = 'no/address' where id = 'second'`);
	});
	const said = vi.spyOn(console, 'error').mockImplementation(() => {});
	expect(await read()).toEqual(['first']);
	expect(await read()).toEqual(['first']);
	expect(said).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('“second” is left out'));
	expect(await db.all(sql`select subject_id from content_problems`)).toEqual([
		{ subject_id: 'second' },
	]);
});

test('a build that ends while it reads leaves nothing out of the next one', async () => {
	await publish('second');
	await db.run(sql`alter table post_changes rename to gone`);
	await expect(read()).rejects.toThrow('post_changes');
	await db.run(sql`alter table gone rename to post_changes`);
	expect(await read()).toEqual(['first', 'second']);
});
