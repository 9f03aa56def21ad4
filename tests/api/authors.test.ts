import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { authors, drafts, posts } from '#db/schema.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { setBuilder } from '#src/core/builds/builder.server.ts';
import { undoAction } from '#src/core/undo/undo.api.ts';
import { listUses } from '#src/features/media/uses.api.ts';
import { graphOf } from '#src/features/metadata/graph.ts';
import { readSite } from '#src/features/site/load.server.ts';
import * as api from '#src/features/taxonomy/taxonomy.api.ts';
import { call, type Endpoint } from '#src/lib/endpoint.ts';
import { slugify } from '#src/lib/slug.ts';
import { site } from '#src/site.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost } from '#tests/support/factories.ts';

/** Ada with two public posts and a draft in work, and a post of somebody without a page. */
async function setup() {
	setBuilder({ build: () => {}, prewarm: () => {} });
	const db = await useTestDb();
	const admin = await asAdmin(db);
	const ask = <In extends object, Out>(endpoint: Endpoint<In, Out>, input: In) =>
		call(endpoint, input, admin);
	const { id: categoryId } = await makeCategory(db);
	const one = await makePost(db, { title: 'One', author: 'Ada Byron', categoryId });
	await makePost(db, { title: 'Two', author: 'Ada Byron', categoryId });
	await makePost(db, { title: 'Three', author: 'Somebody', categoryId });
	await db
		.insert(drafts)
		.values({ postId: one.id, form: { author: 'Ada Byron', title: 'One' }, baseVersion: 1 });
	const ada = await ask(api.createAuthor, {
		name: 'Ada Byron',
		description: 'Writes about engines.',
		links: [{ label: 'Notes', href: 'https://ada.example/notes' }],
	});
	return { db, ask, ada, one };
}

async function published(db: Db) {
	await renderStalePosts(db);
	return readSite(db, new Date());
}

/** All that is known of somebody whom the desk does not know. */
const nobody = { description: null, picture: '', links: [] };

const bylines = async (db: Db) => ({
	posts: (await db.select({ author: posts.author }).from(posts).orderBy(posts.title)).map(
		({ author }) => author,
	),
	draft: (await db.select({ author: sql`form ->> '$.author'` }).from(drafts))[0]?.author,
});

test('an author has a page with the articles that the byline names, and another name has one that says no more', async () => {
	const { db, ada } = await setup();
	expect(ada).toMatchObject({ slug: 'ada-byron', posts: 2, version: 1, picture: '' });
	const { articles, authors: shown, byAuthor } = await published(db);
	expect(shown).toEqual([
		{
			name: 'Ada Byron',
			slug: 'ada-byron',
			description: 'Writes about engines.',
			picture: '',
			links: [{ label: 'Notes', href: 'https://ada.example/notes' }],
		},
		{ ...nobody, name: 'Somebody', slug: 'somebody' },
	]);
	expect(
		byAuthor
			.get('ada-byron')
			?.map(({ post }) => post.title)
			.sort(),
	).toEqual(['One', 'Two']);
	const byTitle = new Map(articles.map((article) => [article.post.title, article.byline]));
	expect(byTitle.get('One')).toEqual({ name: 'Ada Byron', slug: 'ada-byron' });
	expect(byTitle.get('Three')).toEqual({ name: 'Somebody', slug: 'somebody' });
});

test("the site's own byline has a page, until the desk says who that is", async () => {
	const { db, ask } = await setup();
	const { id: categoryId } = await makeCategory(db, { slug: 'own' });
	const own = { name: site.author, slug: slugify(site.author) };
	// Two other names make the same address; one makes none.
	for (const [index, author] of [own.name, `${own.name}!`, '?!'].entries())
		await makePost(db, { title: author, slug: `signed-${index}`, author, categoryId });
	const before = await published(db);
	expect(before.authors).toContainEqual({ ...nobody, ...own, isOwn: true });
	expect(before.authors).toContainEqual({
		...{ ...nobody, name: `${own.name}!`, slug: `${own.slug}-2` },
	});
	expect(before.articles.find(({ post }) => post.title === '?!')?.byline).toBeNull();
	await ask(api.createAuthor, { name: own.name, description: 'Two people in Leeds.' });
	const { authors: after, articles } = await published(db);
	expect(after).toContainEqual({ ...nobody, ...own, description: 'Two people in Leeds.' });
	expect(articles.find(({ post }) => post.author === own.name)?.byline).toEqual(own);
});

