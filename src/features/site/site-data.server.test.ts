import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { categories, posts, postTags, tags } from '#db/schema.ts';
import { listRelated } from '#src/features/posts/posts.server.ts';
import { useTestDb } from '#tests/support/db.ts';
import { seedContent, unrendered } from '#tests/support/seed.ts';
import { readSite } from './load.server.ts';
import { paginate, staticPath } from './site-data.server.ts';
import type { Article, SeriesPlace, Site } from './site.ts';
import { updateVectors } from '#src/core/meaning/model.server.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';

const now = new Date('2026-06-01T12:00:00Z');

/** Sixty posts in three categories with up to four of six tags, some of one time, one draft, one of tomorrow. */
async function setup() {
	const db = await useTestDb();
	await db
		.insert(categories)
		.values([0, 1, 2].map((n) => ({ id: `c${n}`, name: `C${n}`, slug: `c${n}` })));
	await db
		.insert(tags)
		.values([0, 1, 2, 3, 4, 5].map((n) => ({ id: `t${n}`, name: `T${n}`, slug: `t${n}` })));
	const numbers = Array.from({ length: 60 }, (_, n) => n);
	await db.insert(posts).values(
		numbers.map((n) => ({
			id: `p${String(n).padStart(2, '0')}`,
			slug: `post-${n}`,
			title: `Post ${n}`,
			content: `<p>Text ${n}</p>`,
			author: 'Groundtruth',
			categoryId: `c${(n * 7) % 3}`,
			published: n !== 11,
			publishedAt: new Date(Date.UTC(2026, n === 12 ? 6 : 1, 1 + Math.floor(n / 4))),
		})),
	);
	const links = numbers.flatMap((n) =>
		[0, 1, 2, 3, 4, 5]
			.filter((t) => (n * 31 + t * 17) % 5 < 2)
			.slice(0, 4)
			.map((t, position) => ({
				postId: `p${String(n).padStart(2, '0')}`,
				tagId: `t${t}`,
				position,
			})),
	);
	await db.insert(postTags).values(links);
	await renderStalePosts(db);
	return { db, site: await readSite(db, now) };
}

test('related posts in the prebuilt pages are those of the API', async () => {
	const { db, site } = await setup();
	expect(site.articles).toHaveLength(58);
	await expectSameRelated(db, site, now);
});

test('related posts in the prebuilt pages are those of the API, for the articles of the site', async () => {
	const db = await useTestDb();
	await seedContent(db, unrendered);
	await renderStalePosts(db);
	const later = new Date('2027-06-01T12:00:00Z');
	await expectSameRelated(db, await readSite(db, later), later);
	await updateVectors(db);
	const site = await readSite(db, later);
	expect(site.articles.length).toBeGreaterThan(30);
	expect(site.articlePages.every(({ related }) => related.length === 3)).toBe(true);
	await expectSameRelated(db, site, later);
}, 120_000);

async function expectSameRelated(db: Db, site: Site, at: Date): Promise<void> {
	expect(site.articlePages.map(({ article }) => article)).toEqual(site.articles);
	for (const { article, related } of site.articlePages) {
		const answer = await listRelated(db, { id: article.post.id }, at);
		expect(
			related.map(({ slug }) => slug),
			article.post.slug,
		).toEqual(answer?.map(({ slug }) => slug));
	}
}

test('an article has as many words as can be counted in it, across paragraphs and lines of code', async () => {
	const { db } = await setup();
	const content = '<p>One two.</p><ul><li>Three</li></ul><pre><code>four five\nsix</code></pre>';
	await db.update(posts).set({ content }).where(eq(posts.id, 'p10'));
	await db.update(posts).set({ content: '' }).where(eq(posts.id, 'p13'));
	await renderStalePosts(db);
	const { articles } = await readSite(db, now);
	const wordsOf = (slug: string) => articles.find(({ post }) => post.slug === slug)?.wordCount;
	expect([wordsOf('post-10'), wordsOf('post-13'), wordsOf('post-1')]).toEqual([6, 0, 2]);
});

test('neither a draft nor a post of tomorrow is anywhere in the site', async () => {
	const { site } = await setup();
	const everything = JSON.stringify([site.articles, [...site.byTag], [...site.byCategory]]);
	expect(everything).toContain('"post-10"');
	expect(everything).not.toContain('"post-11"');
	expect(everything).not.toContain('"post-12"');
});

test('a new article changes three pages of a list at most, however long the list is', () => {
	const articles = Array.from(
		{ length: 2400 },
		(_, n) =>
			({ post: { slug: `post-${n}`, publishedAt: null }, series: [] as SeriesPlace[] }) as Article,
	);
	const keysOf = (list: Article[]) =>
		paginate(list).map((page) => staticPath({ page: page.page }, { list: page }).cacheKey);
	const [newest, ...older] = articles;
	const known = new Set(keysOf(older));
	const made = keysOf([newest!, ...older]);
	expect(made).toHaveLength(100);
	expect(made.filter((key) => !known.has(key))).toHaveLength(2);
	// A full page with the same articles, which is not the one behind the first any more.
	const [, before] = keysOf(articles.slice(0, 48));
	expect(keysOf([...articles.slice(0, 24), newest!, ...articles.slice(24, 48)])[2]).not.toBe(
		before,
	);
	expect(paginate([])).toEqual([{ rows: [], total: 0, page: 1, newer: null, older: null }]);
});

test("a path's cache key changes with anything in its props", () => {
	const key = (props: object) => staticPath({ slug: 'a' }, props).cacheKey;
	expect(key({ a: 1, b: [1] })).toBe(key({ a: 1, b: [1] }));
	expect(key({ a: 1, b: [1] })).not.toBe(key({ a: 1, b: [2] }));
});

test('a path is the same object for the same params and props alone', () => {
	const [article, related] = [{ title: 'A' }, ['B']];
	const path = staticPath({ slug: 'a' }, { article, related });
	const again = () => staticPath({ slug: 'a' }, { article, related });
	expect(again()).toBe(path);
	const others = [
		staticPath({ slug: 'b' }, { article, related }),
		staticPath({ slug: 'a' }, { article, related: ['B'] }),
		staticPath({ slug: 'a' }, { article, related: ['C'] }),
		staticPath({ slug: 'a' }, { article }),
		staticPath({ slug: 'a' }, { article, more: related }),
	];
	expect(others.map((other) => other === path)).toEqual(others.map(() => false));
	expect(others.map(({ cacheKey }) => cacheKey === path.cacheKey)).toEqual([
		...[true, true, false, false, false],
	]);
	expect(again()).toEqual(path);
});
