import plugin from '@astrojs/sitemap';
import type { AstroIntegration } from 'astro';
import { XMLParser } from 'fast-xml-parser';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { SITE_URL } from '#tests/support/setup.ts';
import type { Article } from '#src/features/site/site.ts';
import { paths } from '#src/site.ts';
import { listedPages } from './listed-pages.ts';
import { laterPages, Sitemap } from './sitemap.ts';

type Entry = { loc: string; lastmod?: string };
type Part = { urlset: { url: Entry[] } };
type Index = { sitemapindex: { sitemap: Entry[] } };

type Changes = Map<string, { lastmod: string; isSettled?: boolean }>;

/** An article as far as the sitemap reads it. */
const article = (path: string, updatedAt: string) =>
	({ post: { slug: path.split('/').at(-1)!, updatedAt } }) as Article;

/** Writes the sitemap of these paths. Returns the names of its files, and what each of them holds. */
async function setup(
	paths: string[],
	others: Changes = new Map(),
	articles: ReturnType<typeof article>[] = [],
	sitemap = new Sitemap(),
) {
	const folder = await mkdtemp(join(tmpdir(), 'groundtruth-sitemap-'));
	onTestFinished(() => rm(folder, { recursive: true }));
	const pages = paths.map((path) => ({ pathname: path.slice(1) }));
	await sitemap.write(pathToFileURL(`${folder}/`), pages, { articles, lists: [[...others]] });
	const parser = new XMLParser({ isArray: (name) => name === 'sitemap' || name === 'url' });
	const text = (name: string) => readFile(join(folder, name), 'utf8');
	const read = async (name: string) => parser.parse(await text(name)) as unknown;
	return { names: (await readdir(folder)).sort(), text, read };
}

const partsOf = (names: string[]) => names.filter((name) => name !== 'sitemap-index.xml');

test('pages are in order, each once, without those that search engines must not list', async () => {
	const { read } = await setup([
		'/blog/page/10',
		'/blog/page/2',
		'/',
		'/404-tag',
		'/admin',
		'/states',
		'/about',
		'/about',
		'/styleguide',
	]);
	const { urlset } = (await read('sitemap-pages-0.xml')) as Part;
	expect(urlset.url.map(({ loc }) => loc.replace(SITE_URL, ''))).toEqual([
		'/',
		'/about',
		'/blog/page/2',
		'/blog/page/10',
	]);
});

test('a page tells when it changed', async () => {
	const { read } = await setup(
		['/about', '/blog', '/blog/kalman-filters'],
		new Map([
			['/blog', { lastmod: '2026-11-02T10:00:00.000Z' }],
			['/blog/kalman-filters', { lastmod: '2026-11-01T10:00:00.000Z' }],
		]),
	);
	const { urlset } = (await read('sitemap-pages-0.xml')) as Part;
	expect(urlset.url.map(({ lastmod }) => lastmod)).toEqual([
		undefined,
		'2026-11-02T10:00:00.000Z',
		'2026-11-01T10:00:00.000Z',
	]);
	const { sitemapindex } = (await read('sitemap-index.xml')) as Index;
	expect(sitemapindex.sitemap).toEqual([
		{ loc: `${SITE_URL}/sitemap-pages-0.xml`, lastmod: '2026-11-02T10:00:00.000Z' },
	]);
});

test('a later page of a list changes with the articles on it, and is settled once it is full', () => {
	const times = Array.from({ length: 50 }, (_, n) => new Date(n).toISOString());
	const list = times.map((updatedAt) => article('/blog/one', updatedAt));
	expect(laterPages(list, paths.blog)).toEqual([
		['/blog/page/3', { lastmod: times[25], isSettled: false }],
		['/blog/page/2', { lastmod: times[49], isSettled: true }],
	]);
});

test('an edit of one article changes the part with the lists, the one that has the article, and the index', async () => {
	const posts = Array.from({ length: 5000 }, (_, n) => `/blog/post-${n}`);
	const [before, after] = ['2026-11-01T10:00:00.000Z', '2026-11-02T10:00:00.000Z'];
	const all = ['/blog', '/about', ...posts];
	const sitemap = new Sitemap();
	const articles = posts.map((path) => article(path, before));
	const first = await setup(all, new Map([['/blog', { lastmod: before }]]), articles, sitemap);
	const edited = articles.with(7, article(posts[7]!, after));
	const second = await setup(all, new Map([['/blog', { lastmod: after }]]), edited, sitemap);
	expect(second.names).toHaveLength(6);
	const changed: string[] = [];
	for (const name of second.names)
		if (!isDeepStrictEqual(await first.read(name), await second.read(name))) changed.push(name);
	expect(changed).toEqual(['sitemap-index.xml', 'sitemap-pages-0.xml', changed[2]]);
	const { urlset } = (await second.read(changed[2]!)) as Part;
	expect(urlset.url).toContainEqual({ loc: `${SITE_URL}/blog/post-7`, lastmod: after });
	const parts = await Promise.all(partsOf(second.names).map(second.read));
	const listed = (parts as Part[]).flatMap(({ urlset }) => urlset.url.map(({ loc }) => loc));
	expect(listed.map((loc) => loc.replace(SITE_URL, '')).sort()).toEqual(all.sort());
});

