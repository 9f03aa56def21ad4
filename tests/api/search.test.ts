import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { posts } from '#db/schema.ts';
import { renderStalePosts } from '#src/features/publishing/renderings.server.ts';
import * as api from '#src/features/search/search.api.ts';
import { call } from '#src/lib/endpoint.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost } from '#tests/support/factories.ts';

type Values = Parameters<typeof makePost>[1];

async function setup(...all: Values[]) {
	const db = await useTestDb();
	const made = [];
	for (const values of all) made.push(await makePost(db, values));
	await renderStalePosts(db);
	return { db, made };
}

const search = (q?: string) => call(api.searchPosts, { q }, fetchApi());
const titles = async (q: string) => (await search(q)).map(({ title }) => title);

test('a result has what its row shows', async () => {
	const db = await useTestDb();
	const { id: categoryId } = await makeCategory(db, { name: 'Robotics' });
	const post = await makePost(db, {
		title: 'Kalman filters',
		excerpt: 'Careful averaging.',
		readTime: 7,
		categoryId,
	});
	await renderStalePosts(db);
	expect(await search('kalman')).toEqual([
		{
			id: post.id,
			slug: 'kalman-filters',
			title: 'Kalman filters',
			excerpt: 'Careful averaging.',
			featuredImage: null,
			category: { name: 'Robotics', slug: 'robotics' },
			readTime: 7,
			publishedAt: post.publishedAt?.toISOString(),
		},
	]);
});

test('a word is found in title, tags, excerpt and text, in that order', async () => {
	await setup(
		{ title: 'Text', content: '<p>All about attention.</p>' },
		{ title: 'Excerpt', excerpt: 'All about attention.' },
		{ title: 'Tag', tags: ['Attention'] },
		{ title: 'Attention' },
	);
	expect(await titles('attention')).toEqual(['Attention', 'Tag', 'Excerpt', 'Text']);
});

test('every word must be there, in whatever order and place', async () => {
	await setup(
		{ title: 'Gradient descent', content: '<p>Learning rates.</p>' },
		{ title: 'Gradient boosting' },
	);
	expect(await titles('rates gradient')).toEqual(['Gradient descent']);
	expect(await titles('gradient nothing')).toEqual([]);
});

test.each(['attention', 'Embeddings', 'GENERALIZATION', 'evaluating', 'calibrated', 'analyses'])(
	'once "%s" is found, it stays found while the word is typed to its end',
	async (word) => {
		await setup({ title: `Notes on ${word}` });
		for (let length = 3; length <= word.length; length++) {
			expect(await titles(word.slice(0, length))).toHaveLength(1);
		}
	},
);

test.each([
	['models', 'a model'],
	['training', 'we train'],
	['trained', 'training'],
	['biases', 'the bias'],
	['losses', 'the loss'],
])('"%s" finds "%s"', async (query, title) => {
	await setup({ title });
	expect(await titles(query)).toEqual([title]);
});

test.each([
	['cafe naive', 'Café naïve'],
	['CAFÉ NAÏVE', 'cafe naive'],
	['café', 'café'],
	['ﬁne', 'fine tuning'],
	['机器学习', '机器学习'],
])('accents and letter forms do not matter: "%s" finds "%s"', async (query, title) => {
	await setup({ title });
	expect(await titles(query)).toEqual([title]);
});

test.each([
	'"attention',
	"attention'",
	'attention"*',
	'attention*',
	'*attention',
	'attention -model',
	'attention AND model',
	'(attention model',
	'title:attention model',
	'{attention} model',
	'^attention + model',
	'attention\0model',
	'attention 🎓 model',
	'attention; drop table posts; --',
	'NEAR(attention model)',
])('nothing that is typed is syntax: %j is words', async (query) => {
	await setup({ title: 'Attention, a model, title, near and drop table posts' });
	expect(await titles(query)).toHaveLength(1);
});

test.each(['"""', '***', '🎓🎓🎓', '\0\0\0', '- - -', '   ', '%%%'])(
	'%j holds no word and finds nothing',
	async (query) => {
		await setup({ title: 'Attention' });
		expect(await titles(query)).toEqual([]);
	},
);

test('fewer than 3 characters find nothing, 3 do', async () => {
	await setup({ title: 'Attention' });
	expect(await search()).toEqual([]);
	expect(await titles('')).toEqual([]);
	expect(await titles('at')).toEqual([]);
	expect(await titles(' at ')).toEqual([]);
	expect(await titles('att')).toEqual(['Attention']);
});

test('200 characters are searched, 201 are refused', async () => {
	await setup({ title: 'Attention' });
	expect(await titles('attention '.repeat(20))).toEqual(['Attention']);
	expect(await titles('a'.repeat(200))).toEqual([]);
	await expect(search('a'.repeat(201))).rejects.toMatchObject({
		code: 'validation',
		fields: { q: 'Use 200 characters or fewer' },
	});
});

test('a repeated parameter is refused', async () => {
	await setup({ title: 'Attention' });
	expect((await fetchApi()('/api/posts/search?q=attention&q=x')).status).toBe(400);
});

test('drafts and posts of the future are never found', async () => {
	await setup(
		{ title: 'Attention, a draft', published: false },
		{ title: 'Attention tomorrow', publishedAt: new Date(Date.now() + 60_000) },
	);
	expect(await titles('attention')).toEqual([]);
	vi.setSystemTime(Date.now() + 60_000);
	expect(await titles('attention')).toEqual(['Attention tomorrow']);
});

test('at most 20 posts are found', async () => {
	await setup(...Array.from({ length: 21 }, (_, index) => ({ title: `Attention ${index}` })));
	expect(await titles('attention')).toHaveLength(20);
});

test('markup, code classes and math are not words of an article', async () => {
	await setup({
		title: 'Plain',
		content:
			'<p class="secret">visible <a href="https://hidden.example">link</a></p><script>evil()</script>',
	});
	expect(await titles('visible link')).toEqual(['Plain']);
	for (const query of ['secret', 'hidden', 'href', 'evil']) expect(await titles(query)).toEqual([]);
});

test('an edited post is found by its new words only, and a deleted one by none', async () => {
	const { db, made } = await setup({ title: 'Attention', content: '<p>before</p>' });
	const itself = eq(posts.id, made[0]!.id);
	await db.update(posts).set({ title: 'Memory', content: '<p>afterwards</p>' }).where(itself);
	await renderStalePosts(db);
	expect(await titles('attention')).toEqual([]);
	expect(await titles('before')).toEqual([]);
	expect(await titles('memory afterwards')).toEqual(['Memory']);
	await db.delete(posts).where(itself);
	expect(await titles('memory')).toEqual([]);
});
