import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Worker } from 'node:worker_threads';
import { eq, sql, type SQL } from 'drizzle-orm';
import { strFromU8, unzipSync } from 'fflate';
import { expect, onTestFinished, test, vi } from 'vitest';
import { batchOfMany, setDb, type Db } from '#db/client.ts';
import { migrateDb, openDb } from '#db/local.ts';
import {
	comments,
	importItems,
	imports,
	letters,
	outbox,
	posts,
	postTags,
	subscribers,
	tags,
} from '#db/schema.ts';
import maintain from '#functions/maintenance.ts';
import { setBuilder } from '#src/core/builds/builder.server.ts';
import { undoAction } from '#src/core/undo/undo.api.ts';
import { COMMENTS_PAGE, placeAfter, type CommentView } from '#src/features/comments/comment.ts';
import { queueLetters, steerLetter } from '#src/features/newsletter/letters.server.ts';
import { bulkPosts } from '#src/features/posts/bulk.api.ts';
import { exportAll, getImport, undoImport } from '#src/features/import-export/import-export.api.ts';
import {
	exportSubscribers,
	importSubscribers,
	listSubscribers,
} from '#src/features/newsletter/subscribers.api.ts';
import { IMPORT_ROWS } from '#src/features/newsletter/subscribers.ts';
import { listPosts } from '#src/features/posts/posts.server.ts';
import { mergeTag } from '#src/features/taxonomy/taxonomy.api.ts';
import { call } from '#src/lib/endpoint.ts';
import { DAY } from '#src/lib/dates.ts';
import { paths } from '#src/site.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost } from '#tests/support/factories.ts';
import { watchTurns } from '#tests/support/turns.ts';

/** Milliseconds of processor that one turn may take, while pages and readers wait. */
const TURN_MS = 100;

