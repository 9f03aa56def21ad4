import { eq, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import type { Db } from '#db/client.ts';
import { auditLog, builds, categories, drafts, posts, postTags, tags, undo } from '#db/schema.ts';
import { listAudit } from '#src/core/audit/audit.api.ts';
import { setBuilder } from '#src/core/builds/builder.server.ts';
import { UNDO_DAYS } from '#src/core/retention.ts';
import { undoAction } from '#src/core/undo/undo.api.ts';
import { listCategories } from '#src/features/categories/categories.api.ts';
import * as posting from '#src/features/posts/editing.api.ts';
import { emptyForm } from '#src/features/posts/editing.ts';
import { listPosts, listRelated } from '#src/features/posts/posts.server.ts';
import { readSite } from '#src/features/site/load.server.ts';
import * as api from '#src/features/taxonomy/taxonomy.api.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { DAY } from '#src/lib/dates.ts';
import { call, type Endpoint } from '#src/lib/endpoint.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost, tagPost } from '#tests/support/factories.ts';
import { copySeed, seedContent, unrendered } from '#tests/support/seed.ts';

async function setup() {
	setBuilder({ build: () => {}, prewarm: () => {} });
	const db = await useTestDb();
	const admin = await asAdmin(db);
	const ask = <In extends object, Out>(endpoint: Endpoint<In, Out>, input: In) =>
		call(endpoint, input, admin);
	return { db, admin, ask };
}

/** Returns what readers and the admin see of it: all that an undo has to bring back. */
async function state(db: Db) {
	return {
		categories: await db
			.select({
				id: categories.id,
				name: categories.name,
				slug: categories.slug,
				color: categories.color,
				cover: categories.cover,
				position: categories.position,
			})
			.from(categories)
			.orderBy(categories.id),
		tags: await db
			.select({ id: tags.id, name: tags.name, slug: tags.slug })
			.from(tags)
			.orderBy(tags.id),
		posts: await db
			.select({
				id: posts.id,
				category: posts.categoryId,
				published: posts.published,
				publishedAt: posts.publishedAt,
				featured: posts.featured,
				deletedAt: posts.deletedAt,
				updatedAt: posts.updatedAt,
			})
			.from(posts)
			.orderBy(posts.id),
		postTags: await db
			.select({ post: postTags.postId, tag: postTags.tagId, position: postTags.position })
			.from(postTags)
			.orderBy(postTags.postId, postTags.tagId),
		drafts: await db.select({ form: drafts.form }).from(drafts).orderBy(drafts.postId),
		redirects: await db.all(sql`select kind, slug, term_id from term_redirects order by 1, 2`),
	};
}

/** The redirects of categories and tags of a build at this moment. */
async function redirects(db: Db) {
	await renderStalePosts(db);
	const { redirects: all } = await readSite(db, new Date());
	return Object.fromEntries(all.map(({ from, to }) => [from, to]));
}

test('a category is made, listed, changed and answered with its version', async () => {
	const { ask } = await setup();
	const made = await ask(api.createCategory, {
		name: '  Weather   Models ',
		description: 'Rain.',
		color: '#3b6692',
	});
	expect(made).toEqual({
		id: made.id,
		name: 'Weather Models',
		slug: 'weather-models',
		description: 'Rain.',
		color: '#3b6692',
		version: 1,
		posts: 0,
	});
	const { undo: token, ...changed } = await ask(api.updateCategory, {
		id: made.id,
		version: 1,
		description: '',
	});
	expect(token).toEqual(expect.any(String));
	expect(changed).toEqual({ ...made, description: null, version: 2 });
	expect(await ask(api.listStoredCategories, {})).toEqual([changed]);
	expect(await ask(api.getCategory, { id: made.id })).toEqual(changed);
	expect(await ask(api.updateCategory, { id: made.id, version: 2, description: '' })).toEqual({
		...changed,
		undo: null,
	});
});

test('a tag is made, listed, described and answered with its version', async () => {
	const { db, ask } = await setup();
	const made = await ask(api.createTag, { name: 'C++' });
	expect(made).toMatchObject({ name: 'C++', slug: 'c', version: 1, posts: 0, description: null });
	const changed = await ask(api.updateTag, { id: made.id, version: 1, description: 'A language.' });
	expect(changed).toMatchObject({ slug: 'c', version: 2, description: 'A language.' });
	await makePost(db, { tags: ['Zebra', 'apple'] });
	const all = await ask(posting.completeTags, {});
	expect(all.map(({ name, posts: count }) => [name, count])).toEqual([
		['apple', 1],
		['C++', 0],
		['Zebra', 1],
	]);
});

test('an outdated version is a conflict that carries what is stored', async () => {
	const { db, admin, ask } = await setup();
	const category = await makeCategory(db, { name: 'First' });
	const tag = await ask(api.createTag, { name: 'First' });
	for (const [path, id] of [
		['categories', category.id],
		['tags', tag.id],
	]) {
		const put = (body: object) =>
			admin(`/api/admin/${path}/${id}`, { method: 'PUT', body: JSON.stringify(body) });
		expect((await put({ version: 1, name: 'Second' })).status).toBe(200);
		const late = await put({ version: 1, name: 'Third' });
		expect(late.status).toBe(409);
		expect(await late.json()).toMatchObject({
			error: { code: 'conflict', message: 'This was changed elsewhere since you opened it.' },
			stored: { id, name: 'Second', slug: 'second', version: 2 },
		});
		// Without a version the save wins.
		expect((await put({ name: 'Third' })).status).toBe(200);
	}
});

test.each([
	[{ name: ' ' }, { name: 'Please enter a name.' }],
	[{ name: 'x'.repeat(101) }, { name: 'Use 100 characters or fewer' }],
	[
		{ name: 'Taken' },
		{ name: 'There is a category “taken” already. To make one of both, merge them.' },
	],
	[{ slug: 'taken' }, { slug: 'Another category has this address.' }],
	[{ color: 'red' }, { color: 'Use a color like #0e7490.' }],
	[
		{ color: '#ffcc00' },
		{
			color: 'Contrast 1.4:1 is too low to read: choose a darker color, with 4.5:1 or more.',
		},
	],
])('%o is refused with a sentence', async (changes, fields) => {
	const { db, ask } = await setup();
	await makeCategory(db, { name: 'taken' });
	const { id } = await makeCategory(db, { name: 'Other' });
	const before = await state(db);
	await expect(ask(api.updateCategory, { id, ...changes })).rejects.toMatchObject({
		code: 'validation',
		fields,
	});
	expect(await state(db)).toEqual(before);
});

test('what is not there is not found', async () => {
	const { ask } = await setup();
	for (const endpoint of [api.getCategory, api.deleteCategory, api.getTag, api.deleteTag]) {
		await expect(ask(endpoint as typeof api.getTag, { id: 'none' })).rejects.toMatchObject({
			code: 'not_found',
		});
	}
});

test('a rename moves the address, and every former one leads there in one step', async () => {
	const { db, ask } = await setup();
	const { id } = await makeCategory(db, { name: 'A', color: '#3b6692' });
	await makePost(db, { categoryId: id, tags: ['A'] });
	const tag = (await db.select().from(tags))[0]!;
	for (const name of ['B', 'C']) {
		expect(await ask(api.updateCategory, { id, name })).toMatchObject({
			name,
			slug: name.toLowerCase(),
		});
		await ask(api.updateTag, { id: tag.id, name });
	}
	expect(await redirects(db)).toEqual({
		'/category/a': '/category/c',
		'/category/a/*': '/category/c/:splat',
		'/category/b': '/category/c',
		'/category/b/*': '/category/c/:splat',
		'/tag/a': '/tag/c',
		'/tag/a/*': '/tag/c/:splat',
		'/tag/b': '/tag/c',
		'/tag/b/*': '/tag/c/:splat',
	});
	// A name that returns wins over the redirect.
	await ask(api.createCategory, { name: 'A' });
	await ask(api.updateTag, { id: tag.id, name: 'A' });
	expect(await redirects(db)).toEqual({
		'/category/b': '/category/c',
		'/category/b/*': '/category/c/:splat',
		'/tag/b': '/tag/a',
		'/tag/b/*': '/tag/a/:splat',
		'/tag/c': '/tag/a',
		'/tag/c/*': '/tag/a/:splat',
	});
});

test('a rename that gives an address keeps to it', async () => {
	const { db, ask } = await setup();
	const { id } = await makeCategory(db, { name: 'Robotics' });
	const kept = await ask(api.updateCategory, { id, name: 'Machines', slug: 'robotics' });
	expect(kept).toMatchObject({ name: 'Machines', slug: 'robotics' });
	const moved = await ask(api.updateCategory, { id, slug: 'Moving Things' });
	expect(moved).toMatchObject({ name: 'Machines', slug: 'moving-things' });
	const [shown] = await call(listCategories, {}, fetchApi());
	expect(shown).toMatchObject({ slug: 'moving-things' });
});

test('merging moves posts, drafts and former addresses; undone, everything is as before', async () => {
	const { db, ask } = await setup();
	const a = await makeCategory(db, { name: 'A' });
	const b = await makeCategory(db, { name: 'B' });
	await ask(api.updateCategory, { id: a.id, name: 'A2' });
	const post = await makePost(db, { title: 'Moves', categoryId: a.id });
	const removed = await makePost(db, { categoryId: a.id, deletedAt: new Date() });
	const stays = await makePost(db, { categoryId: b.id });
	await db.insert(drafts).values({
		postId: stays.id,
		form: { ...emptyForm, categoryId: a.id },
		baseVersion: 1,
	});
	const before = await state(db);
	const merged = await ask(api.mergeCategory, { id: a.id, into: b.id });
	expect(merged).toMatchObject({ id: b.id, name: 'B', moved: 2, posts: 2, version: 1 });
	const moved = await db.select().from(posts).where(eq(posts.categoryId, b.id));
	expect(moved.map(({ id }) => id).sort()).toEqual([post.id, removed.id, stays.id].sort());
	// An open editor notices; readers are not told that the text changed.
	expect(moved.find(({ id }) => id === post.id)).toMatchObject({
		version: 2,
		updatedAt: post.updatedAt,
	});
	expect((await db.select().from(drafts))[0]!.form).toMatchObject({ categoryId: b.id });
	expect(await redirects(db)).toEqual({
		'/category/a': '/category/b',
		'/category/a/*': '/category/b/:splat',
		'/category/a2': '/category/b',
		'/category/a2/*': '/category/b/:splat',
	});
	const undone = await ask(undoAction, { token: merged.undo });
	expect(undone).toEqual({
		message: 'Separated the category “A2” from “B” again.',
		changed: 2,
		kept: 0,
	});
	expect(await state(db)).toEqual(before);
});

test('merged tags are on each post once, in their place, and come back whole', async () => {
	const { db, ask } = await setup();
	const both = await makePost(db, { tags: ['ML', 'Python', 'Machine Learning'] });
	const one = await makePost(db, { tags: ['Python', 'ML'] });
	await db
		.insert(drafts)
		.values({ postId: one.id, form: { ...emptyForm, tags: ['x', 'ml', 'y'] }, baseVersion: 1 });
	const all = await db.select().from(tags);
	const [ml, whole] = ['ML', 'Machine Learning'].map((name) =>
		all.find((tag) => tag.name === name)!,
	);
	const before = await state(db);
	const merged = await ask(api.mergeTag, { id: ml!.id, into: whole!.id });
	expect(merged).toMatchObject({ name: 'Machine Learning', posts: 2, moved: 2 });
	const namesOf = async (id: string) => (await ask(posting.getEditedPost, { id })).form.tags;
	expect(await namesOf(both.id)).toEqual(['Python', 'Machine Learning']);
	expect(await namesOf(one.id)).toEqual(['Python', 'Machine Learning']);
	expect((await db.select().from(drafts))[0]!.form).toMatchObject({
		tags: ['x', 'Machine Learning', 'y'],
	});
	await renderStalePosts(db);
	expect(await redirects(db)).toMatchObject({ '/tag/ml': '/tag/machine-learning' });
	await expect(
		ask(posting.updatePost, { id: one.id, version: 1, title: 'Stale' }),
	).rejects.toMatchObject({ code: 'conflict' });
	await ask(undoAction, { token: merged.undo });
	expect(await state(db)).toEqual(before);
	expect(await namesOf(both.id)).toEqual(['ML', 'Python', 'Machine Learning']);
});

test('a renamed tag is renamed in drafts as well, and search is made anew', async () => {
	const { db, ask } = await setup();
	const post = await makePost(db, { tags: ['Evals'] });
	await db
		.insert(drafts)
		.values({ postId: post.id, form: { ...emptyForm, tags: ['Evals'] }, baseVersion: 1 });
	await renderStalePosts(db);
	const tag = (await db.select().from(tags))[0]!;
	const before = await state(db);
	const renamed = await ask(api.updateTag, { id: tag.id, name: 'Evaluation' });
	expect((await db.select().from(drafts))[0]!.form).toMatchObject({ tags: ['Evaluation'] });
	expect(await renderStalePosts(db)).toBe(1);
	await ask(undoAction, { token: renamed.undo! });
	expect(await state(db)).toEqual(before);
});

test('a category with posts is only deleted with a place for them, and its address is gone', async () => {
	const { db, ask } = await setup();
	const a = await makeCategory(db, { name: 'A' });
	const b = await makeCategory(db, { name: 'B' });
	await makePost(db, { categoryId: a.id });
	await expect(ask(api.deleteCategory, { id: a.id })).rejects.toMatchObject({
		code: 'validation',
		fields: { into: '1 post is in this category: choose where to move it.' },
	});
	for (const into of [a.id, 'none']) {
		await expect(ask(api.deleteCategory, { id: a.id, into })).rejects.toMatchObject({
			code: 'validation',
			fields: { into: expect.any(String) as string },
		});
	}
	await ask(api.updateCategory, { id: a.id, name: 'A2' });
	const before = await state(db);
	const gone = await ask(api.deleteCategory, { id: a.id, into: b.id });
	expect(gone).toMatchObject({ id: a.id, moved: 1 });
	expect(await redirects(db)).toEqual({});
	await ask(undoAction, { token: gone.undo });
	expect(await state(db)).toEqual(before);
	const empty = await ask(api.createCategory, { name: 'Empty' });
	expect(await ask(api.deleteCategory, { id: empty.id })).toMatchObject({ moved: 0 });
});

test('a deleted tag leaves posts and drafts, and comes back to both', async () => {
	const { db, ask } = await setup();
	const post = await makePost(db, { tags: ['Kept', 'Gone'] });
	await db
		.insert(drafts)
		.values({ postId: post.id, form: { ...emptyForm, tags: ['Gone', 'Kept'] }, baseVersion: 1 });
	const tag = (await db.select().from(tags).where(eq(tags.name, 'Gone')))[0]!;
	const before = await state(db);
	const gone = await ask(api.deleteTag, { id: tag.id });
	expect(gone.moved).toBe(1);
	expect((await db.select().from(drafts))[0]!.form).toMatchObject({ tags: ['Kept'] });
	await ask(undoAction, { token: gone.undo });
	expect(await state(db)).toEqual(before);
});

test('categories take the place that they are given, and the order is undone as well', async () => {
	const { db, ask } = await setup();
	for (const [position, name] of ['A', 'B', 'C'].entries())
		await makeCategory(db, { name, position });
	await makeCategory(db, { name: 'D' });
	const order = async () => (await ask(api.listStoredCategories, {})).map(({ name }) => name);
	const [, , c] = await ask(api.listStoredCategories, {});
	const moved = await ask(api.updateCategory, { id: c!.id, position: 0, version: 1 });
	expect(moved.version).toBe(2);
	expect(await order()).toEqual(['C', 'A', 'B', 'D']);
	await ask(undoAction, { token: moved.undo! });
	expect(await order()).toEqual(['A', 'B', 'C', 'D']);
	await ask(api.updateCategory, { id: c!.id, position: 99 });
	expect(await order()).toEqual(['A', 'B', 'D', 'C']);
	await ask(api.createCategory, { name: 'E' });
	expect(await order()).toEqual(['A', 'B', 'D', 'C', 'E']);
});

test('renames are undone one after the other, and only in that order', async () => {
	const { db, ask } = await setup();
	const { id } = await makeCategory(db, { name: 'A' });
	const before = await state(db);
	const first = await ask(api.updateCategory, { id, name: 'B' });
	const second = await ask(api.updateCategory, { id, name: 'C' });
	await expect(ask(undoAction, { token: first.undo! })).rejects.toMatchObject({
		code: 'conflict',
		message: '“A” was changed again since. Undo that first.',
	});
	await ask(undoAction, { token: second.undo! });
	await ask(undoAction, { token: first.undo! });
	expect(await state(db)).toEqual(before);
});

test('an undo that something stands in the way of changes nothing and says what', async () => {
	const { db, ask } = await setup();
	const a = await makeCategory(db, { name: 'A' });
	const b = await makeCategory(db, { name: 'B' });
	const c = await makeCategory(db, { name: 'C' });
	const post = await makePost(db, { categoryId: a.id });
	const { undo: token } = await ask(api.mergeCategory, { id: a.id, into: b.id });
	const refused = async (message: string) => {
		const before = await state(db);
		await expect(ask(undoAction, { token })).rejects.toMatchObject({ code: 'conflict', message });
		expect(await state(db)).toEqual(before);
	};
	const again = await ask(api.createCategory, { name: 'A' });
	await refused('“A” has the name or the address of “A” by now. Rename it first.');
	await ask(api.deleteCategory, { id: again.id });
	const onward = await ask(api.mergeCategory, { id: b.id, into: c.id });
	await refused('“B” was merged or deleted since. Undo that first.');
	await ask(undoAction, { token: onward.undo });
	// A post that moved on stays where it is.
	const other = await makePost(db, { categoryId: b.id });
	await ask(posting.updatePost, { id: post.id, categoryId: c.id });
	expect(await ask(undoAction, { token })).toEqual({
		message: 'Separated the category “A” from “B” again. 1 post changed since stays as now.',
		changed: 0,
		kept: 1,
	});
	const places = await db.select({ id: posts.id, at: posts.categoryId }).from(posts);
	expect(new Map(places.map(({ id, at }) => [id, at]))).toEqual(
		new Map([
			[post.id, c.id],
			[other.id, b.id],
		]),
	);
	await refused('This was undone already.');
});

test('an undo ends after 30 days, and then nothing of it is kept', async () => {
	const { db, ask } = await setup();
	const { id } = await makeCategory(db, { name: 'A' });
	const { undo: token } = await ask(api.updateCategory, { id, name: 'B' });
	await db.update(undo).set({ createdAt: new Date(Date.now() - UNDO_DAYS * DAY) });
	await expect(ask(undoAction, { token: token! })).rejects.toMatchObject({
		code: 'not_found',
		message: 'This can no longer be undone: that is possible for 30 days.',
	});
	const { default: maintain } = await import('#functions/maintenance.ts');
	await maintain();
	expect(await db.$count(undo)).toBe(0);
	await expect(ask(undoAction, { token: 'none' })).rejects.toMatchObject({ code: 'not_found' });
});

test('each action is one entry of the log, which offers to undo it, and one build', async () => {
	const { db, ask } = await setup();
	const a = await makeCategory(db, { name: 'A' });
	const b = await makeCategory(db, { name: 'B' });
	await makePost(db, { categoryId: a.id });
	const { undo: token } = await ask(api.mergeCategory, { id: a.id, into: b.id });
	const log = async () =>
		(await ask(listAudit, { page: 1, sort: '-created', q: '' })).rows.map((row) => [
			row.action,
			row.detail,
			row.undo,
		]);
	expect(await log()).toEqual([['merged', '“A” into “B”', token]]);
	expect((await db.select().from(builds)).map(({ cause }) => cause)).toEqual([
		'Merged “A” into “B”',
	]);
	await ask(undoAction, { token });
	expect(await log()).toEqual([
		['undid', 'merged “A” into “B”', null],
		['merged', '“A” into “B”', null],
	]);
	expect(await db.$count(auditLog)).toBe(2);
});

test('a merge of 1,000 posts is a handful of statements and is undone whole', async () => {
	const { db, ask } = await setup();
	const a = await makeCategory(db, { name: 'A' });
	const b = await makeCategory(db, { name: 'B' });
	const [tag] = await db.insert(tags).values({ name: 'Old', slug: 'old' }).returning();
	const [into] = await db.insert(tags).values({ name: 'New', slug: 'new' }).returning();
	const rows = Array.from({ length: 1000 }, (_, n) => ({
		id: `p${n}`,
		title: `Post ${n}`,
		slug: `post-${n}`,
		content: '<p>Words.</p>',
		author: 'Grace',
		categoryId: a.id,
		published: true,
		publishedAt: new Date(1_700_000_000_000 + n),
	}));
	await db.insert(posts).values(rows);
	await db.insert(postTags).values(rows.map(({ id }) => ({ postId: id, tagId: tag!.id })));
	const before = await state(db);
	const batch = vi.spyOn(db, 'batch');
	const merged = await ask(api.mergeCategory, { id: a.id, into: b.id });
	const tagged = await ask(api.mergeTag, { id: tag!.id, into: into!.id });
	expect([merged.moved, tagged.moved]).toEqual([1000, 1000]);
	const batches = batch.mock.calls.map(([statements]) => statements.length);
	expect(batches.filter((size) => size > 5)).toHaveLength(2);
	expect(Math.max(...batches)).toBeLessThan(25);
	expect(await listRelated(db, { id: 'p1' }, new Date())).toHaveLength(3);
	expect((await listPosts(db, new Date())).every(({ category }) => category.name === 'B')).toBe(
		true,
	);
	expect(await ask(undoAction, { token: tagged.undo })).toMatchObject({ changed: 1000, kept: 0 });
	expect(await ask(undoAction, { token: merged.undo })).toMatchObject({ changed: 1000, kept: 0 });
	expect(await state(db)).toEqual(before);
});

test('the files never bring back what was changed at the desk, and new ones follow it', async () => {
	const { db, ask } = await setup();
	await copySeed(db);
	const find = async (slug: string) =>
		(await db.select().from(categories).where(eq(categories.slug, slug)))[0]!;
	const { id } = await find('machine-learning');
	await ask(api.updateCategory, { id, name: 'Learning', description: 'Mine.', color: '#3b6692' });
	await ask(api.mergeCategory, { id: (await find('mlops')).id, into: id });
	const tag = (await db.select().from(tags).limit(1))[0]!;
	await ask(api.updateTag, { id: tag.id, name: 'Mine' });
	const before = await state(db);
	// A file that is new since then: one that was never seeded.
	await db.run(sql`delete from meta where key like 'seed:post/%'`);
	const old = new Map(before.posts.map((post) => [post.id, post.category]));
	await db.run(sql`delete from posts`);
	await seedContent(db, unrendered);
	const after = await state(db);
	expect(after.categories).toEqual(before.categories);
	expect(after.tags).toEqual(before.tags);
	expect(after.posts).toHaveLength(old.size);
	const count = (list: { category: string }[]) =>
		list.filter((post) => post.category === id).length;
	expect(count(after.posts)).toBe(count(before.posts));
	// One whose category was deleted has none of its own.
	const robotics = await find('robotics');
	await ask(api.deleteCategory, { id: robotics.id, into: id });
	await db.run(sql`delete from meta where key like 'seed:post/%'`);
	await db.run(sql`delete from posts`);
	await seedContent(db, unrendered);
	expect(await db.$count(posts)).toBe(old.size);
	expect(
		await db.$count(posts, eq(posts.categoryId, (await find('uncategorized')).id)),
	).toBeGreaterThan(0);
});

test('the tag of a tag page is described', async () => {
	const { db, ask } = await setup();
	const post = await makePost(db);
	const tag = await tagPost(db, post.id, 'Metrics');
	await ask(api.updateTag, { id: tag.id, description: 'How to count.' });
	await renderStalePosts(db);
	const site = await readSite(db, new Date());
	expect(site.tags).toEqual([
		{ id: tag.id, name: 'Metrics', slug: 'metrics', description: 'How to count.' },
	]);
});

test('the footer and the aliases of the site follow a renamed category', async () => {
	const { db, ask } = await setup();
	await copySeed(db);
	const footer = async () => (await readSite(db, new Date())).footer.map(({ name }) => name);
	expect(await footer()).toEqual([
		'Machine Learning',
		'Natural Language Processing',
		'Computer Vision',
		'AI Ethics',
		'Data Science',
	]);
	const all = await ask(api.listStoredCategories, {});
	const find = (slug: string) => all.find((category) => category.slug === slug)!.id;
	await ask(api.updateCategory, { id: find('ai-ethics'), name: 'Fairness' });
	await ask(api.mergeCategory, { id: find('computer-vision'), into: find('robotics') });
	expect(await footer()).toEqual([
		'Machine Learning',
		'Natural Language Processing',
		'Robotics',
		'Fairness',
		'Data Science',
	]);
	expect(await redirects(db)).toMatchObject({
		'/category/ethics-ai': '/category/fairness',
		'/category/ai-ethics': '/category/fairness',
		'/category/computer-vision': '/category/robotics',
	});
	await ask(api.createCategory, { name: 'Ethics AI' });
	expect(await redirects(db)).not.toHaveProperty('/category/ethics-ai');
});

/** A series of three public posts and a draft, in this order. */
async function makeSeries() {
	const made = await setup();
	const { db, ask } = made;
	const category = await makeCategory(db);
	const [first, second, third] = await Promise.all(
		['One', 'Two', 'Three'].map((title) => makePost(db, { title, categoryId: category.id })),
	);
	const draft = await makePost(db, {
		...{ title: 'Draft', categoryId: category.id },
		...{ published: false, publishedAt: null },
	});
	const articles = [first!.id, draft.id, second!.id, third!.id];
	const series = await ask(api.createSeries, { name: 'From A to C', articles });
	return { ...made, series, first: first!, second: second!, third: third!, draft };
}

test('a series is made, listed, changed, deleted and brought back, with its articles in order', async () => {
	const { db, ask, series, first, second, third, draft } = await makeSeries();
	expect(series).toMatchObject({ slug: 'from-a-to-c', posts: 4, version: 1 });
	expect(series.articles).toEqual([
		{ id: first.id, title: 'One', isPublic: true },
		{ id: draft.id, title: 'Draft', isPublic: false },
		{ id: second.id, title: 'Two', isPublic: true },
		{ id: third.id, title: 'Three', isPublic: true },
	]);
	const { id } = series;
	const changed = await ask(api.updateSeries, {
		...{ id, version: 1, description: 'Slowly.' },
		// Each article is in it once.
		articles: [third.id, first.id, third.id],
	});
	expect(changed.articles.map(({ title }) => title)).toEqual(['Three', 'One']);
	await expect(ask(api.updateSeries, { id, version: 1, name: 'Other' })).rejects.toMatchObject({
		code: 'conflict',
		stored: { version: 2, description: 'Slowly.' },
	});
	await ask(undoAction, { token: changed.undo! });
	expect((await ask(api.getSeries, { id })).articles.map(({ title }) => title)).toEqual([
		...['One', 'Draft', 'Two', 'Three'],
	]);

	await db.update(posts).set({ deletedAt: new Date() }).where(eq(posts.id, second.id));
	expect((await ask(api.getSeries, { id })).posts).toBe(3);
	await expect(ask(api.updateSeries, { id, articles: [second.id] })).rejects.toMatchObject({
		fields: { articles: 'One of these articles was deleted since. Take it out and save again.' },
	});
	await expect(ask(api.createSeries, { name: 'from a to c' })).rejects.toMatchObject({
		fields: { name: 'There is a series “From A to C” already.' },
	});

	const { undo } = await ask(api.deleteSeries, { id });
	expect(await ask(api.listStoredSeries, {})).toEqual([]);
	await ask(undoAction, { token: undo });
	expect(await ask(api.listStoredSeries, {})).toMatchObject([
		{ id, name: 'From A to C', posts: 3 },
	]);
});

test('an article has its place among the public parts of its series, and neighbors in time', async () => {
	const { db, ask, series, first, second, third } = await makeSeries();
	const shown = async () => {
		await renderStalePosts(db);
		const site = await readSite(db, new Date());
		const of = (id: string) => site.articles.find(({ post }) => post.id === id)!;
		return { site, of };
	};
	const { site, of } = await shown();
	expect(site.series).toMatchObject([{ name: 'From A to C', slug: 'from-a-to-c' }]);
	expect(site.series[0]!.articles.map(({ post }) => post.title)).toEqual(['One', 'Two', 'Three']);
	expect(of(second.id).series).toMatchObject([
		{ part: 2, total: 3, previous: { title: 'One' }, next: { title: 'Three' } },
	]);
	expect(of(first.id).series).toMatchObject([{ part: 1, previous: null }]);
	expect(of(third.id).series).toMatchObject([{ part: 3, next: null }]);
	const newest = site.articles.map(({ post }) => post.title);
	expect(site.articles.map(({ newer }) => newer?.title ?? null)).toEqual([
		null,
		...newest.slice(0, -1),
	]);
	expect(site.articles.map(({ older }) => older?.title ?? null)).toEqual([
		...newest.slice(1),
		null,
	]);

	await ask(api.updateSeries, { id: series.id, name: 'The path' });
	expect((await redirects(db))['/series/from-a-to-c']).toBe('/series/the-path');
	await ask(api.updateSeries, { id: series.id, articles: [] });
	const later = await shown();
	expect(later.site.series).toEqual([]);
	expect(later.of(second.id).series).toEqual([]);
	expect((await redirects(db))['/series/from-a-to-c']).toBeUndefined();
});
