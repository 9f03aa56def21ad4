import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { issues, pages, posts, searchEntries, states } from '#db/schema.ts';
import { readSiteSettings } from '#src/core/settings/site.server.ts';
import { listIssues } from '#src/features/newsletter/issues.server.ts';
import { indexEntries } from '#src/features/search/entries.server.ts';
import * as api from '#src/features/search/search.api.ts';
import { splitMarks, type Kind } from '#src/features/search/search.ts';
import { readSite } from '#src/features/site/load.server.ts';
import { call } from '#src/lib/endpoint.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { copyContent } from '#tests/support/seed.ts';

let db: Db;
/** Indexes the site as a build with this code does. */
async function index(code = 'code') {
	await readSiteSettings(db);
	const shown = { site: await readSite(db, new Date()), issues: await listIssues(db) };
	await indexEntries(db, shown, code);
}

beforeAll(async () => {
	db = await useTestDb();
	await copyContent(db);
	await db.insert(issues).values({
		date: '2026-11-19',
		subject: 'Three short notes',
		posts: [
			{
				id: 'p',
				slug: 'p',
				title: 'Wombats and gradients',
				excerpt: 'A note.',
				category: 'X',
				minutes: 1,
			},
		],
	});
	await index();
}, 120_000);

const search = (q: string, more: { kind?: Kind; limit?: number; category?: string } = {}) =>
	call(api.searchEverything, { q, ...more }, fetchApi());
const firstOf = async (q: string, kind?: Kind) => (await search(q, kind && { kind })).results[0];

/** Questions that people ask of the whole site, and pages to which a person who knows it would point. Written before anything was tuned. */
const QUESTIONS: [query: string, ...paths: string[]][] = [
	['California salary', '/ai-best-practices/california'],
	['califronia salary', '/ai-best-practices/california'],
	['AI jobs in Texas', '/ai-best-practices/texas'],
	['average pay of AI engineers in Washington', '/ai-best-practices/washington'],
	['machine learning companies in Massachusetts', '/ai-best-practices/massachusetts'],
	['stanford university', '/ai-best-practices/california'],
	['carnegie mellon', '/ai-best-practices/pennsylvania'],
	['research triangle', '/ai-best-practices/north-carolina'],
	['wyoming', '/ai-best-practices/wyoming'],
	['where to study ai in ohio', '/ai-best-practices/ohio'],
	['why does validation accuracy drop', '/blog/validation-set-is-a-budget', '/blog/data-leakage'],
	['KV cache memory', '/blog/attention-in-plain-arithmetic'],
	['measuring honestly', '/series/measuring-honestly'],
	['computer vision', '/category/computer-vision'],
	['evaluation', '/tag/evaluation'],
	['privacy policy', '/privacy'],
	['terms of service', '/terms'],
	['email course ethics', '/newsletter#course'],
	['lesson 3', '/newsletter#course'],
	['wombats', '/newsletter/2026-11-19'],
];

