import { eq, inArray } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import {
	auditLog,
	builds,
	categories,
	drafts,
	posts,
	postTags,
	revisions,
	tags,
} from '#db/schema.ts';
import { setBuilder } from '#src/core/builds/builder.server.ts';
import { undoAction } from '#src/core/undo/undo.api.ts';
import { BULK_ACTIONS, type BulkAction } from '#src/features/posts/bulk.ts';
import { bulkPosts, listPostIds } from '#src/features/posts/bulk.api.ts';
import * as posting from '#src/features/posts/editing.api.ts';
import { emptyForm } from '#src/features/posts/editing.ts';
import { call, type Endpoint } from '#src/lib/endpoint.ts';
import { HOUR } from '#src/lib/dates.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost } from '#tests/support/factories.ts';

async function setup() {
	setBuilder({ build: () => {}, prewarm: () => {} });
	const db = await useTestDb();
	const admin = await asAdmin(db);
	const ask = <In extends object, Out>(endpoint: Endpoint<In, Out>, input: In) =>
		call(endpoint, input, admin);
	const category = await makeCategory(db, { name: 'Home' });
	const away = await makeCategory(db, { name: 'Away' });
	const make = (values: Parameters<typeof makePost>[1] = {}) =>
		makePost(db, { categoryId: category.id, ...values });
	return { db, admin, ask, category, away, make };
}

/** All of posts and their tags that an undo has to bring back. */
async function state(db: Db) {
	const rows = await db.select().from(posts).orderBy(posts.id);
	return {
		posts: rows.map(({ version: _, ...post }) => post),
		tags: await db
			.select({ post: postTags.postId, name: tags.name, position: postTags.position })
			.from(postTags)
			.innerJoin(tags, eq(tags.id, postTags.tagId))
			.orderBy(postTags.postId, postTags.position),
		all: await db.select({ name: tags.name }).from(tags).orderBy(tags.name),
	};
}

const changes: Record<BulkAction, { value?: string; changed: number }> = {
	publish: { changed: 1 },
	unpublish: { changed: 2 },
	category: { value: 'away', changed: 2 },
	tag: { value: 'Brand new', changed: 3 },
	untag: { value: 'old', changed: 1 },
	feature: { changed: 2 },
	unfeature: { changed: 1 },
	delete: { changed: 3 },
};

test.each(BULK_ACTIONS)(
	'%s changes what is otherwise, and undone it is as before',
	async (action) => {
		const { db, ask, away, make } = await setup();
		const all = [
			await make({ title: 'One', featured: true, tags: ['Old', 'Kept'] }),
			await make({ title: 'Two', categoryId: away.id }),
			await make({ title: 'Three', published: false, publishedAt: null }),
		];
		const other = await make({ title: 'Other' });
		const before = await state(db);
		const { value, changed } = changes[action];
		const result = await ask(bulkPosts, { ids: all.map(({ id }) => id), action, value });
		expect(result).toEqual({ undo: expect.any(String) as string, changed, skipped: [] });
		const after = await state(db);
		expect(after).not.toEqual(before);
		const rest = (one: typeof before) => one.posts.filter(({ id }) => id === other.id);
		expect(rest(after)).toEqual(rest(before));
		expect(await db.$count(auditLog)).toBe(1);
		expect(await db.$count(builds)).toBe(1);
		const again = await ask(bulkPosts, { ids: all.map(({ id }) => id), action, value });
		expect(again).toMatchObject({ undo: null, changed: 0 });
		expect(await db.$count(auditLog)).toBe(1);
		const undone = await ask(undoAction, { token: result.undo! });
		expect(undone).toMatchObject({ changed, kept: 0 });
		expect(await state(db)).toEqual(before);
		await expect(ask(undoAction, { token: result.undo! })).rejects.toMatchObject({
			code: 'conflict',
			message: 'This was undone already.',
		});
	},
);

test('the log names the first posts and counts the others', async () => {
	const { db, ask, make } = await setup();
	const all = [];
	for (const title of ['A', 'B', 'C', 'D', 'E']) all.push(await make({ title }));
	await ask(bulkPosts, { ids: all.map(({ id }) => id), action: 'category', value: 'Away' });
	const [entry] = await db.select().from(auditLog);
	expect(entry).toMatchObject({
		action: 'moved',
		subject: 'posts',
		detail: '5 posts to “Away”: “A”, “B”, “C” and 2 more',
	});
	expect((await db.select().from(builds))[0]!.cause).toBe('Moved 5 posts to “Away”');
});

