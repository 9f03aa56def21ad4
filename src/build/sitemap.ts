/** Writes the sitemap for search engines. */
import type { AstroIntegration } from 'astro';
import { writeFile } from 'node:fs/promises';
import { Readable, type Transform } from 'node:stream';
import { SitemapIndexStream, SitemapStream, streamToPromise } from 'sitemap';
import type { Db } from '#db/client.ts';
import { cutPages } from '#src/features/posts/list-page.ts';
import type { Article } from '#src/features/site/site.ts';
import { pathOf } from '#src/features/pages/page.ts';
import { listStates } from '#src/features/states/states.server.ts';
import { latestUpdate } from '#src/lib/dates.ts';
import { getEnv } from '#src/lib/env.ts';
import { pageAt, PAGES, paths } from '#src/site.ts';
import type { Source } from './source.ts';

/** Made once: to make one for each comparison takes as long as sorting. */
const inOrder = new Intl.Collator('en', { numeric: true });

/** Search engines take 50,000 addresses in one file. */
const PART_LENGTH = 45_000;

type Shown = Pick<Source, 'site' | 'issues'>;
type Entry = { url: string; lastmod: string | undefined };

/** Writes the sitemap from the list of pages that were built. */
export function sitemapFiles(db: Db, shown: Shown): AstroIntegration {
	let changes: Map<string, string>;
	return {
		name: 'sitemap',
		hooks: {
			'astro:build:start': async () => {
				changes = await lastChanges(db, shown);
			},
			'astro:build:done': async ({ dir, pages }) => {
				const built = pages.map(({ pathname }) => `/${pathname}`);
				await writeSitemap(dir, built, changes);
			},
		},
	};
}

/**
 * Writes `sitemap-index.xml` and its parts into a folder: those of the pages that search engines may list, in order,
 * with the times of their last changes by path.
 */
export async function writeSitemap(
	dir: URL,
	pathnames: string[],
	changes: Map<string, string>,
): Promise<void> {
	const at = (path: string) => new URL(path, getEnv().SITE_URL).href;
	const entries = [...new Set(pathnames)]
		.filter(isListed)
		.map((path) => ({ url: at(path), lastmod: changes.get(path) }))
		.sort((a, b) => inOrder.compare(a.url, b.url));
	const parts: Entry[] = [];
	while (parts.length * PART_LENGTH < entries.length) {
		const start = parts.length * PART_LENGTH;
		const part = entries.slice(start, start + PART_LENGTH);
		const name = `sitemap-${parts.length}.xml`;
		await writeFile(new URL(name, dir), await toXml(part, new SitemapStream()));
		const lastmod = latestUpdate(part.map(({ lastmod = '' }) => ({ updatedAt: lastmod })));
		parts.push({ url: at(`/${name}`), lastmod });
	}
	await writeFile(new URL('sitemap-index.xml', dir), await toXml(parts, new SitemapIndexStream()));
}

function isListed(path: string): boolean {
	const page = pageAt(path);
	return page !== undefined && !page.isHidden && !page.isAlias;
}

/** Returns when pages last changed, by path. Pages without a time of their own are left out. */
async function lastChanges(
	db: Db,
	{ site: { articles, pages: edited, byAuthor, byCategory, byTag, series }, issues }: Shown,
): Promise<Map<string, string>> {
	const states = await listStates(db);
	const letters = issues.map(({ date, createdAt }) => ({
		date,
		updatedAt: createdAt.toISOString(),
	}));
	const posts = (list: Article[]) => list.map(({ post }) => post);
	const lists = { articles: posts(articles), states, issues: letters };
	const pages: [path: string, shows: { updatedAt: string }[]][] = PAGES.flatMap(
		({ path, shows }) => (shows ? [[path, lists[shows]]] : []),
	);
	for (const { slug, updatedAt } of edited) {
		const path = pathOf(slug);
		const shown = pages.find(([one]) => one === path)?.[1] ?? [];
		if (updatedAt) pages.push([path, [...shown, { updatedAt }]]);
	}
	pages.push(...olderPages(posts(articles), paths.blog));
	for (const [kind, lists] of [
		['category', byCategory],
		['tag', byTag],
		['author', byAuthor],
	] as const)
		for (const [slug, list] of lists) {
			const pathOf = (page?: number) => paths[kind](slug, page);
			pages.push([pathOf(), posts(list)], ...olderPages(posts(list), pathOf));
		}
	for (const { slug, articles } of series) pages.push([paths.series(slug), posts(articles)]);
	for (const post of posts(articles)) pages.push([paths.post(post.slug), [post]]);
	for (const state of states) pages.push([paths.state(state.slug), [state]]);
	for (const letter of letters) pages.push([paths.issue(letter.date), [letter]]);
	return new Map(pages.map(([path, shows]) => [path, latestUpdate(shows)]));
}

/** Returns the later pages of a list, which change with what they show, and not with the list. */
export function olderPages<Row>(
	rows: Row[],
	pathOf: (page: number) => string,
): [path: string, shows: Row[]][] {
	return cutPages(rows)
		.slice(1)
		.map((cut) => [pathOf(cut.page), cut.rows]);
}

/** Returns what a stream of the package makes of these entries. */
async function toXml(entries: Entry[], stream: Transform): Promise<Buffer> {
	return streamToPromise(Readable.from(entries).pipe(stream));
}
