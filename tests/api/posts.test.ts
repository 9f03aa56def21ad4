import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { postCounts, posts, postTotals } from '#db/schema.ts';
import * as counts from '#src/features/counts/counts.api.ts';
import { addCounts } from '#src/features/counts/counts.server.ts';
import * as api from '#src/features/posts/posts.api.ts';
import { DAY } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost } from '#tests/support/factories.ts';

const NOON = new Date('2026-03-01T12:00:00Z');
const daysAgo = (days: number) => new Date(NOON.getTime() - days * DAY);

async function setup() {
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	const category = await makeCategory(db, { name: 'Robotics' });
	const make = (title: string, values: Parameters<typeof makePost>[1] = {}) =>
		makePost(db, { title, categoryId: category.id, ...values });
	/** Stores a post's views and shares of one day. */
	const count = (postId: string, days: number, { views = 0, shares = 0 }) =>
		db.batch(
			addCounts(db, { postId, day: Math.floor(NOON.getTime() / DAY) - days, views, shares }),
		);
	return { db, category, make, count };
}

const list = (limit?: number) => call(api.listPosts, { limit }, fetchApi());
const slugs = (rows: { slug: string }[]) => rows.map(({ slug }) => slug);

/** Posts that nobody but the admin may see, beside one that everybody may. */
async function setupHidden() {
	const { db, make } = await setup();
	const draft = { published: false, featured: true, tags: ['shared'] };
	const hidden = [
		await make('a draft', draft),
		await make('a draft without a date', { ...draft, publishedAt: null }),
		await make('a post of the next moment', {
			featured: true,
			tags: ['shared'],
			publishedAt: new Date(NOON.getTime() + 1),
		}),
	];
	const shown = await make('shown', { featured: true, tags: ['shared'], publishedAt: NOON });
	for (const { id } of hidden)
		await db.batch(addCounts(db, { postId: id, day: 20000, views: 9, shares: 9 }));
	return { db, hidden, shown };
}

test('a list holds what product.md section 3 names, and neither content nor flags', async () => {
	const { make, count } = await setup();
	const post = await make('Kalman filters', {
		excerpt: 'Careful averaging.',
		readTime: 7,
		publishedAt: daysAgo(1),
	});
	await count(post.id, 1, { views: 3, shares: 1 });
	await count(post.id, 0, { views: 2 });
	expect(await list()).toEqual([
		{
			id: post.id,
			slug: 'kalman-filters',
			title: 'Kalman filters',
			excerpt: 'Careful averaging.',
			featuredImage: null,
			author: 'Grace',
			category: { name: 'Robotics', slug: 'robotics' },
			readTime: 7,
			publishedAt: daysAgo(1).toISOString(),
			views: 5,
			shareCount: 1,
		},
	]);
});

test('a site without posts has an empty list', async () => {
	await setup();
	expect(await list()).toEqual([]);
});

test('a list has the newest first, undated posts last', async () => {
	const { make } = await setup();
	await make('older', { publishedAt: daysAgo(2) });
	await make('undated', { publishedAt: null });
	await make('newest', { publishedAt: daysAgo(0) });
	await make('newer', { publishedAt: daysAgo(1) });
	expect(slugs(await list())).toEqual(['newest', 'newer', 'older', 'undated']);
});

test('a limit of 1 to 100 is kept; without one all posts are listed', async () => {
	const { db, category } = await setup();
	const rows = Array.from({ length: 101 }, (_, index) => ({
		title: `${index}`,
		slug: `post-${index}`,
		content: '',
		author: 'Grace',
		categoryId: category.id,
		published: true,
		publishedAt: daysAgo(index),
	}));
	await db.insert(posts).values(rows);
	expect(slugs(await list(1))).toEqual(['post-0']);
	expect(slugs(await list(8))).toEqual(slugs(await list()).slice(0, 8));
	expect(await list(100)).toHaveLength(100);
	expect(await list()).toHaveLength(101);
});

test.each(['0', '101', '-1', '1.5', 'eight', '', '1e9', 'NaN'])(
	'a limit of "%s" is refused',
	async (limit) => {
		await setup();
		const response = await fetchApi()(`/api/posts?limit=${limit}`);
		expect(response.status).toBe(400);
		expect(await response.json()).toMatchObject({
			error: {
				code: 'validation',
				fields: { limit: 'limit must be a whole number from 1 to 100' },
			},
		});
	},
);