test('publishing takes what was written last, keeps it, and says what cannot be published', async () => {
	const { db, ask, make } = await setup();
	const uncategorized = await makeCategory(db, { name: 'Uncategorized' });
	const draft = { published: false, publishedAt: null };
	const written = await make({ ...draft, title: 'Written', content: '' });
	const untitled = await make({ ...draft, title: 'Untitled', slug: 'untitled' });
	const homeless = await make({ ...draft, title: 'Homeless', categoryId: uncategorized.id });
	const faulty = await make({ ...draft, title: 'Faulty' });
	const { form } = await ask(posting.getEditedPost, { id: written.id });
	await ask(posting.saveDraft, {
		id: written.id,
		form: { ...form, content: '<p>The words.</p>', tags: ['Late'] },
		version: null,
		baseVersion: 1,
	});
	await db.insert(drafts).values({
		postId: faulty.id,
		form: { ...emptyForm, title: 'x'.repeat(300) },
		baseVersion: 1,
	});
	const ids = [written, untitled, homeless, faulty].map(({ id }) => id);
	const result = await ask(bulkPosts, { ids, action: 'publish' });
	expect(result.changed).toBe(1);
	const why = new Map(result.skipped.map(({ title, why: reason }) => [title, reason]));
	expect(why).toEqual(
		new Map([
			['Untitled', 'Please enter a title.'],
			['Homeless', 'Please choose a category.'],
			['Faulty', 'Use 200 characters or fewer'],
		]),
	);
	const live = await ask(posting.getEditedPost, { id: written.id });
	expect(live).toMatchObject({ state: 'published', content: '<p>The words.</p>', draft: null });
	expect(live.form.tags).toEqual(['Late']);
	const kept = await db.select().from(revisions).where(eq(revisions.reason, 'publish'));
	expect(kept.map((row) => row.form['content'])).toEqual(['<p>The words.</p>']);
	await ask(undoAction, { token: result.undo! });
	expect(await ask(posting.getEditedPost, { id: written.id })).toMatchObject({
		state: 'draft',
		content: '<p>The words.</p>',
	});
});

test('one that is scheduled and taken back is a draft again, and is scheduled again when undone', async () => {
	const { db, ask, make } = await setup();
	const later = await make({ publishedAt: new Date(Date.now() + HOUR) });
	const { undo } = await ask(bulkPosts, { ids: [later.id], action: 'unpublish' });
	const [post] = await db.select().from(posts);
	expect(post).toMatchObject({ published: false, publishedAt: null });
	await ask(undoAction, { token: undo! });
	expect((await db.select().from(posts))[0]).toMatchObject({
		published: true,
		publishedAt: later.publishedAt,
	});
	// Nothing of it was ever seen.
	expect(await db.$count(builds)).toBe(0);
});

test('deleted posts are left alone, and an open editor notices', async () => {
	const { ask, make } = await setup();
	const gone = await make({ title: 'Gone', deletedAt: new Date() });
	const post = await make();
	const ids = [gone.id, post.id, 'none'];
	expect(await ask(bulkPosts, { ids, action: 'feature' })).toMatchObject({
		changed: 1,
		skipped: [{ id: gone.id, title: 'Gone', why: 'It is deleted.' }],
	});
	await expect(
		ask(posting.updatePost, { id: post.id, version: 1, title: 'Stale' }),
	).rejects.toMatchObject({ code: 'conflict' });
});

test('posts that were changed since stay, and are counted; where all were, nothing is undone', async () => {
	const { db, ask, away, category, make } = await setup();
	const third = await makeCategory(db, { name: 'Third' });
	const [one, two] = [await make(), await make()];
	const { undo } = await ask(bulkPosts, {
		ids: [one.id, two.id],
		action: 'category',
		value: away.id,
	});
	await ask(posting.updatePost, { id: one.id, categoryId: third.id });
	await ask(posting.updatePost, { id: two.id, title: 'Another title' });
	expect(await ask(undoAction, { token: undo! })).toMatchObject({ changed: 1, kept: 1 });
	const placeOf = async (id: string) =>
		(await db.select().from(posts).where(eq(posts.id, id)))[0]!.categoryId;
	expect([await placeOf(one.id), await placeOf(two.id)]).toEqual([third.id, category.id]);

	const next = await ask(bulkPosts, { ids: [one.id], action: 'category', value: 'away' });
	await db.delete(categories).where(eq(categories.id, third.id));
	await expect(ask(undoAction, { token: next.undo! })).rejects.toMatchObject({
		code: 'conflict',
		message: 'These posts were all changed since: nothing was undone.',
	});
	expect(await placeOf(one.id)).toBe(away.id);
});

