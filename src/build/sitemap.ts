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
import { isSameList } from '#src/lib/lists.ts';
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
	const moving = new Map<string, Entry>();
	const settled: [path: string, entry: Entry][] = [];
	for (const path of pathnames) {
		const change = changes.get(path);
		const entry = entryOf(path, change?.lastmod);
		if (!entry) continue;
		if (change?.isSettled) settled.push([path, entry]);
		else moving.set(path, entry);
	}
	const sorted = [...moving].sort(([a], [b]) => inOrder.compare(a, b)).map(([, entry]) => entry);
	const parts = [
		...Array.from({ length: Math.ceil(sorted.length / PART_LENGTH) }, (_, n) =>
			sorted.slice(n * PART_LENGTH, (n + 1) * PART_LENGTH),
		),
		...cutByPath(settled, SETTLED_LENGTH).map((part) => [...part.values()]),
	].filter((part) => part.length > 0);
	const before = written;
	written = [];
	const index: Entry[] = [];
	for (const [n, entries] of parts.entries()) {
		const name = `sitemap-${n}.xml`;
		const last = before[n];
		const part =
			last && isSameList(last.entries, entries)
				? last
				: { entries, xml: await toXml(entries, new SitemapStream()), lastmod: latest(entries) };
		written.push(part);
		await writeFile(new URL(name, dir), part.xml);
		index.push({ url: addressOf(`/${name}`), lastmod: part.lastmod });
	}
	await writeFile(new URL('sitemap-index.xml', dir), await toXml(index, new SitemapIndexStream()));
}

const addressOf = (path: string) => new URL(path, getEnv().SITE_URL).href;

const latest = (entries: Entry[]) =>
	latestUpdate(entries.map(({ lastmod = '' }) => ({ updatedAt: lastmod })));

/** The parts that were written last: most of them are the same the next time. */
let written: { entries: Entry[]; xml: Buffer; lastmod: string }[] = [];

/** Entries as they were made last, by path; undefined for a page that search engines must not list. */
let made = { siteUrl: '', entries: new Map<string, Entry | undefined>() };

/** Returns the entry of a page: the same object where nothing changed. */
function entryOf(path: string, lastmod: string | undefined): Entry | undefined {
	const siteUrl = getEnv().SITE_URL;
	if (made.siteUrl !== siteUrl) made = { siteUrl, entries: new Map() };
	const last = made.entries.get(path);
	if (last ? last.lastmod === lastmod : made.entries.has(path)) return last;
	const entry = isListed(path) ? { url: addressOf(path), lastmod } : undefined;
	made.entries.set(path, entry);
	return entry;
}

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
	const addList = (list: Article[], pathOf: (page?: number) => string) => {
		for (const [path, change] of changesOf(list, pathOf)) changes.set(path, change);
	};
	addList(articles, paths.blog);
	for (const [kind, lists] of [
		['category', byCategory],
		['tag', byTag],
		['author', byAuthor],
	] as const)
		for (const [slug, list] of lists) addList(list, (page) => paths[kind](slug, page));
	for (const { slug, articles } of series) add(paths.series(slug), posts(articles));
	for (const { slug, updatedAt } of posts(articles))
		changes.set(paths.post(slug), { lastmod: updatedAt, isSettled: true });
	for (const state of states) add(paths.state(state.slug), [state]);
	for (const letter of letters) add(paths.issue(letter.date), [letter]);
	return changes;
}

const posts = (list: Article[]) => list.map(({ post }) => post);

const known = new WeakMap<Article[], [path: string, change: Change][]>();

/** Returns when the pages of a list changed, which is looked for once in each list. */
function changesOf(list: Article[], pathOf: (page?: number) => string) {
	const last = known.get(list);
	if (last) return last;
	const rows = posts(list);
	const found: [path: string, change: Change][] = [
		[pathOf(), { lastmod: latestUpdate(rows) }],
		...laterPages(rows, pathOf),
	];
	known.set(list, found);
	return found;
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
