import { XMLParser } from 'fast-xml-parser';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { SITE_URL } from '#tests/support/setup.ts';
import { paths } from '#src/site.ts';
import { olderPages, writeSitemap } from './sitemap.ts';

type Entry = { loc: string; lastmod?: string };
type Part = { urlset: { url: Entry[] } };
type Index = { sitemapindex: { sitemap: Entry[] } };

/** Writes the sitemap of these paths. Returns the names of its files, and what each of them holds. */
async function setup(paths: string[], changes: [path: string, lastmod: string][] = []) {
	const folder = await mkdtemp(join(tmpdir(), 'groundtruth-sitemap-'));
	onTestFinished(() => rm(folder, { recursive: true }));
	await writeSitemap(pathToFileURL(`${folder}/`), paths, new Map(changes));
	const parser = new XMLParser({ isArray: (name) => name === 'sitemap' || name === 'url' });
	const read = async (name: string) =>
		parser.parse(await readFile(join(folder, name), 'utf8')) as unknown;
	return { names: (await readdir(folder)).sort(), read };
}

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
	const { urlset } = (await read('sitemap-0.xml')) as Part;
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
		[
			['/blog', '2026-11-02T10:00:00.000Z'],
			['/blog/kalman-filters', '2026-11-01T10:00:00.000Z'],
		],
	);
	const { urlset } = (await read('sitemap-0.xml')) as Part;
	expect(urlset.url.map(({ lastmod }) => lastmod)).toEqual([
		undefined,
		'2026-11-02T10:00:00.000Z',
		'2026-11-01T10:00:00.000Z',
	]);
	const { sitemapindex } = (await read('sitemap-index.xml')) as Index;
	expect(sitemapindex.sitemap).toEqual([
		{ loc: `${SITE_URL}/sitemap-0.xml`, lastmod: '2026-11-02T10:00:00.000Z' },
	]);
});

test('a later page of a list changes with the articles on it', () => {
	const rows = Array.from({ length: 50 }, (_, n) => n);
	expect(olderPages(rows, paths.blog)).toEqual([
		['/blog/page/3', [24, 25]],
		['/blog/page/2', rows.slice(26)],
	]);
});

test('more pages than a file may list are in several, which the index names', async () => {
	const posts = Array.from({ length: 45_001 }, (_, n) => `/blog/post-${n}`);
	const { names, read } = await setup(posts);
	expect(names).toEqual(['sitemap-0.xml', 'sitemap-1.xml', 'sitemap-index.xml']);
	const { sitemapindex } = (await read('sitemap-index.xml')) as Index;
	expect(sitemapindex.sitemap.map(({ loc }) => loc)).toEqual([
		`${SITE_URL}/sitemap-0.xml`,
		`${SITE_URL}/sitemap-1.xml`,
	]);
	const { urlset } = (await read('sitemap-1.xml')) as Part;
	expect(urlset.url).toEqual([{ loc: `${SITE_URL}/blog/post-45000` }]);
});
