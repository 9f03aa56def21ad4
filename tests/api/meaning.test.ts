import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { meaningWords, meanings, posts, renderedPosts, searchEntries } from '#db/schema.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { updateVectors } from '#src/core/meaning/model.server.ts';
import { readModel } from '#src/core/meaning/meaning.server.ts';
import { listRelated } from '#src/features/posts/posts.api.ts';
import * as api from '#src/features/search/search.api.ts';
import { readSite } from '#src/features/site/load.server.ts';
import { call } from '#src/lib/endpoint.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost } from '#tests/support/factories.ts';

const HARBOR = ['anchor', 'crew', 'harbor', 'sail', 'captain', 'tide', 'rope', 'mast'];
const KITCHEN = ['dough', 'flour', 'oven', 'yeast', 'baker', 'crust', 'loaf', 'knead'];

/** A text about one of the two, with all of its words but those that its number leaves out. */
const textOf = (words: string[], number: number) =>
	words.filter((_, at) => at !== number % words.length && at !== (number + 3) % words.length);

/** Twelve articles each about ships and about bread. Only the first half of either names them. */
async function setup() {
	const db = await useTestDb();
	const { id: categoryId } = await makeCategory(db, { name: 'Notes' });
	for (let number = 0; number < 24; number++) {
		const isShip = number % 2 === 0;
		const words = textOf(isShip ? HARBOR : KITCHEN, number);
		const name = number < 12 ? (isShip ? ' vessel' : ' bread') : '';
		await makePost(db, {
			categoryId,
			title: `Note ${number}`,
			excerpt: isShip ? 'At sea' : 'At home',
			content: `<p>${words.join(' ')}${name}.</p>`,
		});
	}
	await renderStalePosts(db);
	expect(await updateVectors(db)).toBe(true);
	return db;
}

const search = (q: string) => call(api.searchEverything, { q, limit: 50 }, fetchApi());
const countMeanings = (db: Db) => db.$count(meanings);
const edit = async (db: Db, slug: string, values: Partial<typeof posts.$inferInsert>) => {
	await db.update(posts).set(values).where(eq(posts.slug, slug));
};

test('what no word finds is found by its meaning, after what words find, and says so', async () => {
	await setup();
	const { results } = await search('vessel');
	const isShip = ({ title }: { title: string }) => Number(title.slice(5)) % 2 === 0;
	const byMeaning = results.filter(({ by }) => by === 'meaning');
	expect(byMeaning.length).toBeGreaterThan(0);
	expect(byMeaning.every(isShip)).toBe(true);
	expect(byMeaning.every(({ title }) => Number(title.slice(5)) >= 12)).toBe(true);
	expect(results.slice(0, 6).every(({ by }) => by === 'words')).toBe(true);
	// Nothing of its text says why: it leads to the top, and shows what the article says of itself.
	for (const { url, snippet } of byMeaning) {
		expect(url).not.toContain('#');
		expect(snippet).toBe('At sea');
	}
	const page = await (await fetchApi()('/search/results?q=vessel')).text();
	expect(page).toContain('<small>Near in meaning · Notes');
});

test('words that no text has mean nothing', async () => {
	await setup();
	expect(await search('quaternion wombat')).toMatchObject({ results: [], total: 0 });
});

test('an article has its meaning from its next rendering on, and one that went has none', async () => {
	const db = await setup();
	expect(await countMeanings(db)).toBe(24);
	expect(await updateVectors(db)).toBe(false);
	await edit(db, 'note-23', { content: `<p>${textOf(HARBOR, 5).join(' ')}</p>` });
	expect(await countMeanings(db)).toBe(23);
	await renderStalePosts(db);
	expect(await updateVectors(db)).toBe(true);
	expect(await countMeanings(db)).toBe(24);
	const near = (await search('vessel')).results.map(({ title }) => title);
	expect(near).toContain('Note 23');
	await db.delete(posts).where(eq(posts.slug, 'note-23'));
	expect(await countMeanings(db)).toBe(23);
	await edit(db, 'note-14', { published: false });
	expect((await search('vessel')).results.map(({ title }) => title)).not.toContain('Note 14');
});

test('of articles only those are looked at that were written to, where that is known', async () => {
	const db = await setup();
	const notes = await db.select({ id: posts.id, slug: posts.slug }).from(posts);
	const idOf = (slug: string) => notes.find((note) => note.slug === slug)!.id;
	for (const slug of ['note-3', 'note-4']) await edit(db, slug, { title: `${slug}, revised` });
	await renderStalePosts(db);
	const writes = { since: 0, ids: new Set([idOf('note-3')]) };
	expect(await updateVectors(db, writes)).toBe(true);
	expect(await countMeanings(db)).toBe(23);
	expect(await readModel(db)).toMatchObject({ changed: 1 });
	expect(await updateVectors(db, writes)).toBe(false);
	expect(await updateVectors(db)).toBe(true);
	expect(await countMeanings(db)).toBe(24);
	expect(await readModel(db)).toMatchObject({ changed: 2, unknown: 0 });
});