test('structured data names the publisher where an article is signed by the site', () => {
	const graph = graphOf('https://site.example');
	const own = { name: site.author, slug: slugify(site.author), isOwn: true as const };
	const publisher = { '@type': 'Organization', '@id': 'https://site.example/#organization' };
	expect(
		graph.profile({ ...own, about: 'What.', picture: '', links: [] }).mainEntity,
	).toMatchObject(publisher);
});

test('structured data names the author by the page', () => {
	const graph = graphOf('https://site.example');
	const person = {
		'@type': 'Person',
		'@id': 'https://site.example/author/ada-byron#person',
		name: 'Ada Byron',
		url: 'https://site.example/author/ada-byron',
	};
	const facts = {
		...{ slug: 'one', title: 'One', description: null, author: 'Ada Byron', section: 'A' },
		...{ tags: [], publishedAt: null, updatedAt: '2026-01-01', wordCount: 1, readTime: 1 },
		...{ comments: 0, card: '/social/blog/one.png' },
	};
	const byline = { name: 'Ada Byron', slug: 'ada-byron' };
	expect(graph.article({ ...facts, byline })).toMatchObject({ author: person });
	expect(graph.article(facts)).toMatchObject({ author: { '@type': 'Person', name: 'Ada Byron' } });
	const page = { ...byline, about: 'Who.', picture: '/api/media/a' };
	expect(graph.profile({ ...page, links: [{ href: 'https://ada.example/' }] })).toMatchObject({
		'@type': 'ProfilePage',
		mainEntity: {
			...person,
			image: 'https://site.example/api/media/a',
			sameAs: ['https://ada.example/'],
		},
	});
});

test('another name goes to bylines and drafts, the old address leads there, and all is undone', async () => {
	const { db, ask, ada } = await setup();
	const { undo, version } = await ask(api.updateAuthor, {
		...{ id: ada.id, version: 1 },
		name: 'Ada Lovelace',
	});
	expect(version).toBe(2);
	expect(await bylines(db)).toEqual({
		posts: ['Ada Lovelace', 'Somebody', 'Ada Lovelace'],
		draft: 'Ada Lovelace',
	});
	const { redirects } = await published(db);
	expect(redirects).toContainEqual({ from: '/author/ada-byron', to: '/author/ada-lovelace' });
	// A stale form is told what is there, and nothing is lost.
	await expect(
		ask(api.updateAuthor, { id: ada.id, version: 1, description: 'Other' }),
	).rejects.toMatchObject({ code: 'conflict', stored: { name: 'Ada Lovelace' } });
	await ask(undoAction, { token: undo! });
	expect(await bylines(db)).toEqual({
		posts: ['Ada Byron', 'Somebody', 'Ada Byron'],
		draft: 'Ada Byron',
	});
	expect(await ask(api.getAuthor, { id: ada.id })).toMatchObject({
		name: 'Ada Byron',
		slug: 'ada-byron',
	});
});

test('a deleted author leaves the bylines, and comes back whole', async () => {
	const { db, ask, ada } = await setup();
	const { undo } = await ask(api.deleteAuthor, { id: ada.id });
	expect(await bylines(db)).toMatchObject({ posts: ['Ada Byron', 'Somebody', 'Ada Byron'] });
	expect((await published(db)).authors).toEqual([
		{ ...nobody, name: 'Ada Byron', slug: 'ada-byron' },
		{ ...nobody, name: 'Somebody', slug: 'somebody' },
	]);
	await ask(undoAction, { token: undo });
	expect(await ask(api.getAuthor, { id: ada.id })).toEqual(ada);
	const [row] = await db.select().from(authors).where(eq(authors.id, ada.id));
	expect(row?.links).toEqual(ada.links);
});

test('what cannot be an author says why', async () => {
	const { ask, ada } = await setup();
	await expect(ask(api.createAuthor, { name: 'ada byron' })).rejects.toMatchObject({
		fields: { name: 'There is an author “Ada Byron” already.' },
	});
	await expect(
		ask(api.updateAuthor, { id: ada.id, picture: 'https://elsewhere.example/a.png' }),
	).rejects.toMatchObject({ fields: { picture: 'Choose a picture of the library.' } });
	await expect(
		ask(api.updateAuthor, { id: ada.id, picture: '/api/media/none' }),
	).rejects.toMatchObject({ fields: { picture: 'There is no such picture in the library.' } });
	await expect(
		ask(api.updateAuthor, { id: ada.id, links: [{ label: 'A', href: 'javascript:alert(1)' }] }),
	).rejects.toMatchObject({ code: 'validation' });
	expect(await ask(listUses, { ids: 'none' })).toEqual({});
});
