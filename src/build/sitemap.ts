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
import { cutByPath } from './listing.ts';
import type { Source } from './source.ts';

/** Made once: to make one for each comparison takes as long as sorting. */
const inOrder = new Intl.Collator('en', { numeric: true });

/** Search engines take 50,000 addresses in one file. */
const PART_LENGTH = 45_000;
/** How many settled pages a part has, about. */
const SETTLED_LENGTH = 1_000;

type Shown = Pick<Source, 'site' | 'issues'>;
type Entry = { url: string; lastmod: string | undefined };
/** When a page last changed. A settled one does not change with what is published after it. */
type Change = { lastmod: string; isSettled?: boolean };

/** Writes the sitemap from the list of pages that were built. */
export function sitemapFiles(db: Db, shown: Shown): AstroIntegration {
	let changes: Map<string, Change>;
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
 * Writes `sitemap-index.xml` and its parts into a folder: those of the pages that search engines may list, with the times of
 * their last changes by path. The first part has what changes with each article, in order; the settled pages are in parts of
 * their own, of which an edit changes one.
 */
export async function writeSitemap(
	dir: URL,
	pathnames: string[],
	changes: Map<string, Change>,
): Promise<void> {
	const at = (path: string) => new URL(path, getEnv().SITE_URL).href;
	const entryOf = (path: string): Entry => ({ url: at(path), lastmod: changes.get(path)?.lastmod });
	const listed = [...new Set(pathnames)].filter(isListed);
	const isSettled = (path: string) => changes.get(path)?.isSettled === true;
	const moving = listed.filter((path) => !isSettled(path)).sort(inOrder.compare);
	const settled = listed.filter(isSettled).map((path): [string, Entry] => [path, entryOf(path)]);
	const parts = [
		...Array.from({ length: Math.ceil(moving.length / PART_LENGTH) }, (_, n) =>
			moving.slice(n * PART_LENGTH, (n + 1) * PART_LENGTH).map(entryOf),
		),
		...cutByPath(settled, SETTLED_LENGTH).map((part) => [...part.values()]),
	].filter((part) => part.length > 0);
	const before = written;
	written = new Map();
	const index: Entry[] = [];
	for (const [n, part] of parts.entries()) {
		const name = `sitemap-${n}.xml`;
		const key = JSON.stringify(part);
		const xml = before.get(key) ?? (await toXml(part, new SitemapStream()));
		written.set(key, xml);
		await writeFile(new URL(name, dir), xml);
		const lastmod = latestUpdate(part.map(({ lastmod = '' }) => ({ updatedAt: lastmod })));
		index.push({ url: at(`/${name}`), lastmod });
	}
	await writeFile(new URL('sitemap-index.xml', dir), await toXml(index, new SitemapIndexStream()));
}

/** The parts that were written last, by what they list: most of them are the same the next time. */
let written = new Map<string, Buffer>();

function isListed(path: string): boolean {
	const page = pageAt(path);
	return page !== undefined && !page.isHidden && !page.isAlias;
}

/** Returns when pages last changed, by path. Pages without a time of their own are left out. */
async function lastChanges(
	db: Db,
	{ site: { articles, pages: edited, byAuthor, byCategory, byTag, series }, issues }: Shown,
): Promise<Map<string, Change>> {
	const states = await listStates(db);
	const letters = issues.map(({ date, createdAt }) => ({
		date,
		updatedAt: createdAt.toISOString(),
	}));
	const posts = (list: Article[]) => list.map(({ post }) => post);
	const lists = { articles: posts(articles), states, issues: letters };
	const changes = new Map<string, Change>();
	const add = (path: string, shows: { updatedAt: string }[]) =>
		changes.set(path, { lastmod: latestUpdate(shows) });
	for (const { path, shows } of PAGES) if (shows) add(path, lists[shows]);
	for (const { slug, updatedAt } of edited) {
		const path = pathOf(slug);
		const lastmod = changes.get(path)?.lastmod ?? '';
		if (updatedAt) add(path, [{ updatedAt: lastmod }, { updatedAt }]);
	}
	const addLater = (list: Article[], pathOf: (page: number) => string) => {
		for (const [path, change] of laterPages(posts(list), pathOf)) changes.set(path, change);
	};
	addLater(articles, paths.blog);
	for (const [kind, lists] of [
		['category', byCategory],
		['tag', byTag],
		['author', byAuthor],
	] as const)
		for (const [slug, list] of lists) {
			const pathOf = (page?: number) => paths[kind](slug, page);
			add(pathOf(), posts(list));
			addLater(list, pathOf);
		}
	for (const { slug, articles } of series) add(paths.series(slug), posts(articles));
	for (const { slug, updatedAt } of posts(articles))
		changes.set(paths.post(slug), { lastmod: updatedAt, isSettled: true });
	for (const state of states) add(paths.state(state.slug), [state]);
	for (const letter of letters) add(paths.issue(letter.date), [letter]);
	return changes;
}

/** Returns the later pages of a list, which change with what they show; the one behind the first is not full. */
export function laterPages(
	rows: { updatedAt: string }[],
	pathOf: (page: number) => string,
): [path: string, change: Change][] {
	return cutPages(rows)
		.slice(1)
		.map(({ page, newer, rows }) => [
			pathOf(page),
			{ lastmod: latestUpdate(rows), isSettled: newer !== 1 },
		]);
}

/** Returns what a stream of the package makes of these entries. */
async function toXml(entries: Entry[], stream: Transform): Promise<Buffer> {
	return streamToPromise(Readable.from(entries).pipe(stream));
}
