import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { openServers, setDb } from '#db/client.ts';
import { posts, renderedPosts } from '#db/schema.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import * as api from '#src/features/search/search.api.ts';
import { call } from '#src/lib/endpoint.ts';
import { changeSettings } from '#src/core/settings/settings.api.ts';
import { asAdmin } from '#tests/support/admin.ts';
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
			marks: ['kalman'],
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

test('what readers may type instead finds an article after what its title says, and is not shown', async () => {
	const { db, made } = await setup(
		{ title: 'Model files', excerpt: 'Loading weights.', searchedAs: 'malware, virus' },
		{ title: 'A virus' },
		{ title: 'Weights', content: '<p>Loading them from model files.</p>' },
	);
	expect(await titles('virus')).toEqual(['A virus', 'Model files']);
	expect(await titles('malwear')).toEqual(['Model files']);
	const [found] = await search('malware');
	expect(JSON.stringify({ ...found, marks: [] })).not.toContain('malware');
	const answer = await fetchApi()(`/api/posts/${found!.slug}`);
	expect(await answer.text()).not.toContain('malware');
	await db.update(posts).set({ searchedAs: 'trojan' }).where(eq(posts.id, made[0]!.id));
	await renderStalePosts(db);
	expect(await titles('malware')).toEqual([]);
	expect(await titles('trojan')).toEqual(['Model files']);
});