test('pages that are replaced lose theirs, and get one again', async () => {
	const db = await setup();
	const entry = {
		kind: 'page',
		url: '/quay',
		title: 'Harbor',
		excerpt: 'Where ropes are',
		tags: '',
		headings: [],
		body: 'A captain with a crew',
		digest: 'a',
	};
	await db.insert(searchEntries).values(entry);
	await updateVectors(db);
	expect(await countMeanings(db)).toBe(25);
	expect((await search('vessel')).results.map(({ title }) => title)).toContain('Harbor');
	await db.delete(searchEntries);
	expect(await countMeanings(db)).toBe(24);
});

test('what was learned is kept until much is new; then all of it is learned anew', async () => {
	const db = await setup();
	expect(await readModel(db)).toMatchObject({ basis: 1, texts: 24, changed: 0 });
	const [category] = await db.select({ id: posts.categoryId }).from(posts);
	for (let number = 24; number < 44; number++) {
		await makePost(db, {
			categoryId: category!.id,
			title: `Note ${number}`,
			content: `<p>${textOf(HARBOR, number).join(' ')} zeppelin</p>`,
		});
		if (number !== 30) continue;
		await renderStalePosts(db);
		await updateVectors(db);
		expect(await readModel(db)).toMatchObject({ basis: 1, changed: 7 });
	}
	await renderStalePosts(db);
	await updateVectors(db);
	expect(await readModel(db)).toEqual({ basis: 2, version: 3, texts: 44, changed: 0, unknown: 0 });
	expect(await db.selectDistinct({ basis: meaningWords.basis }).from(meaningWords)).toEqual([
		{ basis: 2 },
	]);
	expect(await countMeanings(db)).toBe(44);
	expect((await search('zeppelin')).results.length).toBeGreaterThan(0);
});

test('while somebody waits, changed texts have a meaning by what is known, and are learned from afterwards', async () => {
	const db = await setup();
	for (let number = 0; number < 24; number++)
		await edit(db, `note-${number}`, { title: `Note ${number}, revised` });
	await renderStalePosts(db);
	expect(await countMeanings(db)).toBe(0);
	expect(await updateVectors(db, undefined, true)).toBe(true);
	expect(await countMeanings(db)).toBe(24);
	expect(await readModel(db)).toMatchObject({ basis: 1, changed: 24 });
	expect(await updateVectors(db, undefined, true)).toBe(false);
	expect(await updateVectors(db, { since: 0, ids: new Set() })).toBe(true);
	expect(await readModel(db)).toMatchObject({ basis: 2, changed: 0 });
	expect(await countMeanings(db)).toBe(24);
	const [category] = await db.select({ id: posts.categoryId }).from(posts);
	for (let number = 24; number < 44; number++) {
		const content = `<p>${textOf(HARBOR, number).join(' ')}</p>`;
		await makePost(db, { categoryId: category!.id, title: `Note ${number}`, content });
	}
	await renderStalePosts(db);
	expect(await updateVectors(db, undefined, true)).toBe(true);
	expect(await readModel(db)).toMatchObject({ basis: 3, texts: 44, changed: 0 });
});

test('a text without a known word has no meaning, and is not read again and again', async () => {
	const db = await setup();
	const [category] = await db.select({ id: posts.categoryId }).from(posts);
	await makePost(db, { categoryId: category!.id, title: '数式入門', content: '<p>言葉</p>' });
	await renderStalePosts(db);
	await updateVectors(db);
	expect(await updateVectors(db)).toBe(false);
	expect(await readModel(db)).toMatchObject({ unknown: 1 });
	expect((await search('数式入門')).results).toMatchObject([{ by: 'words' }]);
});

test('a site of a few texts has nothing to learn from, and is searched by words', async () => {
	const db = await useTestDb();
	await makePost(db, { title: 'Kalman filters' });
	await renderStalePosts(db);
	expect(await updateVectors(db)).toBe(false);
	expect(await db.$count(meaningWords)).toBe(0);
	expect((await search('kalman')).results).toMatchObject([{ by: 'words' }]);
});

test('where the words were lost, they are learned again', async () => {
	const db = await setup();
	await db.delete(meaningWords);
	await db.delete(meanings);
	expect((await search('vessel')).results.every(({ by }) => by === 'words')).toBe(true);
	expect(await updateVectors(db)).toBe(true);
	expect((await search('vessel')).results.some(({ by }) => by === 'meaning')).toBe(true);
	expect(await db.$count(renderedPosts)).toBe(await countMeanings(db));
});

test('articles that have as much in common are related by what they mean, in pages as in the API', async () => {
	const db = await setup();
	const isShip = (title: string) => Number(title.slice(5)) % 2 === 0;
	const { articlePages } = await readSite(db, new Date());
	expect(articlePages).toHaveLength(24);
	for (const { article, related } of articlePages) {
		const { post } = article;
		const titles = related.map(({ title }) => title);
		expect(titles).toHaveLength(3);
		expect(titles.every((title) => isShip(title) === isShip(post.title))).toBe(true);
		const answer = await call(listRelated, { id: post.id }, fetchApi());
		expect(answer.map(({ title }) => title)).toEqual(titles);
	}
});