test('a draft and a post of the future are in no list', async () => {
	const { shown } = await setupHidden();
	expect(slugs(await list())).toEqual(['shown']);
	expect(slugs(await call(api.listFeatured, {}, fetchApi()))).toEqual(['shown']);
	expect(slugs(await call(counts.listTrending, {}, fetchApi()))).toEqual(['shown']);
	expect(slugs(await call(counts.listMostShared, {}, fetchApi()))).toEqual(['shown']);
	expect(await call(api.listRelated, { id: shown.id }, fetchApi())).toEqual([]);
});

test('a draft and a post of the future are not found by slug, nor related to anything', async () => {
	const { hidden } = await setupHidden();
	for (const { id, slug } of hidden) {
		await expect(call(api.getPost, { slug }, fetchApi())).rejects.toMatchObject({
			code: 'not_found',
		});
		await expect(call(api.listRelated, { id }, fetchApi())).rejects.toMatchObject({
			code: 'not_found',
		});
	}
});

test('a post of the future is public once its time has come', async () => {
	const { hidden } = await setupHidden();
	vi.setSystemTime(NOON.getTime() + 1);
	expect(slugs(await list())).toEqual([hidden[2]!.slug, 'shown']);
});

test('the featured list holds the marked posts only', async () => {
	const { make } = await setup();
	await make('plain');
	await make('marked', { featured: true });
	expect(slugs(await call(api.listFeatured, {}, fetchApi()))).toEqual(['marked']);
});

test('a post has its content, its category and its tags in their own order', async () => {
	const { category, make } = await setup();
	const post = await make('Kalman filters', { tags: ['Zeta', 'alpha'], content: '<p>Hello</p>' });
	const answer = await call(api.getPost, { slug: 'kalman-filters' }, fetchApi());
	const {
		version: _v,
		deletedAt: _d,
		changedAt: _c,
		reviewedAt: _r,
		searchedAs: _s,
		related: _l,
		staleAfter: _a,
		...shown
	} = post;
	expect(answer).toEqual({
		...shown,
		metaTitle: 'Kalman filters',
		publishedAt: post.publishedAt?.toISOString(),
		createdAt: post.createdAt.toISOString(),
		updatedAt: post.updatedAt.toISOString(),
		category: { name: 'Robotics', slug: 'robotics' },
		categoryId: category.id,
		content: '<p>Hello</p>',
		tags: [
			{ id: expect.any(String), name: 'Zeta', slug: 'zeta' },
			{ id: expect.any(String), name: 'alpha', slug: 'alpha' },
		],
	});
});

test('a post without tags has an empty list of them', async () => {
	const { make } = await setup();
	await make('bare');
	expect((await call(api.getPost, { slug: 'bare' }, fetchApi())).tags).toEqual([]);
});

test.each(['nowhere', 'KALMAN', "' or 1=1 --", '%', 'a/b', 'ünïcode'])(
	'no post is found at "%s"',
	async (slug) => {
		const { make } = await setup();
		await make('kalman');
		await expect(call(api.getPost, { slug }, fetchApi())).rejects.toMatchObject({
			code: 'not_found',
			message: "We couldn't find what you were looking for.",
		});
	},
);

async function setupRelated() {
	const { db, make } = await setup();
	const other = await makeCategory(db, { name: 'Ethics' });
	const self = await make('self', { tags: ['a', 'b', 'c'] });
	await make('same category, older', { publishedAt: daysAgo(9) });
	await make('same category, newer', { publishedAt: daysAgo(8) });
	await make('one tag, same category', { tags: ['a'], publishedAt: daysAgo(7) });
	await make('one tag, elsewhere', {
		tags: ['b', 'x'],
		categoryId: other.id,
		publishedAt: daysAgo(1),
	});
	await make('two tags, elsewhere', {
		tags: ['c', 'a'],
		categoryId: other.id,
		publishedAt: daysAgo(20),
	});
	await make('nothing in common', { tags: ['x'], categoryId: other.id });
	const related = (query: object = {}) =>
		call(api.listRelated, { id: self.id, ...query }, fetchApi());
	return { self, other, related };
}

test('related posts have most shared tags first, then the same category, then the newest', async () => {
	const { related } = await setupRelated();
	const titles = (await related({ limit: 10 })).map(({ title }) => title);
	expect(titles).toEqual([
		'two tags, elsewhere',
		'one tag, same category',
		'one tag, elsewhere',
		'same category, newer',
		'same category, older',
	]);
	expect((await related()).map(({ title }) => title)).toEqual(titles.slice(0, 3));
});