test('a tag that an action made stays where somebody else uses it by now', async () => {
	const { db, ask, make } = await setup();
	const [one, two] = [await make(), await make()];
	const { undo } = await ask(bulkPosts, { ids: [one.id], action: 'tag', value: 'Shared' });
	await ask(bulkPosts, { ids: [two.id], action: 'tag', value: 'shared' });
	await ask(undoAction, { token: undo! });
	const rows = await db
		.select({ post: postTags.postId, name: tags.name })
		.from(postTags)
		.innerJoin(tags, eq(tags.id, postTags.tagId));
	expect(rows).toEqual([{ post: two.id, name: 'Shared' }]);
});

test.each([
	[{ ids: [] }, { ids: 'Choose some posts first.' }],
	[{ ids: Array.from({ length: 10_001 }, String) }, { ids: 'Choose 10,000 posts or fewer.' }],
	[{ action: 'explode' as 'tag' }, { action: 'There is no such action.' }],
	[{ action: 'category' as const }, { value: 'Please choose a category.' }],
	[{ action: 'category' as const, value: 'nowhere' }, { value: 'There is no such category.' }],
	[{ action: 'tag' as const, value: ' ' }, { value: 'Please choose a tag.' }],
	[{ action: 'tag' as const, value: 'a, b' }, { value: 'Use a name without a comma.' }],
	[{ action: 'untag' as const, value: 'none' }, { value: 'There is no such tag.' }],
])('%o is refused with a sentence', async (wrong, fields) => {
	const { ask, make } = await setup();
	const { id } = await make();
	await expect(ask(bulkPosts, { ids: [id], action: 'feature', ...wrong })).rejects.toMatchObject({
		code: 'validation',
		fields,
	});
});

test('a post takes no more tags than it may have', async () => {
	const { ask, make } = await setup();
	const full = await make({ title: 'Full', tags: Array.from({ length: 20 }, (_, n) => `T${n}`) });
	expect(await ask(bulkPosts, { ids: [full.id], action: 'tag', value: 'More' })).toEqual({
		undo: null,
		changed: 0,
		skipped: [{ id: full.id, title: 'Full', why: 'It has 20 tags already.' }],
	});
	expect(await ask(bulkPosts, { ids: [full.id], action: 'tag', value: 't3' })).toMatchObject({
		changed: 0,
		skipped: [],
	});
});

test('all posts of a filter are 1,000 ids, and one action with them is one batch that is undone whole', async () => {
	const { db, ask, category, away } = await setup();
	const rows = Array.from({ length: 1000 }, (_, n) => ({
		id: `p${n}`,
		title: `Post ${n}`,
		slug: `post-${n}`,
		content: '<p>Words.</p>',
		author: 'Grace',
		categoryId: category.id,
		published: n % 2 === 0,
		publishedAt: n % 2 === 0 ? new Date(1_700_000_000_000 + n) : null,
	}));
	await db.insert(posts).values(rows);
	const { ids } = await ask(listPostIds, { state: 'draft', category: 'home' });
	expect(ids).toHaveLength(500);
	const before = await state(db);
	const tokens = [];
	for (const [action, value] of [
		['publish'],
		['category', away.id],
		['tag', 'All'],
		['delete'],
	] as const) {
		const { undo, changed } = await ask(bulkPosts, { ids, action, value });
		expect(changed).toBe(500);
		tokens.push(undo!);
	}
	expect(await db.$count(posts, inArray(posts.categoryId, [away.id]))).toBe(500);
	for (const token of tokens.reverse()) {
		expect(await ask(undoAction, { token })).toMatchObject({ changed: 500, kept: 0 });
	}
	expect(await state(db)).toEqual(before);
});
