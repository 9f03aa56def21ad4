/** Which pages the sitemap for search engines lists, when each of them changed, and in which file it is. */
import { writeFile } from 'node:fs/promises';
import { Readable, type Transform } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { SitemapIndexStream, SitemapStream, streamToPromise } from 'sitemap';
import { listIssues } from '#src/features/newsletter/issues.server.ts';
import { cutPages } from '#src/features/posts/list-page.ts';
import { PAGE_SIZE } from '#src/features/posts/post.ts';
import type { Article } from '#src/features/site/site.ts';
import { buildDb, getSite } from '#src/features/site/site-data.server.ts';
import { pathOf } from '#src/features/pages/page.ts';
import { latestUpdate } from '#src/lib/dates.ts';
import { compareLists, isSameList } from '#src/lib/lists.ts';
import { getEnv } from '#src/lib/env.ts';
import { pageAt, PAGES, paths } from '#src/site.ts';
import { PathParts } from './path-parts.ts';
import type { Source } from './fingerprint.ts';

/** Made once: to make one for each comparison takes as long as sorting. */
const collator = new Intl.Collator('en', { numeric: true });
/** As `@astrojs/sitemap` sorts addresses. */
const inOrder = (a: Entry, b: Entry) => collator.compare(a.url, b.url);

/** Search engines take 50,000 addresses in one file, and `@astrojs/sitemap` puts as many as here into one. */
const PART_LENGTH = 45_000;
/** How many settled pages a part has, about. */
const SETTLED_LENGTH = 1_000;

type Shown = Pick<Source, 'site' | 'issues'>;
type Entry = { url: string; lastmod: string | undefined };
/** When a page last changed. A settled one does not change with what is published after it. */
type Change = { lastmod: string; isSettled?: boolean };
/** When the pages of something last changed: the same object where nothing did. */
type ChangeList = readonly (readonly [path: string, change: Change])[];
/** When pages last changed: those of articles, and all others. Pages without a time of their own are left out. */
type Changes = { articles: readonly Article[]; lists: readonly ChangeList[] };
/** A page that was built: the same object for the same page. */
type Built = { pathname: string };

/** Returns what the files of the sitemap have in a build that Astro makes, as `Sitemap.parts`. */
export async function partsOfBuild(pages: readonly Built[]): Promise<Sitemap['parts']> {
	const db = await buildDb();
	const sitemap = new Sitemap();
	const shown = { site: await getSite(), issues: await listIssues(db) };
	sitemap.update(pages, lastChanges(shown));
	return sitemap.parts;
}

type File = { xml: Buffer; lastmod: string };
/** Files by path. What did not change is the same object. */
export type SitemapFiles = ReadonlyMap<string, File>;

/** The sitemap as it was written last. Only what changed since is looked at again. */
export class Sitemap {
	/** The files that have what did not change, apart from the index. */
	files: SitemapFiles = new Map();
	#siteUrl = '';
	#pages: readonly Built[] = [];
	#articles: readonly Article[] = [];
	#lists: readonly ChangeList[] = [];
	readonly #built = new Set<string>();
	readonly #changes = new Map<string, Change>();
	/** Entries of what changes with each article. */
	readonly #moving = new Map<string, Entry>();
	/** Entries of settled pages, in parts of their own, of which an edit changes one. */
	#settled = PathParts.of<Entry>([], SETTLED_LENGTH);