test('related posts can be asked for another category and for tags by id, slug or name', async () => {
	const { self, other, related } = await setupRelated();
	const { tags } = await call(api.getPost, { slug: self.slug }, fetchApi());
	const titles = async (query: object) => (await related(query)).map(({ title }) => title);
	const withA = ['one tag, same category', 'two tags, elsewhere'];
	expect((await titles({ tags: ['a'] })).slice(0, 2)).toEqual(withA);
	expect((await titles({ tags: [tags[0]!.id] })).slice(0, 2)).toEqual(withA);
	expect(await titles({ tags: ['x', 'b'], categoryId: other.id })).toEqual([
		'one tag, elsewhere',
		'nothing in common',
		'two tags, elsewhere',
	]);
	expect(await titles({ tags: ['unknown'], categoryId: 'unknown' })).toEqual([]);
});

test('a related post has what its row shows', async () => {
	const { related } = await setupRelated();
	expect(Object.keys((await related({ limit: 1 }))[0]!).sort()).toEqual(
		[
			'category',
			'excerpt',
			'featuredImage',
			'id',
			'publishedAt',
			'readTime',
			'slug',
			'title',
		].sort(),
	);
});

test('a post that does not exist has no related posts, and a wrong limit is refused', async () => {
	const { related } = await setupRelated();
	await expect(related({ id: 'nowhere' })).rejects.toMatchObject({
		code: 'not_found',
		message: 'Failed to fetch related posts',
	});
	await expect(related({ limit: 0 })).rejects.toMatchObject({ code: 'validation' });
	await expect(related({ tags: Array(51).fill('a') })).rejects.toMatchObject({
		code: 'validation',
	});
});

test('trending ranks by views that lose half their weight in a week', async () => {
	const { make, count } = await setup();
	const old = await make('old', { publishedAt: daysAgo(50) });
	const fresh = await make('fresh', { publishedAt: daysAgo(40) });
	const steady = await make('steady', { publishedAt: daysAgo(30) });
	await count(old.id, 14, { views: 100 });
	await count(fresh.id, 0, { views: 26 });
	await count(steady.id, 7, { views: 40 });
	await count(steady.id, 0, { views: 4 });
	// Weights: 100 / 4 = 25, 26, and 40 / 2 + 4 = 24.
	const trending = await call(counts.listTrending, {}, fetchApi());
	expect(slugs(trending)).toEqual(['fresh', 'old', 'steady']);
	expect(trending.map(({ views }) => views)).toEqual([26, 100, 44]);
});

test('trending weighs single days, not whole weeks', async () => {
	const { make, count } = await setup();
	const before = await make('before', { publishedAt: daysAgo(1) });
	const today = await make('today', { publishedAt: daysAgo(2) });
	await count(before.id, 3, { views: 10 });
	await count(today.id, 0, { views: 9 });
	expect(slugs(await call(counts.listTrending, {}, fetchApi()))).toEqual(['today', 'before']);
});

test('trending shows five posts, filled up with the newest where nothing was read', async () => {
	const { make, count } = await setup();
	for (let index = 0; index < 6; index++)
		await make(`post ${index}`, { publishedAt: daysAgo(index) });
	const read = await make('read', { publishedAt: daysAgo(99) });
	await count(read.id, 3, { views: 1 });
	expect(slugs(await call(counts.listTrending, {}, fetchApi()))).toEqual([
		'read',
		'post-0',
		'post-1',
		'post-2',
		'post-3',
	]);
});

test('most shared shows three posts by all their shares, the newest first among equals', async () => {
	const { make, count } = await setup();
	const made = [];
	for (let index = 0; index < 4; index++)
		made.push(await make(`post ${index}`, { publishedAt: daysAgo(index) }));
	await count(made[3]!.id, 100, { shares: 3 });
	await count(made[2]!.id, 1, { shares: 1 });
	await count(made[2]!.id, 2, { shares: 1 });
	const shared = await call(counts.listMostShared, {}, fetchApi());
	expect(slugs(shared)).toEqual(['post-3', 'post-2', 'post-0']);
	expect(shared.map(({ shareCount }) => shareCount)).toEqual([3, 2, 0]);
});

test('a category with posts cannot be deleted, and a deleted post takes its counts along', async () => {
	const { db, make, count } = await setup();
	const post = await make('counted');
	await count(post.id, 0, { views: 1 });
	await expect(db.run('delete from categories')).rejects.toThrow();
	await db.delete(posts).where(eq(posts.id, post.id));
	expect([await db.$count(postCounts), await db.$count(postTotals)]).toEqual([0, 0]);
});