test.each(QUESTIONS)(
	'%j leads among the first three to what a person would point to',
	async (query, ...wanted) => {
		const { results } = await search(query, { limit: 3 });
		const found = results.map(({ url }) => url.replace(/#[^c].*/, ''));
		expect(
			found.some((path) => wanted.includes(path)),
			`${query}: ${found.join(' ')}`,
		).toBe(true);
	},
);

test('a result leads to the heading above its words, and marks them', async () => {
	const found = (await firstOf('KV cache memory'))!;
	expect(found.url).toMatch(/^\/blog\/[a-z-]+#[a-z][a-z0-9-]*:~:text=[^-]+$/);
	const hits = splitMarks(found.snippet, found.marks).filter(({ hit }) => hit);
	expect(hits.length).toBeGreaterThan(1);
	expect(found.by).toBe('words');
	expect((await firstOf('carnegie mellon'))!.url).toMatch(
		/^\/ai-best-practices\/pennsylvania#[a-z-]+:~:text=Carnegie%20Mellon/,
	);
	expect((await firstOf('California salary'))!.url).toMatch(
		/^\/ai-best-practices\/california#[a-z-]+:~:text=/,
	);
	expect((await firstOf('attention in plain arithmetic'))!.url).toBe(
		'/blog/attention-in-plain-arithmetic',
	);
	expect((await firstOf('wombats'))!.url).toBe(
		'/newsletter/2026-11-19#article-1:~:text=Wombats%20and%20gradients',
	);
});

test('lessons and downloads are found, and lead to the forms that bring them', async () => {
	expect(await firstOf('ethics lesson of the email course')).toMatchObject({ kind: 'lesson' });
	for (const [query, title] of [
		['the cheat sheet', 'The cheat sheet'],
		['project template to fill in', 'The project template'],
		['field guide download', 'The field guide'],
	] as const) {
		const { results } = await search(query, { kind: 'download' });
		expect(results[0]).toMatchObject({ kind: 'download', title });
		expect(results[0]!.url).toMatch(/^\/newsletter#downloads/);
	}
});

test('one kind is searched where one is given, and every kind that has something is told', async () => {
	const all = await search('learning');
	expect(all.kinds).toEqual(expect.arrayContaining(['article', 'state', 'category', 'lesson']));
	for (const kind of all.kinds) {
		const some = await search('learning', { kind });
		expect(new Set(some.results.map((one) => one.kind))).toEqual(new Set([kind]));
		expect(some.kinds).toEqual(all.kinds);
	}
	const vision = await search('camera', { category: 'computer-vision' });
	expect(new Set(vision.results.map(({ kind }) => kind))).toEqual(new Set(['article']));
});

test('without JavaScript the groups, their links to one kind and the places are on a page', async () => {
	const read = async (query: string) => (await fetchApi()(`/search/results?${query}`)).text();
	const html = await read('q=California+salary');
	expect(html).toContain('<h2>State guides</h2>');
	expect(html).toMatch(
		/<a href="\/ai-best-practices\/california#[a-z-]+:~:text=[^"]+">AI in <mark>California<\/mark>/,
	);
	expect(html).toContain(
		'<a href="/search/results?q=California+salary" aria-current="true">Everything</a>',
	);
	expect(html).toContain(
		'<a href="/search/results?q=California+salary&amp;kind=state">State guides</a>',
	);
	const pages = await read('q=California+salary&kind=article');
	expect(pages).toContain('kind=article" aria-current="true">Articles</a>');
	expect(pages).not.toContain('<h2>State guides</h2>');
});

test.each(['fine tuning vs rag', 'kv cache size', 'data drift alert too noisy'])(
	'%j has at least three results, and those that are not close say so',
	async (query) => {
		const { results, total } = await search(query);
		expect(results.length).toBeGreaterThanOrEqual(3);
		expect(results.map(({ less }) => less === true)).toEqual(
			results.map((_, rank) => rank >= total),
		);
	},
);

test('one close result is followed by four that are less close, in whatever form they are read', async () => {
	const { results, total } = await search('fine tuning vs rag');
	expect(total).toBe(1);
	expect((await search('fine tuning vs rag')).kinds).not.toContain('state');
	expect(results[0]!.url).toContain('context-retrieval-or-fine-tuning');
	expect(results).toHaveLength(5);
	const html = await (await fetchApi()('/search/results?q=fine+tuning+vs+rag')).text();
	expect(html).toContain('<p role="status">1 article, 4 less close</p>');
	expect(html.indexOf('<h2>Less close</h2>')).toBeGreaterThan(
		html.indexOf('context-retrieval-or-fine-tuning'),
	);
	expect((await search('fine tuning vs rag', { limit: 1 })).results).toHaveLength(1);
});

test('a limit cuts the list and not the total', async () => {
	const all = await search('attention', { limit: 50 });
	expect(all.total).toBe(all.results.length);
	expect(all.total).toBeGreaterThan(2);
	const few = await search('attention', { limit: 2 });
	expect(few).toEqual({ ...all, results: all.results.slice(0, 2) });
});

test.each(['limit=0', 'limit=51', 'limit=x', 'kind=person', `q=${'a'.repeat(201)}`])(
	'%s is refused',
	async (query) => {
		expect((await fetchApi()(`/api/search?q=learning&${query}`)).status).toBe(400);
	},
);

test.each(['', 'ab', '"""', '***'])('%j finds nothing', async (query) => {
	expect(await search(query)).toEqual({ results: [], total: 0, kinds: [] });
});

test('a misspelled word is corrected, and says so', async () => {
	expect((await search('pensylvania')).corrected).toBe('pennsylvania');
	expect((await search('pennsylvania')).corrected).toBeUndefined();
});

test('what changes is found in its new form from the next build, and what stays is not written again', async () => {
	// A row that is added may take the number of one that went.
	const rows = async () =>
		(await db.select().from(searchEntries)).map(({ id, digest }) => `${id} ${digest}`);
	// The address of the site is another one than before the first test.
	await index();
	const before = await rows();
	await index();
	expect(await rows()).toEqual(before);
	await db
		.update(states)
		.set({ techHubs: ['Quokkaville'] })
		.where(eq(states.slug, 'ohio'));
	await db
		.update(pages)
		.set({ published: true, slug: 'echidnas', title: 'Echidnas' })
		.where(eq(pages.slug, 'terms'));
	await index();
	expect(await firstOf('quokkaville')).toMatchObject({
		kind: 'state',
		url: '/ai-best-practices/ohio#tech-hubs:~:text=Quokkaville',
	});
	expect((await firstOf('echidnas'))!.url).toMatch(/^\/echidnas/);
	expect((await rows()).filter((row) => !before.includes(row))).toHaveLength(2);
	await db.delete(states).where(eq(states.slug, 'ohio'));
	await index();
	expect((await search('quokkaville')).results).toEqual([]);
});

test('an article that is taken back is found no more', async () => {
	expect((await firstOf('kalman'))!.kind).toBe('article');
	await db
		.update(posts)
		.set({ published: false })
		.where(eq(posts.slug, 'kalman-filter-careful-averaging'));
	const { results } = await search('kalman', { limit: 50 });
	expect(results.map(({ url }) => url).filter((url) => url.includes('kalman'))).toEqual([]);
});

test('nothing is looked at again unless something that is shown, or the code, has changed', async () => {
	await index();
	await db.delete(searchEntries).where(eq(searchEntries.kind, 'lesson'));
	const lessons = () => db.$count(searchEntries, eq(searchEntries.kind, 'lesson'));
	await index();
	expect(await lessons()).toBe(0);
	await index('other code');
	expect(await lessons()).toBe(7);
});