	/** Entries of the files, by what these are named after: the settled pages, and at the end all others. */
	get parts(): [name: string, entries: Entry[]][] {
		const settled = this.#settled.all.map((part, n): [string, Entry[]] => [
			`settled-${n}`,
			sorted(part),
		]);
		return [...settled, ['pages', [...this.#moving.values()].sort(inOrder)]];
	}

	/**
	 * Writes into a folder what `@astrojs/sitemap` would, but for files that are `known`: `sitemap-index.xml` and its parts, which
	 * have the pages that search engines may list.
	 */
	async write(
		dir: URL,
		pages: readonly Built[],
		changes: Changes,
		known: SitemapFiles = new Map(),
	): Promise<void> {
		this.update(pages, changes);
		const files = await Promise.all(
			this.parts.flatMap(([name, part]) =>
				cut(part).map(
					async (entries, n) => [`/sitemap-${name}-${n}.xml`, await fileOf(entries)] as const,
				),
			),
		);
		this.files = new Map(files);
		for (const [path, file] of this.files)
			if (known.get(path) !== file) await writeFile(new URL(`.${path}`, dir), file.xml);
		const index = [...this.files].map(([path, { lastmod }]) => ({ url: addressOf(path), lastmod }));
		await writeFile(
			new URL('sitemap-index.xml', dir),
			await toXml(index, new SitemapIndexStream()),
		);
	}

	/** Takes in what changed since the last call. */
	update(pages: readonly Built[], { articles, lists }: Changes): void {
		const { SITE_URL } = getEnv();
		const changed = new Set<string>();
		// Former paths first: a page or an article that changed goes and comes at the same one.
		const built = compareLists(this.#pages, pages);
		for (const { pathname } of built.gone) this.#built.delete(`/${pathname}`);
		for (const { pathname } of built.added) this.#built.add(`/${pathname}`);
		for (const { pathname } of [...built.gone, ...built.added]) changed.add(`/${pathname}`);
		const set = (path: string, change: Change | undefined) => {
			if (change) this.#changes.set(path, change);
			else this.#changes.delete(path);
			changed.add(path);
		};
		const written = compareLists(this.#articles, articles);
		for (const { post } of written.gone) set(paths.post(post.slug), undefined);
		for (const { post } of written.added)
			set(paths.post(post.slug), { lastmod: post.updatedAt, isSettled: true });
		const listed = compareLists(this.#lists, lists);
		const before = new Map(listed.gone.flat());
		for (const [path, change] of listed.added.flat()) {
			if (!isSameChange(before.get(path), change)) set(path, change);
			before.delete(path);
		}
		for (const path of before.keys()) set(path, undefined);
		[this.#pages, this.#articles, this.#lists] = [pages, articles, lists];
		if (this.#siteUrl !== SITE_URL) for (const path of this.#built) changed.add(path);
		this.#siteUrl = SITE_URL;
		this.#list(changed);
	}

	/** Makes the entries of these pages anew. */
	#list(changed: ReadonlySet<string>): void {
		const settled: [path: string, entry: Entry | undefined][] = [];
		for (const path of changed) {
			const { lastmod, isSettled } = this.#changes.get(path) ?? {};
			const isShown = this.#built.has(path) && isListed(path);
			const entry = isShown ? { url: addressOf(path), lastmod } : undefined;
			if (entry && !isSettled) this.#moving.set(path, entry);
			else this.#moving.delete(path);
			const before = this.#settled.get(path);
			if (!isSettled || !isDeepStrictEqual(before, entry))
				settled.push([path, isSettled ? entry : undefined]);
		}
		this.#settled = this.#settled.with(settled);
	}
}

const isSameChange = (one: Change | undefined, other: Change) =>
	one?.lastmod === other.lastmod && one.isSettled === other.isSettled;

const sortedParts = new WeakMap<ReadonlyMap<string, Entry>, Entry[]>();

/** Returns the entries of a part of settled pages in order: the same list for the same part. */
function sorted(part: ReadonlyMap<string, Entry>): Entry[] {
	const known = sortedParts.get(part) ?? [...part.values()].sort(inOrder);
	sortedParts.set(part, known);
	return known;
}

const files = new WeakMap<Entry[], Promise<File>>();

/** Returns the file of these entries, which is made once for each list. */
function fileOf(entries: Entry[]): Promise<File> {
	const file = files.get(entries) ?? toFile(entries);
	files.set(entries, file);
	return file;
}

/** Cuts entries into lists that each fit into a file. */
function cut(entries: Entry[]): Entry[][] {
	if (entries.length <= PART_LENGTH) return entries.length > 0 ? [entries] : [];
	return [entries.slice(0, PART_LENGTH), ...cut(entries.slice(PART_LENGTH))];
}

async function toFile(entries: Entry[]): Promise<File> {
	const lastmod = latestUpdate(entries.map((entry) => ({ updatedAt: entry.lastmod ?? '' })));
	return { xml: await toXml(entries, new SitemapStream()), lastmod };
}

const addressOf = (path: string) => new URL(path, getEnv().SITE_URL).href;

function isListed(path: string): boolean {
	const page = pageAt(path);
	return page !== undefined && !page.isHidden && !page.isAlias;
}

/** Returns when pages last changed. */
export function lastChanges({
	site: { articles, states, pages: edited, byAuthor, byCategory, byTag, series },
	issues,
}: Shown): Changes {
	const letters = issues.map(({ date, createdAt }) => ({
		date,
		updatedAt: createdAt.toISOString(),
	}));
	const blog = changesOf(articles, paths.blog);
	const last = {
		articles: blog[0]![1].lastmod,
		states: latestUpdate(states),
		issues: latestUpdate(letters),
	};
	const others = new Map<string, Change>();
	for (const { path, shows } of PAGES) if (shows) others.set(path, { lastmod: last[shows] });
	for (const { slug, updatedAt } of edited) {
		const path = pathOf(slug);
		const lastmod = others.get(path)?.lastmod ?? '';
		if (updatedAt)
			others.set(path, { lastmod: latestUpdate([{ updatedAt: lastmod }, { updatedAt }]) });
	}
	for (const { slug, articles } of series)
		others.set(paths.series(slug), { lastmod: latest(articles) });
	for (const { slug, updatedAt } of states) others.set(paths.state(slug), { lastmod: updatedAt });
	for (const { date, updatedAt } of letters) others.set(paths.issue(date), { lastmod: updatedAt });
	const kinds = { category: byCategory, tag: byTag, author: byAuthor };
	const lists = (['category', 'tag', 'author'] as const).flatMap((kind) =>
		[...kinds[kind]].map(([slug, list]) => changesOf(list, (page) => paths[kind](slug, page))),
	);
	// A page of the site, and of that list.
	others.delete(paths.blog());
	return { articles, lists: [[...others], blog, ...lists] };
}

/** As `latestUpdate`, of articles. */
function latest(articles: readonly Article[]): string {
	let last = '';
	for (const { post } of articles) if (post.updatedAt > last) last = post.updatedAt;
	return last;
}

const known = new WeakMap<readonly Article[], ChangeList>();

/** Returns when the pages of a list changed, which is looked for once in each list. */
function changesOf(list: readonly Article[], pathOf: (page?: number) => string): ChangeList {
	const last = known.get(list);
	if (last) return last;
	const later = laterPages(list, pathOf);
	let lastmod = latest(list.slice(0, PAGE_SIZE));
	for (const [, change] of later) if (change.lastmod > lastmod) lastmod = change.lastmod;
	const found: ChangeList = [[pathOf(), { lastmod }], ...later];
	known.set(list, found);
	return found;
}

/** Returns the later pages of a list, which change with what they show; the one behind the first is not full. */
export function laterPages(list: readonly Article[], pathOf: (page: number) => string): ChangeList {
	return cutPages(list)
		.slice(1)
		.map(({ page, newer, rows }) => {
			const path = pathOf(page);
			return [path, { lastmod: latestAt(path, rows), isSettled: newer !== 1 }];
		});
}

/** Rows that pages of lists showed last, by their paths. */
const shownAt = new Map<string, { rows: readonly Article[]; lastmod: string }>();

/** As `latest`, of a page: long lists have thousands, of which few change. */
function latestAt(path: string, rows: readonly Article[]): string {
	const last = shownAt.get(path);
	if (last && isSameList(last.rows, rows)) return last.lastmod;
	const lastmod = latest(rows);
	shownAt.set(path, { rows, lastmod });
	return lastmod;
}

/** Returns what a stream of the package makes of these entries. */
async function toXml(entries: Entry[], stream: Transform): Promise<Buffer> {
	return streamToPromise(Readable.from(entries).pipe(stream));
}