test('no word must be there: who has more of the question comes first, in whatever order and place', async () => {
	await setup(
		{ title: 'Gradient descent', content: '<p>Learning rates.</p>' },
		{ title: 'Gradient boosting' },
	);
	expect(await titles('rates gradient')).toEqual(['Gradient descent']);
	expect((await titles('rates gradient boosting'))[0]).toBe('Gradient boosting');
	expect(await search('gradient rates')).not.toContainEqual(
		expect.objectContaining({ partial: true }),
	);
	expect((await titles('gradient qqq')).sort()).toEqual(['Gradient boosting', 'Gradient descent']);
	for (const result of await search('gradient qqq')) expect(result.partial).toBe(true);
	expect(await titles('qqq xyz')).toEqual([]);
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

test('words that say nothing are left out, unless there are no others', async () => {
	await setup({ title: 'How to rest' }, { title: 'Accuracy' });
	expect(await titles('why does my accuracy drop and what should I do')).toEqual(['Accuracy']);
	expect(await titles('how to')).toEqual(['How to rest']);
});

test('a rare word counts more than a common one', async () => {
	await setup(...Array.from({ length: 8 }, (_, index) => ({ title: `Model ${index}` })), {
		title: 'Notes',
		content: '<p>About quaternions.</p>',
	});
	expect((await titles('model quaternions'))[0]).toBe('Notes');
});

test('of a question of several words only what comes near the best is shown', async () => {
	await setup(
		{ title: 'Inverse kinematics of a robot arm' },
		...Array.from({ length: 12 }, (_, index) => ({
			title: `Other ${index}`,
			content: `<p>${'Something else. '.repeat(200)} a robot.</p>`,
		})),
	);
	expect(await titles('robot arm inverse kinematics')).toEqual([
		'Inverse kinematics of a robot arm',
	]);
	expect(await titles('robot')).toHaveLength(13);
});

test('words that stand beside each other in the question count more where they do in the article', async () => {
	await setup(
		{ title: 'Apart', content: '<p>The point is that time goes on.</p>' },
		{ title: 'Together', content: '<p>A point time is what it is.</p>' },
		{ title: 'Apart again', content: '<p>The point is that time goes on.</p>' },
	);
	expect((await titles('point time'))[0]).toBe('Together');
});

test.each([
	['RAG', 'Retrieval-augmented generation'],
	['retrieval augmented generation', 'RAG in production'],
	['retrieval augmented generation', 'Three RAGs'],
	['k8s', 'Kubernetes'],
	['half precision', 'FP16'],
	['LLMs', 'A large language model'],
	['fine-tuning', 'Finetuning'],
	['fine tuning', 'Finetuning'],
	['finetuning', 'Fine-tuning'],
	['over-fitting', 'Overfitting'],
	['normalise colours', 'Normalizing color'],
	['modeling behavior', 'Modelled behaviours'],
])('%j finds %j', async (query, title) => {
	await setup({ title }, { title: 'Fragments of Raghavan', content: '<p>Overt finesse.</p>' });
	const [first] = await search(query);
	expect(first?.title).toBe(title);
	expect(first).not.toHaveProperty('corrected');
	expect(first).not.toHaveProperty('partial');
	expect(first?.marks).not.toEqual([]);
});

test('a name in a text is found, and never beats a topic', async () => {
	await setup(
		{ title: 'One', content: `<p>${'Raghavan, '.repeat(30)}</p>` },
		{ title: 'Two', content: '<p>Here retrieval-augmented generation is used once.</p>' },
	);
	expect(await titles('rag')).toEqual(['Two']);
	expect(await titles('raghavan')).toEqual(['One']);
});

test('what the owner writes into the list is found from then on', async () => {
	const { db } = await setup({ title: 'Widgets of state' });
	expect(await titles('wos')).toEqual([]);
	const admin = await asAdmin(db);
	await call(changeSettings, { abbreviations: 'WOS = widgets of state\nqqq > widgets' }, admin);
	expect(await search('wos')).toMatchObject([{ marks: ['widgets of state'] }]);
	expect(await search('qqq')).toMatchObject([{ marks: ['widgets'], partial: true }]);
	const wrong = call(changeSettings, { abbreviations: 'WOS' }, admin);
	await expect(wrong).rejects.toMatchObject({
		fields: { abbreviations: expect.stringMatching(/^Line 1: /) },
	});
	expect(await titles('wos')).toEqual(['Widgets of state']);
});

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

test.each([
	...["student's", 'student’s', 'the student’s t'],
	...['"heavy tails"', '“heavy tails”', "'heavy tails'"],
])('%s finds what is typed with straight marks and shown with curly ones', async (typed) => {
	await setup({
		title: 'Intervals',
		content: `<h2>The student's t</h2><p>It's said to have "heavy tails".</p>`,
	});
	const [result] = await search(typed);
	expect(result?.passage).toBe('The student’s t\nIt’s said to have “heavy tails”.');
	const { results } = await call(api.searchEverything, { q: 'heavy tails' }, fetchApi());
	const [, place] = results[0]!.url.split('#');
	expect(decodeURIComponent(place!)).toBe('the-student-s-t:~:text=heavy tails”.');
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

test('only the misspelled words of a query are read otherwise', async () => {
	await setup({ title: 'Attention in transformers' });
	expect(await search('atention transformers')).toMatchObject([
		{ corrected: 'attention transformers' },
	]);
});

test('a typo may be in one of several words, or in all of them', async () => {
	await setup({ title: 'Gradient descent in practice' }, { title: 'Entirely different' });
	const expected = [{ title: 'Gradient descent in practice', corrected: 'gradient descent' }];
	expect(await search('gradiant descent')).toMatchObject(expected);
	expect(await search('gradiant desecnt')).toMatchObject(expected);
	expect(await search('gradient desecnt qqq')).toMatchObject([
		{ corrected: 'gradient descent qqq', partial: true },
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

test.each([
	'a '.repeat(100),
	'attention '.repeat(20),
	Array.from({ length: 66 }, (_, at) => String.fromCharCode(97 + (at % 26)).repeat(2)).join(' '),
	'trasnformer gradinet modle kernal vectr matirx sampel tokne lernig netwrok'.repeat(2),
	'a-'.repeat(100),
	'a/b/'.repeat(50),
	'机'.repeat(200),
	'retrieval augmented generation '.repeat(6),
])('the largest questions are cheap: %j takes few statements', async (query) => {
	const { db } = await setup({ title: 'Attention, a model' });
	const statements = vi.spyOn(db.$client, 'execute');
	expect(Array.isArray(await search(query.slice(0, 200).trim()))).toBe(true);
	expect(statements.mock.calls.length).toBeLessThan(50);
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

test.each([
	['kalman', /<mark>Kalman<\/mark> filters/],
	['kalman qqq', /No article has all of these words/],
	['kalmn', /Did you mean <a href="\/search\/results\?q=kalman">kalman<\/a>/],
	['<script>', /No articles found for <strong>“&lt;script&gt;”/],
	['ab', /Type at least 3 characters/],
	['x'.repeat(60_000), /No articles found/],
])('without JavaScript %s is answered by a page', async (q, expected) => {
	await setup({ title: 'Kalman filters', excerpt: 'Careful averaging.' });
	const response = await fetchApi()(`/search/results?${new URLSearchParams({ q })}`);
	expect(response.status).toBe(200);
	expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
	expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
	expect(response.headers.get('Cache-Control')).toBe('public, max-age=0, must-revalidate');
	expect(response.headers.get('Netlify-Cache-Tag')).toBe('posts,categories,states');
	const html = await response.text();
	expect(html).toMatch(expected);
	expect(html).toContain('<meta name="robots" content="noindex">');
	expect(html).not.toContain('<script>');
	expect(html.length).toBeLessThan(20_000);
});

test.each([
	['http://127.0.0.1/search?q=kalman+%3C&kind=article', 'q=kalman+%3C&kind=article'],
	['http://127.0.0.1/search?from=search', ''],
	['no address', ''],
])('a browser without JavaScript that comes from %s is led on', async (referer, question) => {
	await setup({ title: 'Kalman filters' });
	const headers = { referer };
	const response = await fetchApi()('/search/results?from=search', { headers, redirect: 'manual' });
	expect(response.status).toBe(303);
	expect(response.headers.get('Location')).toBe(`/search/results?${question}`);
	expect(response.headers.get('Netlify-CDN-Cache-Control')).toBeNull();
});

test.each([
	['a database that does not answer', 503, '5', 'We cannot reach our records just now.'],
	['a failure that nobody foresaw', 500, null, 'Something went wrong'],
	['a question that was asked twice', 400, null, 'role="alert"'],
])('without JavaScript %s is told on a page with the form', async (what, status, retry, words) => {
	vi.spyOn(console, 'error').mockImplementation(() => {});
	const { db } = await setup({ title: 'Kalman filters' });
	if (status === 503) setDb(openServers([['http://127.0.0.1:1']]));
	if (status === 500) await db.run('alter table rendered_posts rename to secrets');
	const twice = status === 400 ? '&q=b' : '';
	const response = await fetchApi()(`/search/results?q=%3Ckalman&category=vision${twice}`, {
		headers: { Accept: 'text/html' },
	});
	expect(response.status, what).toBe(status);
	expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
	expect(response.headers.get('Cache-Control')).toBe('no-store');
	expect(response.headers.get('Retry-After')).toBe(retry);
	expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull();
	const html = await response.text();
	expect(html).toContain(words);
	expect(html).toContain('<form action="/search/results">');
	if (status !== 400) expect(html).toContain('value="&lt;kalman"');
	expect(html).toContain('<option value="vision" selected>');
});

test('one letter that grows in lower case hides no word of an article', async () => {
	await setup({
		title: 'Models',
		content: '<p>Qwen2.5-VL, Llama 3.1, U-Net, Schrödinger, İstanbul, ẞ and ŉ.</p>',
	});
	for (const q of ['Qwen', 'Qwen2.5-VL', 'Schrödinger', 'istanbul', 'U-Net', 'llama'])
		expect(await titles(q), q).toEqual(['Models']);
});

test('letters and digits are one name or two, and no digit is corrected', async () => {
	await setup(
		{ title: 'A', content: '<p>Since GPT-5 came, and GPT-2 went.</p>' },
		{ title: 'B', content: '<p>With gpt5 and gpt2.</p>' },
		{ title: 'C', content: '<p>Quantized by GPTQ on an H100, with GPT-4.</p>' },
		{ title: 'D', content: '<p>An A100 and a T4.</p>' },
	);
	for (const q of ['gpt5', 'GPT-5', 'gpt 5', 'gpt2', 'GPT 2'])
		expect((await titles(q)).toSorted(), q).toEqual(['A', 'B']);
	expect(await titles('a100')).toEqual(['D']);
	const [first] = await search('gpt3');
	expect(first?.corrected).toBeUndefined();
	expect(await titles('b100')).toEqual([]);
});

test('names with digits inside, numbers with commas, and what nobody sees in a word change nothing', async () => {
	await setup(
		{ title: 'A', content: '<p>By GPT-4o, on an H100.</p>' },
		{ title: 'B', content: '<p>Of 10,000 tokens, and 2,500,000 more.</p>' },
		{ title: 'C', content: '<p>The atten\u00ADtion of quanti\u200Bzed models.</p>' },
		{ title: 'What A* promises', slug: 'star', content: '<p>With A*, and a heuristic.</p>' },
		{ title: 'Another', content: '<p>Search with an animal.</p>' },
	);
	for (const q of ['gpt4o', 'GPT-4o', 'gpt 4o', 'H100', 'h 100'])
		expect(await titles(q), q).toEqual(['A']);
	for (const q of ['10,000', '10000', '10,000 tokens', '10000 tokens', '2500000', '2,500,000'])
		expect(await titles(q), q).toEqual(['B']);
	for (const q of [
		'attention',
		'atten\u00ADtion',
		'at\u200Btention',
		'quantized',
		'quan\u2060tized',
	])
		expect(await titles(q), q).toEqual(['C']);
	for (const q of ['A*', 'A* heuristic', 'A* search'])
		expect((await titles(q))[0], q).toBe('What A* promises');
});

test('the signs in C++, C#, A*, .NET and Node.js count', async () => {
	await setup(
		{ title: 'A tokenizer in C', content: '<p>C, and a net.</p>' },
		{ title: 'A tokenizer in C++', slug: 'cpp', content: '<p>C++ here.</p>' },
		{ title: 'A tokenizer in C# and .NET', slug: 'csharp', content: '<p>C# here.</p>' },
		{ title: 'Byte pairs', content: '<p>A tokenizer, in C.</p>' },
		{ title: 'Servers', content: '<p>On Node.js.</p>' },
		{ title: 'What A* promises', slug: 'paths', content: '<p>A search that is led.</p>' },
		{ title: 'A search', slug: 'other', content: '<p>A search of a graph.</p>' },
	);
	expect(await titles('A*')).toEqual(['What A* promises']);
	expect((await titles('weighted a*'))[0]).toBe('What A* promises');
	expect((await titles('C++'))[0]).toBe('A tokenizer in C++');
	expect((await titles('C# tokenizer'))[0]).toBe('A tokenizer in C# and .NET');
	expect(await titles('.NET')).toEqual(['A tokenizer in C# and .NET']);
	expect(await titles('Node.js')).toEqual(['Servers']);
});

test('names of two letters with a sign, and one letter of a script without spaces, are found alone', async () => {
	await setup(
		{ title: 'Trials', content: '<p>What an A/B test says, and what it does not.</p>' },
		{ title: 'Queues', content: '<p>Blocking I/O, and a slow disk.</p>' },
		{ title: 'Sums', content: '<p>A loop in C++.</p>' },
		{ title: 'Pages', content: '<p>Written in C#, on .NET.</p>' },
		{ title: 'Sharp', content: '<p>With F# as well.</p>' },
		{ title: 'Paths', content: '<p>What A* looks at.</p>' },
		{ title: '学', slug: 'zh', content: '<p>我们用梯度下降法训练模型。</p>' },
		{ title: '日本語', slug: 'ja', content: '<p>機械学習の評価について説明する。</p>' },
		{ title: 'Letters', content: '<p>A cat is a pet of b, i and o.</p>' },
	);
	for (const [q, ...found] of [
		['a/b', 'Trials'],
		['A/B', 'Trials'],
		['i/o', 'Queues'],
		['I/O', 'Queues'],
		['c++', 'Sums'],
		['c#', 'Pages'],
		['a*', 'Paths'],
		['A*', 'Paths'],
		['C#', 'Pages'],
		['f#', 'Sharp'],
		['.net', 'Pages'],
		['学', '学', '日本語'],
		['型', '学'],
		['習', '日本語'],
		['梯度', '学'],
	] as const)
		expect(await titles(q), q).toEqual(found);
	for (const q of ['ab', 'c', '+', '#', '++']) expect(await titles(q), q).toEqual([]);
});

test('words are found inside text without spaces, and by letters of another keyboard', async () => {
	await setup(
		{ title: '机器学习入门：梯度下降', slug: 'zh', content: '<p>我们用梯度下降法训练模型。</p>' },
		{ title: '日本語', slug: 'ja', content: '<p>機械学習の評価について説明する。</p>' },
		{ title: '한국어', slug: 'ko', content: '<p>기계학습을 배우는 방법</p>' },
		{ title: 'ไทย', slug: 'th', content: '<p>การเรียนรู้ของเครื่องด้วยคอมพิวเตอร์</p>' },
		{ title: 'Nord', content: '<p>Straße nach Łódź und Ørsted.</p>' },
		{ title: 'Mixed', content: '<p>用GPT做翻译</p>' },
	);
	for (const [q, title] of [
		['梯度下降', '机器学习入门：梯度下降'],
		['什么是梯度下降', '机器学习入门：梯度下降'],
		['機械学習', '日本語'],
		['評価について', '日本語'],
		['학습을', '한국어'],
		['เครื่อง', 'ไทย'],
		['strasse', 'Nord'],
		['lodz', 'Nord'],
		['Orsted', 'Nord'],
		['Łódź', 'Nord'],
		['gpt', 'Mixed'],
	] as const)
		expect((await titles(q))[0], q).toBe(title);
});

test('a phrase in quotation marks is found in the order of its words, also in an old article', async () => {
	const common = (order: string) => `<p>${'compare people choice factor. '.repeat(3)}${order}.</p>`;
	await setup(
		{ title: 'Old', content: common('people compare factor, choice') },
		...Array.from({ length: 40 }, (_, at) => ({ title: `New ${at}`, content: common('') })),
	);
	expect(await titles('"people compare factor choice"')).toEqual(['Old']);
	expect((await titles('“people compare factor choice” of all'))[0]).toBe('Old');
});