/** Numbers from 1. */
const count = (to: number): SQL =>
	sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${to})`;

const fillSubscribers = (db: Db, number: number) =>
	db.run(sql`insert into ${subscribers} (id, email, active, created_at)
		${count(number)} select printf('s%08d', i), 'reader' || i || '@example.com', 1, 1 from n`);

test('a letter to many is queued, paused, resumed and stopped while others get their turn', async () => {
	const db = await useTestDb();
	await fillSubscribers(db, 40_000);
	const now = new Date();
	await db
		.insert(letters)
		.values({ id: 'l1', subject: 'News', content: 'News', confirmed: true, dueAt: now });
	const stop = watchTurns();
	expect(await queueLetters(db, now)).toBe(40_000);
	await steerLetter(db, 'l1', 'pause', 'admin', now);
	expect(await db.$count(outbox, sql`due_at is not null`)).toBe(0);
	await steerLetter(db, 'l1', 'resume', 'admin', now);
	expect(await db.$count(outbox, sql`due_at is not null`)).toBe(40_000);
	await steerLetter(db, 'l1', 'stop', 'admin', now);
	expect(stop()).toBeLessThan(TURN_MS);
	expect(await db.$count(outbox, sql`due_at is not null`)).toBe(0);
});

test('what has run out of many is deleted while others get their turn', async () => {
	const db = await useTestDb();
	const old = Date.now() - 1000 * DAY;
	await db.run(sql`insert into ${outbox} (id, kind, key, payload, due_at, created_at)
		${count(120_000)} select i, 'letter', i, '{}', iif(i % 3 = 0, 1, null), iif(i % 2 = 0, ${old}, ${Date.now()}) from n`);
	await db.run(sql`insert into ${subscribers} (id, email, name, active, created_at)
		${count(30_000)} select i, i || '@example.com', 'Ada', i % 2, ${old} from n`);
	const stop = watchTurns();
	await maintain();
	expect(stop()).toBeLessThan(TURN_MS);
	expect(await db.$count(outbox)).toBe(80_000);
	expect(await db.$count(subscribers, sql`name is not null`)).toBe(15_000);
});

/** A migrated database in a file, as the own server has it. */
async function fileDb(): Promise<Db> {
	const folder = await mkdtemp(join(tmpdir(), 'turns-'));
	const db = await openDb(`file:${folder}/site.db`);
	onTestFinished(async () => {
		db.$client.close();
		await rm(folder, { recursive: true });
	});
	await migrateDb(db);
	setDb(db);
	return db;
}

test('a part of a list of subscribers is looked at and imported while others get their turn', async () => {
	const db = await useTestDb();
	const admin = await asAdmin(db);
	await fillSubscribers(db, 30_000);
	// Half of them are known.
	const rows = Array.from({ length: IMPORT_ROWS }, (_, index) => ({
		email: `reader${29_500 + index}@example.com`,
		...{ name: 'Ada', lastName: null, source: null, active: true },
		...{ createdAt: null, leftAt: null, consent: 'A form' },
	}));
	const run = { id: crypto.randomUUID(), name: 'list.csv', kind: 'Subscribers' };
	const part = (preview: boolean) =>
		call(importSubscribers, { rows, reactivate: false, preview, run }, admin);
	await fetchApi()('/api/categories');
	const stop = watchTurns();
	expect(await part(true)).toMatchObject({ added: 499, completed: 501 });
	expect(await part(false)).toMatchObject({ added: 499, completed: 501 });
	expect(stop()).toBeLessThan(TURN_MS);
	expect(await db.$count(subscribers)).toBe(30_499);
});

test('files of many subscribers are made, and lists of them searched, while others get their turn', async () => {
	const db = await fileDb();
	const admin = await asAdmin(db);
	await fillSubscribers(db, 6000);
	await fetchApi()('/api/categories');
	const started: Worker[] = [];
	const follow = (thread: Worker) => started.push(thread);
	process.on('worker', follow);
	onTestFinished(() => void process.off('worker', follow));
	const stop = watchTurns();
	const [whole, found, ...files] = await Promise.all([
		admin(exportAll.path),
		call(listSubscribers, { q: 'r 9 @ .com', page: 1, sort: '-created' }, admin),
		...Array.from({ length: 4 }, () => admin(exportSubscribers.path)),
	]);
	const lines = await Promise.all(
		files.map(async (file) => (await file.text()).trimEnd().split('\r\n')),
	);
	const zip = unzipSync(new Uint8Array(await whole.arrayBuffer()));
	expect(stop()).toBeLessThan(TURN_MS);
	expect(found.total).toBeGreaterThan(1500);
	expect(started).toHaveLength(1);
	for (const each of lines) {
		expect(each).toHaveLength(6001);
		expect(each.at(-1)).toContain('"reader6000@example.com"');
	}
	const all = JSON.parse(strFromU8(zip['data/subscribers.json']!)) as { email: string }[];
	expect(new Set(all.map(({ email }) => email)).size).toBe(6000);
}, 300_000);

test('an import of many subscribers is looked at and undone while others get their turn', async () => {
	const db = await fileDb();
	const admin = await asAdmin(db);
	const id = crypto.randomUUID();
	await db
		.insert(imports)
		.values({ id, name: 'list.csv', kind: 'Subscribers', createdAt: new Date(1) });
	await db.run(sql`insert into ${subscribers} (id, email, active, imported_at, left_at, created_at)
		${count(30_000)} select printf('s%08d', i), 'reader' || i || '@example.com', i % 10 > 0, 1, iif(i % 10 > 0, null, 2), 1 from n`);
	await db.run(sql`insert into ${importItems} (import_id, kind, item_id)
		select ${id}, 'subscriber', id from ${subscribers}`);
	await fetchApi()('/api/categories');
	const stop = watchTurns();
	expect(await call(getImport, { id }, admin)).toMatchObject({ removes: { subscribers: 27_000 } });
	await call(undoImport, { id }, admin);
	expect(stop()).toBeLessThan(TURN_MS);
	expect(await db.$count(subscribers)).toBe(3000);
	expect(await db.$count(importItems)).toBe(3000);
}, 60_000);

/** Stores so many public articles of one category, each with the same six tags. */
async function setupPosts(number: number, isFile = false) {
	setBuilder({ build: () => {}, prewarm: () => {} });
	const db = isFile ? await fileDb() : await useTestDb();
	const category = await makeCategory(db);
	const made = { categoryId: category.id, published: false };
	const { id } = await makePost(db, { ...made, tags: ['a', 'b', 'c', 'd', 'e', 'f'] });
	await db.run(sql`insert into ${posts} (id, title, slug, content, author, category_id, published, published_at, created_at, updated_at)
		${count(number)} select 'p' || i, 'Title ' || i, 'p' || i, '<p>Words.</p>', 'Grace', ${category.id}, 1, i, 1, 1 from n`);
	await db.run(sql`insert into ${postTags} (id, post_id, tag_id, position)
		select t.tag_id || p.id, p.id, t.tag_id, t.position from ${posts} p join ${postTags} t on t.post_id = ${id} where p.id <> ${id}`);
	// Loads all functions, which takes a long turn.
	await fetchApi()('/api/categories');
	const ids = Array.from({ length: number }, (_, index) => `p${index + 1}`);
	return { db, admin: await asAdmin(db), category, ids };
}

// They differ in the rows that they touch: of an article, or of another table.
for (const action of ['untag', 'delete', 'tag', 'category', 'feature', 'unpublish'] as const) {
	const tags = action === 'untag' || action === 'delete' ? [] : ['nightly'];
	test(
		`${action} of many articles, and its undo, let others have their turn`,
		{ tags, timeout: 60_000 },
		async () => {
			const { db, admin, ids } = await setupPosts(2500, true);
			const read = async () =>
				JSON.stringify(
					await db.all(sql`select p.id, published, published_at, featured, deleted_at, category_id, count(t.id)
					from posts p left join post_tags t on t.post_id = p.id group by p.id order by p.id`),
				);
			const before = await read();
			const other = await makeCategory(db);
			const value = { tag: 'New', untag: 'a', category: other.id }[action as string];
			const stop = watchTurns();
			const { undo, changed } = await call(bulkPosts, { ids, action, value }, admin);
			expect(changed).toBe(2500);
			await call(undoAction, { token: undo! }, admin);
			expect(stop()).toBeLessThan(TURN_MS);
			expect((await read()) === before).toBe(true);
		},
	);
}

test('tags of many articles are merged, and parted again, while others get their turn', async () => {
	const { db, admin } = await setupPosts(2500, true);
	const read = () =>
		db.all(sql`select post_id, tag_id, position from post_tags order by post_id, tag_id`);
	const before = await read();
	const [a, b] = await db.select().from(tags).orderBy(tags.name);
	const stop = watchTurns();
	const { undo } = await call(mergeTag, { id: a!.id, into: b!.id }, admin);
	await call(undoAction, { token: undo }, admin);
	expect(stop()).toBeLessThan(TURN_MS);
	expect(await read()).toEqual(before);
}, 60_000);

test('a long batch that fails leaves nothing, and one that waits for it comes after it', async () => {
	const { db } = await setupPosts(1, true);
	const add = (name: string) => db.insert(tags).values({ name, slug: name });
	await expect(
		batchOfMany(db, 1000, [add('x'), db.run(sql`select json('stale')`)]),
	).rejects.toThrow(/malformed JSON/);
	const first = batchOfMany(db, 1000, [add('y')]);
	await expect(add('y')).rejects.toThrow();
	await first;
	expect(await db.$count(tags, sql`name in ('x', 'y')`)).toBe(1);
	await expect(
		batchOfMany(db, 1000, [db.run(sql`update posts set category_id = 'none'`)]),
	).rejects.toThrow(/FOREIGN KEY/);
}, 60_000);

test('whole lists are made in pieces, once for all who ask, and again after a change', async () => {
	const { db, category } = await setupPosts(4000);
	const get = (path: string, headers: Record<string, string> = {}) =>
		fetchApi()(`/api/${path}`, { headers });
	const stop = watchTurns();
	const bodies = await Promise.all(
		Array.from({ length: 4 }, async () => (await get('posts')).arrayBuffer()),
	);
	expect(stop()).toBeLessThan(TURN_MS);
	const rows = JSON.parse(Buffer.from(bodies[0]!).toString()) as { id: string }[];
	expect(rows).toHaveLength(4000);
	expect(rows).toEqual((await listPosts(db, new Date())).map((row) => ({ ...row })));
	const statements = vi.spyOn(db.$client, 'execute');
	const again = await get('posts', { 'Accept-Encoding': 'br, gzip' });
	// What it is made of is asked for, and nothing is read or compressed anew for the next one.
	expect(statements.mock.calls.length).toBeLessThan(4);
	expect(again.headers.get('Content-Encoding')).toBe('gzip');
	expect(gunzipSync(await again.arrayBuffer()).equals(Buffer.from(bodies[0]!))).toBe(true);
	const ETag = again.headers.get('ETag')!;
	expect((await get('posts', { 'If-None-Match': ETag })).status).toBe(304);
	expect(
		(await get('posts', { 'Accept-Encoding': 'gzip;q=0' })).headers.has('Content-Encoding'),
	).toBe(false);
	const ofCategory = async () => (await get(`categories/${category.slug}/posts`)).json();
	expect(await ofCategory()).toHaveLength(4000);
	await db.update(posts).set({ title: 'Changed' }).where(eq(posts.id, 'p1'));
	expect(await ofCategory()).toContainEqual(
		expect.objectContaining({ id: 'p1', title: 'Changed' }),
	);
	await db.update(posts).set({ published: false }).where(eq(posts.id, 'p2'));
	expect(await (await get('posts')).json()).toHaveLength(3999);
	expect((await get('categories/none/posts')).status).toBe(404);
});

test('comments of an article come in pages, to scripts and to people without, and all in pieces', async () => {
	const { db } = await setupPosts(1);
	await db.run(sql`insert into ${comments} (id, post_id, author, email, content, approved, pinned_at, created_at, updated_at)
		${count(5000)} select 'c' || i, 'p1', 'Ada', '', 'No. ' || i || ' <b>', i <> 7, iif(i = 5, 1, null), i / 3, 1 from n`);
	const get = async (query: string) =>
		(await (await fetchApi()(`/api/posts/p1/comments${query}`)).json()) as CommentView[];
	const stop = watchTurns();
	const all = await get('');
	expect(stop()).toBeLessThan(TURN_MS);
	expect(all).toHaveLength(4999);
	// Three of each moment: pages end between them.
	const pages = [await get('?limit=100')];
	for (let place; (place = pages.at(-1)!.length > 0 && placeAfter(pages.at(-1)!));)
		pages.push(await get(`?limit=200&before=${encodeURIComponent(place)}`));
	expect(pages[0]![0]).toMatchObject({ id: 'c5', pinned: true });
	expect(pages[0]).toHaveLength(100);
	expect(
		pages
			.flat()
			.map(({ id }) => id)
			.sort(),
	).toEqual(all.map(({ id }) => id).sort());
	expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(4999);
	const html = await (await fetchApi()(paths.olderComments('p1', placeAfter(pages[0]!)!))).text();
	expect(html.match(/<article/g)).toHaveLength(COMMENTS_PAGE);
	expect(html).toContain('&lt;b&gt;');
	expect(html).toContain(paths.olderComments('p1', placeAfter(all.slice(0, 199))!));
	for (const query of [
		'?limit=0',
		'?limit=201',
		'?before=x',
		'?before=2026',
		'?before=0000-00-00T00:00:00.000Z/0',
		'?before=2026-13-01T25:00:00.000Z/0',
	])
		expect((await fetchApi()(`/api/posts/p1/comments${query}`)).status).toBe(400);
});
