import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { media, posts, postTags, renderedPosts, tags } from '#db/schema.ts';
import { digest } from '#src/lib/digest.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost, tagPost } from '#tests/support/factories.ts';
import { describeProblems } from '#src/core/builds/problems.server.ts';
import { RENDERER_VERSION } from './render.ts';
import { renderToStore } from './render-to-store.ts';
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
	const other = await makePost(db, { title: 'Two', tags: ['b'], categoryId });
	expect(await renderStalePosts(db)).toBe(2);
	const update = (values: Partial<typeof posts.$inferInsert>) =>
		db.update(posts).set(values).where(eq(posts.id, post.id));
	const rendering = async (id = post.id) => {
		const [row] = await db.select().from(renderedPosts).where(eq(renderedPosts.postId, id));
		return row;
	};
	return { db, post, other, update, rendering };
}

test('every published post is rendered, with its headings, its words and a digest', async () => {
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
		published: true,
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

test('very many posts are rendered in threads, and come out as few do', async () => {
	const said = vi.spyOn(console, 'error').mockImplementation(() => {});
	const db = await useTestDb();
	const { id: categoryId } = await makeCategory(db);
	const drawing = 'drawing-1';
	const svg =
		'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0L9 9"/></svg>';
	await db.insert(media).values({
		id: drawing,
		...{
			name: 'a.svg',
			type: 'image/svg+xml',
			width: 9,
			height: 9,
			size: svg.length,
			digest: 'any',
		},
		bytes: Buffer.from(svg),
	});
	const contents = [
		'<h2>Why</h2><p>“Because.”</p>',
		'<pre><code class="language-python">x = 1  # one</code></pre>',
		'<p><span data-type="inline-math" data-latex="x^2"></span></p>',
		`<figure><img src="/api/media/${drawing}" alt="A line"><figcaption>Up.</figcaption></figure>`,
	];
	const deep = '<div>'.repeat(20_000) + 'Deep';
	const rows = Array.from({ length: 600 }, (_, index) => ({
		title: `${index}`,
		slug: `${index}`,
		content: index === 0 ? deep : contents[index % contents.length]!,
		author: 'Grace',
		published: true,
		categoryId,
	}));
	await db.insert(posts).values(rows);
	const told: number[] = [];
	expect(await renderStalePosts(db, RENDERER_VERSION, (done) => told.push(done))).toBe(600);
	expect(told).toEqual([100, 200, 300, 400, 500, 600]);
	const stored = await db
		.select({
			title: renderedPosts.title,
			html: renderedPosts.html,
			headings: renderedPosts.headings,
			text: renderedPosts.body,
			markdown: renderedPosts.markdown,
			cover: renderedPosts.cover,
		})
		.from(renderedPosts);
	expect(stored).toHaveLength(600);
	const alone = await Promise.all(
		contents.map((content) => renderToStore({ content, drawings: new Map([[drawing, svg]]) })),
	);
	expect(alone[3]).toMatchObject({ html: expect.stringContaining('<svg ') });
	for (const { title, ...rendering } of stored) {
		expect(rendering).toEqual(
			title === '0'
				? expect.objectContaining({ html: '<p>Deep</p>' })
				: alone[Number(title) % contents.length],
		);
	}
	expect(said).toHaveBeenCalledOnce();
	said.mockRestore();
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

test('neither drafts nor deleted posts are rendered, until they are public', async () => {
	const { db } = await setup();
	const draft = await makePost(db, { title: 'Draft', published: false });
	await makePost(db, { title: 'Gone', deletedAt: new Date() });
	expect(await renderStalePosts(db)).toBe(0);
	await db.update(posts).set({ published: true }).where(eq(posts.id, draft.id));
	expect(await renderStalePosts(db)).toBe(1);
});

describe('what cannot be rendered', () => {
	const DEEP = '<div>'.repeat(20_000) + 'Words that count &amp; stay.' + '</div>'.repeat(20_000);

	test.each([
		['nested elements', DEEP],
		['nested elements in a list', '<ul><li>'.repeat(8000) + 'Deep'],
	])('%s keep the text that was there, say why, and hold up no other', async (_, content) => {
		const said = vi.spyOn(console, 'error').mockImplementation(() => {});
		const { db, post, other, update, rendering } = await setup();
		const before = await rendering();
		await update({ content, title: 'Too deep' });
		await db.update(posts).set({ content: '<p>New.</p>' }).where(eq(posts.id, other.id));
		expect(await renderStalePosts(db)).toBe(2);
		expect(await rendering()).toMatchObject({
			html: before!.html,
			digest: before!.digest,
			title: 'Too deep',
		});
		expect((await rendering(other.id))!.html).toBe('<p>New.</p>');
		expect(await describeProblems(db)).toMatch(
			/^“Too deep” keeps the text it had: .+nested too deep/,
		);
		expect(said).toHaveBeenCalledTimes(1);
		// Not tried again until its text changes.
		expect(await renderStalePosts(db)).toBe(0);
		await db.update(posts).set({ content: '<p>Mended.</p>' }).where(eq(posts.id, post.id));
		expect(await renderStalePosts(db)).toBe(1);
		expect((await rendering())!.html).toBe('<p>Mended.</p>');
		expect(await describeProblems(db)).toBeNull();
		said.mockRestore();
	});

	test('an article that was never rendered shows its plain text', async () => {
		const said = vi.spyOn(console, 'error').mockImplementation(() => {});
		const { db, rendering } = await setup();
		const { id } = await makePost(db, { title: 'New', content: DEEP });
		await renderStalePosts(db);
		expect(await rendering(id)).toMatchObject({
			html: '<p>Words that count &#x26; stay.</p>',
			body: 'Words that count & stay.',
			headings: [],
		});
		said.mockRestore();
	});

	test.each([
		['braces', '{'.repeat(1900)],
		['closed braces', '{'.repeat(900) + 'x' + '}'.repeat(900)],
		['fractions', '\\frac{1'.repeat(600)],
		['length', 'x+'.repeat(20_000)],
		['matrices', '\\begin{matrix}'.repeat(300)],
		['left parentheses', '\\left('.repeat(2000)],
		['exponents', 'x^'.repeat(2000)],
		['roots', '\\sqrt'.repeat(2000)],
	])('a formula of many %s is shown as it was typed, and the rest as ever', async (_, latex) => {
		const { db, update, rendering } = await setup();
		await update({
			content: `<p>Before <span data-type="inline-math" data-latex="${latex}"></span> after.</p>`,
		});
		expect(await renderStalePosts(db)).toBe(1);
		const { html } = (await rendering())!;
		expect(html).toMatch(/^<p>Before <.+> after\.<\/p>$/s);
		expect(await describeProblems(db)).toBeNull();
	});
});
