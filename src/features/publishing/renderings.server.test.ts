import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { posts, postTags, renderedPosts, tags } from '#db/schema.ts';
import { digest } from '#src/lib/digest.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost, tagPost } from '#tests/support/factories.ts';
import { RENDERER_VERSION } from './render.ts';
import { renderStalePosts } from './renderings.server.ts';

/** Two posts, both rendered. */
async function setup() {
	const db = await useTestDb();
	const { id: categoryId } = await makeCategory(db);
	const post = await makePost(db, {
		title: 'One',
		excerpt: 'First.',
		tags: ['a', 'b'],
		categoryId,
	});
	const other = await makePost(db, { title: 'Two', tags: ['b'], published: false, categoryId });
	expect(await renderStalePosts(db)).toBe(2);
	const update = (values: Partial<typeof posts.$inferInsert>) =>
		db.update(posts).set(values).where(eq(posts.id, post.id));
	const rendering = async (id = post.id) => {
		const [row] = await db.select().from(renderedPosts).where(eq(renderedPosts.postId, id));
		return row;
	};
	return { db, post, other, update, rendering };
}

test('every post is rendered, drafts as well, with its headings, its words and a digest', async () => {
	const { db, post, update, rendering } = await setup();
	await update({ content: '<h2>Why</h2><p>Because.</p><script>evil()</script>' });
	await renderStalePosts(db);
	const row = await rendering();
	expect(row).toMatchObject({
		postId: post.id,
		renderer: RENDERER_VERSION,
		digest: digest(row!.html),
		headings: [{ depth: 2, slug: 'why', text: 'Why' }],
		title: 'One',
		excerpt: 'First.',
		tags: 'a, b',
		body: 'Why\nBecause.',
	});
	expect(row!.html).toMatch(/^<h2 id="why">Why<a [^>]*><\/a><\/h2><p>Because.<\/p>$/);
});

test('what is up to date is not rendered again', async () => {
	const { db, rendering } = await setup();
	const before = await rendering();
	expect(await renderStalePosts(db)).toBe(0);
	expect(await rendering()).toEqual(before);
});

test('a post without excerpt and tags is up to date as well', async () => {
	const { db } = await setup();
	await makePost(db, { excerpt: null });
	expect(await renderStalePosts(db)).toBe(1);
	expect(await renderStalePosts(db)).toBe(0);
});

test.each([
	['its content', { content: '<p>New words.</p>' }, { body: 'New words.' }],
	['its title', { title: 'New title' }, { title: 'New title' }],
	['its excerpt', { excerpt: 'New excerpt' }, { excerpt: 'New excerpt' }],
	['its excerpt taken away', { excerpt: null }, { excerpt: '' }],
])('a post with %s changed is rendered again, once, and no other', async (_, values, expected) => {
	const { db, other, update, rendering } = await setup();
	const untouched = await rendering(other.id);
	await update(values);
	expect(await renderStalePosts(db)).toBe(1);
	expect(await rendering()).toMatchObject(expected);
	expect(await rendering(other.id)).toEqual(untouched);
	expect(await renderStalePosts(db)).toBe(0);
});

test.each([
	['readTime', { readTime: 9 }],
	['featured', { featured: true }],
	['published', { published: false }],
	['slug', { slug: 'new-slug' }],
	['metaTitle', { metaTitle: 'New' }],
])('%s is no part of a rendering', async (_, values) => {
	const { db, update } = await setup();
	await update(values);
	expect(await renderStalePosts(db)).toBe(0);
});

test('a tag that was added, taken away or deleted renders its posts again, once', async () => {
	const { db, post, rendering } = await setup();
	const added = await tagPost(db, post.id, 'c', 2);
	expect(await renderStalePosts(db)).toBe(1);
	expect((await rendering())?.tags).toBe('a, b, c');
	await db.delete(postTags).where(eq(postTags.tagId, added.id));
	expect(await renderStalePosts(db)).toBe(1);
	expect((await rendering())?.tags).toBe('a, b');
	await db.delete(tags).where(eq(tags.name, 'b'));
	expect(await renderStalePosts(db)).toBe(2);
	expect((await rendering())?.tags).toBe('a');
	expect(await renderStalePosts(db)).toBe(0);
});

test('a renamed tag renders each of its posts again, once', async () => {
	const { db, rendering } = await setup();
	await db.update(tags).set({ name: 'renamed' }).where(eq(tags.name, 'a'));
	expect(await renderStalePosts(db)).toBe(1);
	expect((await rendering())?.tags).toBe('renamed, b');
	await db.update(tags).set({ name: 'shared' }).where(eq(tags.name, 'b'));
	expect(await renderStalePosts(db)).toBe(2);
	expect(await renderStalePosts(db)).toBe(0);
});

test('a new renderer renders everything again, once', async () => {
	const { db, rendering } = await setup();
	expect(await renderStalePosts(db, 'next')).toBe(2);
	expect((await rendering())?.renderer).toBe('next');
	expect(await renderStalePosts(db, 'next')).toBe(0);
});

test('a deleted post leaves no rendering', async () => {
	const { db, post } = await setup();
	await db.delete(posts).where(eq(posts.id, post.id));
	expect(await db.$count(renderedPosts)).toBe(1);
	expect(await renderStalePosts(db)).toBe(0);
});

test.each([
	['content', { content: '<p>Edited.</p>' }, { body: 'Edited.' }],
	['excerpt', { excerpt: 'Edited.' }, { excerpt: 'Edited.' }],
])(
	'a post whose %s is edited while it is rendered, for the first time or again, is left for the next time',
	async (_, values, expected) => {
		const { db, post, update, rendering } = await setup();
		for (const prepare of [() => db.delete(renderedPosts), () => update({ title: 'Stale' })]) {
			await prepare();
			await meanwhile(db, () => update(values));
			await renderStalePosts(db);
			expect((await rendering())?.digest ?? '').toBe('');
			expect(await renderStalePosts(db)).toBe(1);
			expect(await rendering()).toMatchObject(expected);
			await update({ content: post.content, excerpt: post.excerpt });
		}
	},
);

test('a post that is deleted while it is rendered stops no other', async () => {
	const { db, post, other, rendering } = await setup();
	await db.delete(renderedPosts);
	await meanwhile(db, () => db.delete(posts).where(eq(posts.id, post.id)));
	await renderStalePosts(db);
	expect(await rendering()).toBeUndefined();
	expect(await rendering(other.id)).toMatchObject({ title: 'Two' });
});

test('many posts are rendered in portions, and each portion is told', async () => {
	const db = await useTestDb();
	const { id: categoryId } = await makeCategory(db);
	const rows = Array.from({ length: 101 }, (_, index) => ({
		title: `${index}`,
		slug: `${index}`,
		content: '<p>x</p>',
		author: 'Grace',
		categoryId,
	}));
	await db.insert(posts).values(rows);
	const told: [number, number][] = [];
	expect(await renderStalePosts(db, RENDERER_VERSION, (...progress) => told.push(progress))).toBe(
		101,
	);
	expect(told).toEqual([
		[100, 101],
		[101, 101],
	]);
	expect(await db.$count(renderedPosts)).toBe(101);
});

/** Lets somebody change something just before the next batch is written. */
async function meanwhile(
	db: Awaited<ReturnType<typeof useTestDb>>,
	change: () => PromiseLike<unknown>,
) {
	const batch = db.batch.bind(db);
	vi.spyOn(db, 'batch').mockImplementationOnce(async (statements) => {
		await change();
		return batch(statements);
	});
}
