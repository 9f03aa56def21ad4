import { expect, test, vi } from 'vitest';
import { importItems, imports, issues, postChanges, posts } from '#db/schema.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { setBuilder } from '#src/core/builds/builder.server.ts';
import * as api from '#src/features/posts/editing.api.ts';
import * as read from '#src/features/posts/posts.api.ts';
import { listVersions } from '#src/features/posts/changes.server.ts';
import { nextIssueEmail } from '#src/features/newsletter/next-issue.server.ts';
import { readSite } from '#src/features/site/load.server.ts';
import { bulkPosts } from '#src/features/posts/bulk.api.ts';
import { call } from '#src/lib/endpoint.ts';
import { DAY } from '#src/lib/dates.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost } from '#tests/support/factories.ts';

const BEFORE = new Date(Date.now() - 10 * DAY);

async function setup(values = {}) {
	setBuilder({ build: () => {}, prewarm: () => {} });
	const db = await useTestDb();
	const admin = await asAdmin(db);
	const post = await makePost(db, {
		title: 'Sums',
		content: '<p>One and one is three.</p><ul><li>First</li><li>Second</li></ul>',
		updatedAt: BEFORE,
		publishedAt: BEFORE,
		...values,
	});
	await renderStalePosts(db);
	const save = (fields: object) => {
		// Saves a millisecond later than before: versions are ordered by their time.
		vi.setSystemTime(Date.now() + 1);
		return call(api.updatePost, { id: post.id, ...fields }, admin);
	};
	const changes = () => call(read.listChanges, { slug: post.slug }, fetchApi());
	const article = async () => (await readSite(db, new Date())).articles[0]!;
	return { db, admin, post, save, changes, article };
}

const MENDED = '<p>One and one is two.</p><ul><li>Second</li><li>First</li><li>Third</li></ul>';

test('a small change moves no date and is told to nobody', async () => {
	const { save, changes, article, post } = await setup();
	const saved = await save({ content: MENDED });
	expect(saved.updatedAt).toBe(BEFORE.toISOString());
	expect(Date.parse(saved.savedAt)).toBeGreaterThan(+BEFORE);
	await save({ content: `${MENDED}<p>More.</p>`, change: { kind: 'small', note: 'Not told' } });
	expect(await changes()).toEqual([]);
	const { post: shown, changes: told } = await article();
	expect([shown.updatedAt, told]).toEqual([BEFORE.toISOString(), []]);
	const { updatedAt } = await call(read.getPost, { slug: post.slug }, fetchApi());
	expect(updatedAt).toBe(BEFORE.toISOString());
});

test('a correction moves the dates, and is listed with what differs and the text before it', async () => {
	const { db, post, save, changes, article } = await setup();
	await save({ content: MENDED, change: { kind: 'correction', note: ' The sum was wrong. ' } });
	const [told] = await changes();
	expect(told).toMatchObject({ kind: 'correction', note: 'The sum was wrong.' });
	expect((await article()).post.updatedAt).toBe(told!.at);
	await save({ title: 'Sums of two', change: { kind: 'update' } });
	expect((await changes()).map(({ kind, note }) => [kind, note])).toEqual([
		['update', ''],
		['correction', 'The sum was wrong.'],
	]);
	const [second, first] = await listVersions(db, post.id);
	expect(second!.passages).toEqual([{ old: 'Sums', new: 'Sums of two' }]);
	// What only moved has not changed.
	expect(first!.passages).toEqual([
		{ old: 'One and one is three.', new: 'One and one is two.' },
		{ old: null, new: 'Third' },
	]);
	expect(first!.html).toContain('One and one is three.');
});

test('where an outdated editor announces a change, nothing is announced', async () => {
	const { save, changes } = await setup();
	const change = { kind: 'correction', note: 'Twice' } as const;
	await save({ content: MENDED, version: 1, change });
	await expect(save({ content: '<p>Late</p>', version: 1, change })).rejects.toMatchObject({
		code: 'conflict',
	});
	expect(await changes()).toHaveLength(1);
});

test('what is no public article announces nothing, and drafts move their date', async () => {
	const { db, save, changes } = await setup({ published: false, publishedAt: null });
	await save({ content: MENDED, change: { kind: 'update', note: 'Nobody reads it.' } });
	await save({ published: true });
	expect(await db.$count(postChanges)).toBe(0);
	expect(await changes()).toEqual([]);
});

test.each([[{ kind: 'huge' }], [{ kind: 'update', note: 'x'.repeat(301) }], ['update']])(
	'%j is refused, and nothing is stored',
	async (change) => {
		const { save, article } = await setup();
		await expect(save({ content: MENDED, change })).rejects.toMatchObject({ code: 'validation' });
		expect((await article()).post.updatedAt).toBe(BEFORE.toISOString());
	},
);

