import { readdir } from 'node:fs/promises';
import { eq, getTableColumns, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import {
	categories,
	pages,
	postChanges,
	posts,
	postTags,
	series,
	states,
	tags,
} from '#db/schema.ts';
import { assertStateSlug } from '#db/state-files.ts';
import { useTestDb } from '#tests/support/db.ts';
import { copySeed, seedContent, unrendered } from '#tests/support/seed.ts';

const { length: FILES } = await readdir('content/posts');

const CATEGORIES = [
	'machine-learning',
	'natural-language-processing',
	'computer-vision',
	'data-science',
	'ai-ethics',
	'mlops',
	'large-language-models',
	'ai-security',
	'robotics',
];

async function setup() {
	const db = await useTestDb();
	const added = await seedContent(db, unrendered);
	return { db, added };
}

/** Returns a database with what was seeded once. */
async function seeded() {
	const db = await useTestDb();
	await copySeed(db);
	return { db };
}

type Db = Awaited<ReturnType<typeof useTestDb>>;

const workOf = async (db: Db, slug: string) => {
	const { aiJobs, averageSalary, population } = states;
	const [row] = await db
		.select({ aiJobs, averageSalary, population })
		.from(states)
		.where(eq(states.slug, slug));
	return row;
};

test('a new database gets nine categories in order, a post per file, four or more per category, fifty states and six pages', async () => {
	const { db, added } = await setup();
	const rows = await db.select().from(categories).orderBy(categories.position);
	expect(rows.map(({ slug }) => slug)).toEqual(CATEGORIES);
	expect(rows.every(({ description, color }) => description && /^#[\dA-F]{6}$/i.test(color))).toBe(
		true,
	);
	for (const { id, slug } of rows) {
		expect(await db.$count(posts, eq(posts.categoryId, id)), slug).toBeGreaterThanOrEqual(4);
	}
	expect(await db.$count(states)).toBe(50);
	expect(await db.$count(posts)).toBe(FILES);
	expect(await db.$count(series)).toBe(11);
	expect(await db.$count(pages)).toBe(6);
	expect(added).toBe(9 + FILES + 11 + 50 + 6);
});

test('every seeded post is published, dated soon after noon, tagged, and has what its page needs', async () => {
	const { db } = await seeded();
	for (const post of await db.select().from(posts)) {
		expect(post, post.slug).toMatchObject({ published: true, author: 'Groundtruth' });
		expect(post.publishedAt?.toISOString(), post.slug).toMatch(/T12:0\d:\d\d\.000Z$/);
		expect(post.title.length, post.slug).toBeLessThanOrEqual(200);
		expect(post.excerpt?.length, post.slug).toSatisfy(
			(length: number) => length > 0 && length <= 500,
		);
		expect(post.content.length, post.slug).toBeLessThanOrEqual(50_000);
		// 600 words, the shortest that the house style allows.
		expect(post.readTime, post.slug).toBeGreaterThanOrEqual(3);
		expect(await db.$count(postTags, eq(postTags.postId, post.id)), post.slug).toBeGreaterThan(0);
	}
	const places = await db.select().from(postTags).orderBy(postTags.postId, postTags.position);
	expect(places[0]?.position).toBe(0);
	const same = sql<number>`count(distinct ${tags.slug})`;
	expect(await db.select({ same }).from(tags)).toEqual([{ same: await db.$count(tags) }]);
});

test('no seeded post is older than the collection, and no two have the same time', async () => {
	const { db } = await seeded();
	const times = (await db.select({ at: posts.publishedAt }).from(posts)).map(({ at }) =>
		Number(at),
	);
	expect(Math.min(...times)).toBeGreaterThanOrEqual(Date.parse('2026-11-21'));
	expect(new Set(times).size).toBe(times.length);
});

test('an article comes with its declared changes, and the last one is its date of change', async () => {
	const { db } = await setup();
	const [post] = await db.select().from(posts).where(eq(posts.slug, 'mcp-tool-lists-are-code'));
	const changes = await db
		.select()
		.from(postChanges)
		.where(eq(postChanges.postId, post!.id))
		.orderBy(postChanges.createdAt);
	expect(
		changes.slice(0, 3).map(({ kind, createdAt }) => [kind, createdAt.toISOString().slice(0, 10)]),
	).toEqual([
		['update', '2026-11-25'],
		['correction', '2026-11-26'],
		['correction', '2026-11-29'],
	]);
	expect(changes[1]!.passages).toEqual([
		{ old: expect.stringContaining('hexdigest()[:12]'), new: expect.not.stringContaining('[:12]') },
	]);
	expect(post!.updatedAt).toEqual(changes.at(-1)!.createdAt);
});

test('seeding again adds nothing and changes nothing', async () => {
	const { db } = await setup();
	const everything = () =>
		Promise.all(
			[categories, posts, postChanges, tags, postTags, states, pages].map((table) =>
				db.select(getTableColumns(table)).from(table),
			),
		);
	const before = await everything();
	expect(await seedContent(db, unrendered)).toBe(0);
	expect(await everything()).toEqual(before);
});

test('an edit is never overwritten', async () => {
	const { db } = await seeded();
	await db.update(posts).set({ title: 'Edited' }).where(eq(posts.slug, 'data-leakage'));
	await db.update(categories).set({ name: 'Renamed' }).where(eq(categories.slug, 'robotics'));
	await db.update(states).set({ capital: 'Edited' }).where(eq(states.slug, 'texas'));
	await seedContent(db, unrendered);
	expect(await db.$count(posts, eq(posts.title, 'Edited'))).toBe(1);
	expect(await db.$count(categories, eq(categories.name, 'Renamed'))).toBe(1);
	expect(await db.$count(states, eq(states.capital, 'Edited'))).toBe(1);
});

test('what an editor deleted or gave another slug does not come back', async () => {
	const { db } = await seeded();
	await db.delete(posts).where(eq(posts.slug, 'data-leakage'));
	await db.update(posts).set({ slug: 'renamed' }).where(eq(posts.slug, 'bm25-baseline'));
	await db.delete(states).where(eq(states.slug, 'texas'));
	expect(await seedContent(db, unrendered)).toBe(0);
	expect(await db.$count(posts)).toBe(FILES - 1);
	expect(await db.$count(posts, eq(posts.slug, 'bm25-baseline'))).toBe(0);
	expect(await db.$count(states)).toBe(49);
});

test('a post that an editor wrote under the same slug stays as it is', async () => {
	const db = await useTestDb();
	const [category] = await db.insert(categories).values({ name: 'Own', slug: 'own' }).returning();
	const own = {
		slug: 'data-leakage',
		title: 'Mine',
		content: '',
		author: 'Grace',
		categoryId: category!.id,
	};
	await db.insert(posts).values(own);
	await seedContent(db, unrendered);
	const [post] = await db.select().from(posts).where(eq(posts.slug, 'data-leakage'));
	expect(post).toMatchObject(own);
	expect(await db.$count(postTags, eq(postTags.postId, post!.id))).toBe(0);
	expect(await db.$count(postChanges, eq(postChanges.postId, post!.id))).toBe(0);
});

test("a state's AI work is both occupations: jobs summed, wages weighted by jobs", async () => {
	const { db } = await seeded();
	// New York: (23,970 × 137,690 + 1,950 × 203,370) / 25,920 = 142,631.2…
	expect(await workOf(db, 'new-york')).toEqual({
		aiJobs: 25920,
		averageSalary: 142631,
		population: 20201249,
	});
	// Texas: (25,860 × 119,710 + 1,960 × 130,400) / 27,820 = 120,463.1…
	expect(await workOf(db, 'texas')).toEqual({
		aiJobs: 27820,
		averageSalary: 120463,
		population: 29145505,
	});
});

test('where one occupation is published the other is not guessed: Kansas has 490 jobs', async () => {
	const { db } = await seeded();
	expect(await workOf(db, 'kansas')).toEqual({
		aiJobs: 490,
		averageSalary: 105080,
		population: 2937880,
	});
});

test('where neither is published there is no figure: Wyoming', async () => {
	const { db } = await seeded();
	expect(await workOf(db, 'wyoming')).toEqual({
		aiJobs: null,
		averageSalary: null,
		population: 576851,
	});
});

test('every figure of a state names its source and its date', async () => {
	const { db } = await seeded();
	for (const { slug, figures } of await db.select().from(states)) {
		// May 2025 has two percentiles of each of the four that May 2023 has not.
		expect(figures, slug).toHaveLength(2 + 2 * (3 * 5 + 3) + 4 * 2);
		const ofYears = new Set(figures.map(({ key, asOf }) => `${key} ${asOf}`));
		expect(ofYears.size, slug).toBe(figures.length);
		for (const figure of figures) {
			expect(figure.source, `${slug}: ${figure.key}`).toMatch(
				/^US (Census Bureau|Bureau of Labor Statistics), /,
			);
			expect(figure.asOf, `${slug}: ${figure.key}`).toMatch(/^20\d\d-\d\d(-\d\d)?$/);
		}
	}
});

test('a state cannot take the address of a page, nor one that is no slug', () => {
	for (const slug of ['compare', '', 'New-York', 'a b', '../x', '-x']) {
		expect(() => assertStateSlug(slug), slug).toThrow(/cannot be a state/);
	}
	for (const slug of ['ohio', 'new-york']) expect(() => assertStateSlug(slug)).not.toThrow();
});
