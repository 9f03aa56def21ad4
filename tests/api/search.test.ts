import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { posts, renderedPosts } from '#db/schema.ts';
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

const search = (q?: string, category?: string) =>
	call(api.searchPosts, { q, category }, fetchApi());
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
			passage: 'Careful averaging.',
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

test('a passage is taken from the text where excerpt and title do not say why', async () => {
	await setup({
		title: 'Filters',
		excerpt: 'Careful averaging.',
		content: `<p>${'Something else. '.repeat(40)}Noise <b>covariance</b> matters.</p><p>${'And so on. '.repeat(40)}</p>`,
	});
	const [result] = await search('covariance noise');
	expect(result?.passage).toContain('Noise covariance matters.');
	expect(result?.passage.length).toBeLessThanOrEqual(190);
});

test.each([
	['tranformer', 'transformer'],
	['trasnformer', 'transformer'],
	['transfromers', 'transformer'],
	['ransformer', 'transformer'],
	['atention', 'attention'],
	['attnetion', 'attention'],
	['pyhton', 'python'],
	['pythn', 'python'],
	['kernal', 'kernel'],
	['backpropogation', 'backpropagation'],
	['tranfor', 'transformer'],
	['ATENTION', 'attention'],
])('the typo %j finds %j, and says so', async (typed, meant) => {
	await setup(
		{ title: 'One', content: `<p>All about ${meant} here.</p>` },
		{ title: 'Two', content: '<p>Entirely different things.</p>' },
	);
	expect(await search(typed)).toMatchObject([{ title: 'One', corrected: meant }]);
});

test('only the misspelt words of a query are read otherwise', async () => {
	await setup({ title: 'Attention in transformers' });
	expect(await search('atention transformers')).toMatchObject([
		{ corrected: 'attention transformers' },
	]);
});

test('a word that is found is never read otherwise', async () => {
	await setup({ title: 'A mode' }, { title: 'A node' });
	const results = await search('node');
	expect(results.map(({ title }) => title)).toEqual(['A node']);
	expect(results[0]).not.toHaveProperty('corrected');
});

test.each(['ndoe', 'nxxe', 'trensfarmor'])('%j is too far from any word', async (query) => {
	await setup({ title: 'Transformers and nodules' });
	expect(await titles(query)).toEqual([]);
});

test('words of drafts and of deleted posts correct nothing', async () => {
	const { db, made } = await setup(
		{ title: 'Secretariat', published: false },
		{ title: 'Backpropagation' },
	);
	await db.delete(posts).where(eq(posts.id, made[1]!.id));
	expect(await titles('secretariet')).toEqual([]);
	expect(await titles('backpropogation')).toEqual([]);
});

test('a word that was added later corrects as well', async () => {
	const { db, made } = await setup({ title: 'One' });
	await db
		.update(posts)
		.set({ content: '<p>State-of-the-art quantization.</p>' })
		.where(eq(posts.id, made[0]!.id));
	await renderStalePosts(db);
	expect(await search('quantizaton')).toMatchObject([{ corrected: 'quantization' }]);
});

test('one category is searched where one is given', async () => {
	const db = await useTestDb();
	const vision = await makeCategory(db, { name: 'Vision' });
	await makePost(db, { title: 'Attention in images', categoryId: vision.id });
	await makePost(db, { title: 'Attention in text' });
	await renderStalePosts(db);
	const found = async (category?: string) =>
		(await search('attention', category)).map(({ title }) => title).sort();
	expect(await found()).toEqual(['Attention in images', 'Attention in text']);
	expect(await found('vision')).toEqual(['Attention in images']);
	expect(await found('robotics')).toEqual([]);
});

test('a few posts of a category are found behind many others', async () => {
	const db = await useTestDb();
	const rare = await makeCategory(db, { name: 'Rare' });
	const common = await makeCategory(db, { name: 'Common' });
	await makePost(db, {
		title: 'The last attention',
		categoryId: rare.id,
		content: '<p>Filler.</p>',
	});
	for (let index = 0; index < 120; index++)
		await makePost(db, { title: `Attention, attention ${index}`, categoryId: common.id });
	await renderStalePosts(db);
	expect((await search('attention', 'rare')).map(({ title }) => title)).toEqual([
		'The last attention',
	]);
});

test(
	'whatever is asked, the answer is a list or a refusal, never a failure',
	{ timeout: 30_000 },
	async () => {
		await setup({ title: 'Attention, a model', tags: ['NEAR'], content: '<p>Café 机器 x*y</p>' });
		const syntax = fc.constantFrom(
			'"',
			"'",
			'*',
			'^',
			'(',
			')',
			'{',
			'}',
			':',
			'-',
			'+',
			'\0',
			'🎓',
		);
		const operator = fc.constantFrom(
			' AND ',
			' OR ',
			' NOT ',
			'NEAR(',
			'title:',
			'atention',
			'%',
			'\\',
		);
		const typed = fc
			.array(fc.oneof(syntax, operator, fc.string({ unit: 'binary', maxLength: 20 })), {
				maxLength: 40,
			})
			.map((parts) => parts.join(''));
		await fc.assert(
			fc.asyncProperty(typed, fc.option(fc.string({ unit: 'binary' })), async (q, category) => {
				const query = new URLSearchParams({ q, ...(category !== null && { category }) });
				const response = await fetchApi()(`/api/posts/search?${query}`);
				expect([200, 400]).toContain(response.status);
				if (response.status === 200) expect(Array.isArray(await response.json())).toBe(true);
			}),
		);
	},
);

test('whatever an article says, its words are taken in', { timeout: 30_000 }, async () => {
	const { db, made } = await setup({ title: 'One' });
	const itself = eq(renderedPosts.postId, made[0]!.id);
	const text = fc
		.array(
			fc.oneof(
				fc.constantFrom('\\nabla', '\\', '"', '","', '-', '/', '\n', '\t', "'", ']', '\\u00', '\0'),
				fc.string({ unit: 'binary' }),
			),
		)
		.map((parts) => parts.join(' '));
	await fc.assert(
		fc.asyncProperty(text, async (body) => {
			await db.update(renderedPosts).set({ body }).where(itself);
		}),
	);
	await db
		.update(renderedPosts)
		.set({ body: 'The \\nabla operator\nof "quaternions"' })
		.where(itself);
	expect(await search('quaternoins')).toMatchObject([{ corrected: 'quaternions' }]);
});