test('an unknown article has no changes, and a hidden one is unknown', async () => {
	const { save, changes } = await setup();
	await save({ published: false });
	await expect(changes()).rejects.toMatchObject({ code: 'not_found' });
});

test('unpublished and published again, alone or with others, it keeps its date', async () => {
	const { admin, post, save, article } = await setup();
	await save({ published: false });
	await save({ published: true });
	expect((await article()).post.updatedAt).toBe(BEFORE.toISOString());
	const change = (action: 'publish' | 'unpublish') =>
		call(bulkPosts, { ids: [post.id], action }, admin);
	await change('unpublish');
	await change('publish');
	expect((await article()).post.updatedAt).toBe(BEFORE.toISOString());
});

test('an article is due from the day on that it says it is stale, until it is changed or reviewed', async () => {
	const now = Date.now();
	const day = (days: number) => new Date(now + days * DAY).toISOString().slice(0, 10);
	const { db, admin, post } = await setup();
	const due = () => call(api.listAdminPosts, { due: true }, admin);
	for (const staleAfter of [`${day(2)} prices`, 'soon', '']) {
		await db.update(posts).set({ staleAfter });
		expect(await due(), staleAfter).toMatchObject({ total: 0 });
	}
	const staleAfter = `${day(-1)} prices`;
	await db.update(posts).set({ staleAfter });
	expect(await due()).toMatchObject({ counts: { due: 1 }, rows: [{ isDue: true, staleAfter }] });
	await call(api.recordReview, { id: post.id }, admin);
	expect(await due()).toMatchObject({ total: 0 });
});

test('an article of more than 90 days is due, until it is reviewed', async () => {
	const old = new Date(Date.now() - 100 * DAY);
	const { admin, post, article } = await setup({ updatedAt: old, publishedAt: old });
	const due = () => call(api.listAdminPosts, { due: true }, admin);
	expect(await due()).toMatchObject({ total: 1, counts: { due: 1 }, rows: [{ isDue: true }] });
	expect((await article()).freshness).toBe('Review Pending');
	await call(api.recordReview, { id: post.id }, admin);
	expect(await due()).toMatchObject({ total: 0, counts: { due: 0 } });
	expect(await article()).toMatchObject({
		freshness: 'Recently Updated',
		post: { updatedAt: old.toISOString() },
	});
	await expect(call(api.recordReview, { id: 'none' }, admin)).rejects.toMatchObject({
		code: 'not_found',
	});
});

test('what came with a file is due 90 days after that, however old it is', async () => {
	const old = new Date(Date.now() - 1000 * DAY);
	const { db, admin, post } = await setup({ updatedAt: old, publishedAt: old });
	const due = async () => (await call(api.listAdminPosts, { due: true }, admin)).total;
	const createdAt = (days: number) => new Date(Date.now() - days * DAY);
	expect(await due()).toBe(1);
	await db
		.insert(imports)
		.values({ id: 'moved', name: 'a.json', kind: 'Ghost', createdAt: createdAt(1) });
	await db.insert(importItems).values({ importId: 'moved', kind: 'post', itemId: post.id });
	expect(await due()).toBe(0);
	await db.update(imports).set({ createdAt: createdAt(91) });
	expect(await due()).toBe(1);
});

test('the next letter tells of corrections since the last one', async () => {
	const { db, save } = await setup();
	const blocks = async () =>
		JSON.stringify(
			(await nextIssueEmail(db, 'ada@example.com', new Date(Date.now() + DAY))).blocks,
		);
	await save({ content: MENDED, change: { kind: 'update', note: 'Something new' } });
	expect(await blocks()).not.toContain('Corrected since');
	await save({ title: 'Sum', change: { kind: 'correction', note: 'A word was wrong' } });
	expect(await blocks()).toContain('A word was wrong');
	const issue = { date: '2026-03-05', subject: 'S', posts: [] };
	await db.insert(issues).values({ ...issue, createdAt: new Date() });
	expect(await blocks()).not.toContain('A word was wrong');
});

test('the first letter tells nothing that was corrected before the site had its admin', async () => {
	const { db, post } = await setup();
	const change = { postId: post.id, kind: 'correction' as const, passages: [], title: 'Sums' };
	await db.insert(postChanges).values([
		{ ...change, note: 'It came with the sample', createdAt: BEFORE },
		{ ...change, note: 'It was found here', createdAt: new Date(Date.now() + 1000) },
	]);
	const now = new Date(Date.now() + DAY);
	const { blocks } = await nextIssueEmail(db, 'ada@example.com', now);
	expect(JSON.stringify(blocks)).toContain('It was found here');
	expect(JSON.stringify(blocks)).not.toContain('It came with the sample');
});