test('more pages than a file may list are in several, which the index names', async () => {
	const posts = Array.from({ length: 45_001 }, (_, n) => `/blog/post-${n}`);
	const { names, read } = await setup(posts);
	expect(names).toEqual(['sitemap-index.xml', 'sitemap-pages-0.xml', 'sitemap-pages-1.xml']);
	const { sitemapindex } = (await read('sitemap-index.xml')) as Index;
	expect(sitemapindex.sitemap.map(({ loc }) => loc)).toEqual([
		`${SITE_URL}/sitemap-pages-0.xml`,
		`${SITE_URL}/sitemap-pages-1.xml`,
	]);
	const { urlset } = (await read('sitemap-pages-1.xml')) as Part;
	expect(urlset.url).toEqual([{ loc: `${SITE_URL}/blog/post-45000` }]);
});

test('a sitemap that is written again is as one that is written first', async () => {
	const times = ['2026-11-01T10:00:00.000Z', '2026-11-02T10:00:00.000Z'];
	const pathsOf = (from: number, to: number) =>
		Array.from({ length: to - from }, (_, n) => `/blog/post-${from + n}`);
	const sitemap = new Sitemap();
	const known = new Map(pathsOf(0, 4000).map((path) => [path, article(path, times[0]!)]));
	// Articles go and come, one is edited, one loses its page, and a list settles, moves again and goes.
	const steps: [paths: string[], others: Changes][] = [
		[pathsOf(0, 900), new Map([['/tag/maths/page/2', { lastmod: times[0]! }]])],
		[pathsOf(10, 900), new Map([['/tag/maths/page/2', { lastmod: times[0]!, isSettled: true }]])],
		[pathsOf(10, 3000), new Map([['/tag/maths/page/2', { lastmod: times[1]! }]])],
		[pathsOf(0, 4000), new Map()],
		[pathsOf(200, 300), new Map([['/tag/maths/page/2', { lastmod: times[1]! }]])],
	];
	for (const [at, [shown, others]] of steps.entries()) {
		const edited = `/blog/post-${210 + at}`;
		known.set(edited, article(edited, times[1]!));
		const articles = shown.map((path) => known.get(path)!);
		const built = ['/about', '/tag/maths/page/2', ...shown.filter((_, n) => n !== 5 + at)];
		const [again, first] = [
			await setup(built, others, articles, sitemap),
			await setup(built, others, articles),
		];
		expect(again.names).toEqual(first.names);
		const entriesOf = async ({ names, read }: typeof first) =>
			((await Promise.all(partsOf(names).map(read))) as Part[]).map(({ urlset }) =>
				urlset.url.map(({ loc, lastmod }) => `${loc} ${lastmod}`),
			);
		expect(await entriesOf(again)).toEqual(await entriesOf(first));
	}
});

test("what is written for kept builds is what Astro's integration writes, byte by byte", async () => {
	const folder = await mkdtemp(join(tmpdir(), 'groundtruth-sitemap-'));
	onTestFinished(() => rm(folder, { recursive: true }));
	const dir = pathToFileURL(`${folder}/`);
	const articles = Array.from({ length: 3000 }, (_, n) =>
		article(`/blog/${n % 9 === 0 ? 'größe' : 'post'}-${n}`, new Date(n * 1e8).toISOString()),
	);
	const others: Changes = new Map([
		['/blog', { lastmod: '2026-11-02T10:00:00.000Z' }],
		['/blog/page/2', { lastmod: '2026-11-01T10:00:00.000Z', isSettled: true }],
	]);
	const built = ['/', '/about', '/404', '/404-tag', '/admin', '/styleguide', ...others.keys()];
	const all = [...built, ...articles.map(({ post }) => paths.post(post.slug))];
	const ours = await setup(all, others, articles);

	const listed = listedPages(async (pages) => {
		const sitemap = new Sitemap();
		sitemap.update(pages, { articles, lists: [[...others]] });
		return sitemap.parts;
	});
	const messages: string[] = [];
	const logger = { info() {}, warn: (text: string) => messages.push(text), error: console.error };
	const config = { site: SITE_URL, base: '/', trailingSlash: 'never', build: { format: 'file' } };
	const pages = all.map((path) => ({ pathname: path.slice(1) }));
	for (const { hooks } of [listed.integration, plugin(listed.options)]) {
		const run = <Name extends keyof AstroIntegration['hooks']>(name: Name, options: object) =>
			(hooks[name] as ((options: object) => Promise<void>) | undefined)?.(options);
		await run('astro:config:done', { config });
		await run('astro:routes:resolved', { routes: [] });
		await run('astro:build:done', { dir, pages, logger });
	}
	expect(messages).toEqual([]);
	const names = (await readdir(folder)).sort();
	expect(names.length).toBeGreaterThan(3);
	expect(names).toEqual(ours.names);
	for (const name of names)
		expect(await readFile(join(folder, name), 'utf8')).toBe(await ours.text(name));
});
