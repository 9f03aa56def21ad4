import { hash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { prepared, type Db } from '#db/client.ts';
import { openDb } from '#db/local.ts';
import { renderedPosts } from '#db/schema.ts';
import type { Heading } from '#src/core/articles/render.ts';
import { readSiteSettings } from '#src/core/settings/site.server.ts';
import { cutPages, type ListPage } from '#src/features/posts/list-page.ts';
import { PAGE_SIZE } from '#src/features/posts/post.ts';
import { getEnv } from '#src/lib/env.ts';
import { isSameList, ListMap } from '#src/lib/lists.ts';
import { letterTimes, siteSettings } from '#src/site.ts';
import { readSite } from './load.server.ts';
import { toCard, type Article, type Site } from './site.ts';

let opened: Promise<Db> | undefined;

/** Pages are bundled separately from the code that builds them, so what they read is passed through this global. */
const provided = globalThis as { [BUILD_KEY]?: { site: Site; db: Db } };
const BUILD_KEY = Symbol.for('site.build');

/** Makes pages read this site, which has already been read, and the rest from this database. */
export function provideSite(read: Site, db: Db): void {
	provided[BUILD_KEY] = { site: read, db };
}

/** Returns the database from which pages are built. */
export async function buildDb(): Promise<Db> {
	const { DATABASE_URL, DATABASE_AUTH_TOKEN } = getEnv();
	return provided[BUILD_KEY]?.db ?? (opened ??= openDb(DATABASE_URL, DATABASE_AUTH_TOKEN));
}

/** Returns the site of this build. The dev server, which builds nothing, reads it each time, so that edits show. */
export async function getSite(): Promise<Site> {
	return provided[BUILD_KEY]?.site ?? openSite();
}

async function openSite(): Promise<Site> {
	const db = await buildDb();
	await readSiteSettings(db);
	return readSite(db, new Date());
}

const selectRendering = prepared((db) =>
	db
		.select({ html: renderedPosts.html, headings: renderedPosts.headings })
		.from(renderedPosts)
		.where(eq(renderedPosts.postId, sql.placeholder('postId')))
		.prepare(),
);

/** Returns an article's HTML and headings. Read one at a time, only for pages that are built. */
export async function getRendering(postId: string): Promise<{ html: string; headings: Heading[] }> {
	return (await selectRendering(await buildDb()).get({ postId }))!;
}

/** Returns everything that pages depend on besides data and code. */
export function buildSettings(): string {
	const { SITE_URL, INVENTED_PROOF, STYLEGUIDE, GA_MEASUREMENT_ID, INDEXNOW_KEY } = getEnv();
	const year = new Date().getUTCFullYear();
	return JSON.stringify([
		SITE_URL,
		INVENTED_PROOF,
		STYLEGUIDE,
		GA_MEASUREMENT_ID,
		INDEXNOW_KEY,
		year,
		siteSettings(),
		letterTimes(),
	]);
}

/** Returns what a digest of an object takes in the place of a value in it, which has this name. */
type View = (name: string, value: unknown) => unknown;

/** Takes the ids of categories and tags alone: how they are named and look is shown by many pages alike. */
const withoutNames: View = (name, value) => {
	if (name === 'category') return (value as { id?: string } | null)?.id;
	if (name === 'tags' && Array.isArray(value)) return value.map(({ id }: { id?: string }) => id);
	return name === 'color' ? undefined : value;
};

const digests = new Map<View | undefined, WeakMap<object, string>>([
	[undefined, new WeakMap()],
	[withoutNames, new WeakMap()],
]);

/**
 * Returns a digest of what an object holds, or of a view of it, which is made once for each object: it may not change any
 * more.
 */
export function digestOf(value: object, view?: View): string {
	const known = digests.get(view)!.get(value);
	if (known !== undefined) return known;
	return remember(value, digestText(JSON.stringify(value, view)), view);
}

function remember(value: object, digest: string, view?: View): string {
	digests.get(view)!.set(value, digest);
	return digest;
}

/** Returns 128 bits of a SHA-256. */
const digestText = (text: string) => hash('sha256', text, 'base64url').slice(0, 22);

const contexts = new WeakMap<Site, string>();

/** Returns a digest of what every page reads. */
function contextOf(read: Site | undefined): string {
	const { footer = null, footerPages = null } = read ?? {};
	const known = read && contexts.get(read);
	if (known !== undefined) return known;
	const context = digestText(JSON.stringify([buildSettings(), footer, footerPages]));
	if (read) contexts.set(read, context);
	return context;
}

type StaticPath<Params, Props> = { params: Params; props: Props; cacheKey: string };

/** The last path of each object in props. */
const lastPaths = new WeakMap<object, { context: string; path: StaticPath<object, object> }>();

/**
 * Returns one path for `getStaticPaths`, with a cache key over everything that the page can read. Up to its
 * point the key leaves out names that many pages show. The same object for the same props.
 */
export function staticPath<Params extends object, Props extends object>(
	params: Params,
	props: Props,
): StaticPath<Params, Props> {
	const context = contextOf(provided[BUILD_KEY]?.site);
	const subject = firstObject(props);
	const last = subject && lastPaths.get(subject);
	if (
		last?.context === context &&
		isAlike(last.path.params, params) &&
		isAlike(last.path.props, props)
	)
		return last.path as StaticPath<Params, Props>;
	const [own, all] = [withoutNames, undefined].map((view) => {
		const parts = Object.entries(props).map(([name, value]: [string, unknown]) => {
			if (view && name === 'categories') return '';
			return isObject(value)
				? `${name}:${digestOf(value, view)}`
				: `${name}=${JSON.stringify(value)}`;
		});
		return digestText([view ? '' : context, ...parts].join('\n'));
	});
	const path = { params, props, cacheKey: `${own}.${all}` };
	if (subject) lastPaths.set(subject, { context, path });
	return path;
}

type PathList = { context: string; paths: ListMap<object, StaticPath<object, object>> };

/** The last paths of long lists, by name. */
const pathLists = new Map<string, PathList>();

/** Returns the path of each item of a long list, by what the last list of this name had: `pathOf` is not asked for it again. */
export function staticPaths<Item extends object, Params extends object, Props extends object>(
	name: string,
	items: readonly Item[],
	pathOf: (item: Item) => StaticPath<Params, Props>,
): StaticPath<Params, Props>[] {
	const context = contextOf(provided[BUILD_KEY]?.site);
	const last = pathLists.get(name);
	const { paths } =
		last?.context === context ? last : { paths: new ListMap<object, StaticPath<object, object>>() };
	pathLists.set(name, { context, paths });
	return paths.map(items, (item) => pathOf(item as Item)) as StaticPath<Params, Props>[];
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns the first object among the values of another one. */
function firstObject(values: object): object | undefined {
	// Called for each page: a list of the values would be made each time.
	for (const name in values) {
		const value: unknown = values[name as keyof typeof values];
		if (isObject(value)) return value;
	}
	return undefined;
}

/** Returns whether two objects hold the same values by the same names. */
function isAlike(one: object, other: object): boolean {
	if (one === other) return true;
	for (const name in one) if (!(name in other)) return false;
	for (const name in other)
		if (one[name as keyof typeof one] !== other[name as keyof typeof other]) return false;
	return true;
}

const pages = new WeakMap<readonly Article[], Map<number, ListPage[]>>();

/** Cuts a list of articles into its pages. The same list has the same pages, and another one those that it has alike. */
export function paginate(articles: readonly Article[], size: number = PAGE_SIZE): ListPage[] {
	const bySize = pages.get(articles) ?? new Map<number, ListPage[]>();
	pages.set(articles, bySize);
	const known = bySize.get(size);
	if (known) return known;
	const made = cutPages(articles, size).map(({ rows, ...numbers }) => {
		const total = numbers.page === 1 ? articles.length : null;
		return pageOf(rows, { ...numbers, total }, size);
	});
	bySize.set(size, made);
	return made;
}

type Numbers = Omit<ListPage, 'rows'>;
type MadePage = { articles: Article[]; numbers: Numbers; page: ListPage };

/** The last page of each number and size that began with an article. */
const pagesFrom = new WeakMap<Article, Map<string, MadePage>>();

/** Makes a page of these articles, or takes the one that was made of the same. */
function pageOf(articles: Article[], numbers: Numbers, size: number): ListPage {
	const [first] = articles;
	const known = (first && pagesFrom.get(first)) ?? new Map<string, MadePage>();
	const name = `${numbers.page} of ${size}`;
	const last = known.get(name);
	if (last && isSameList(last.articles, articles) && isAlike(last.numbers, numbers))
		return last.page;
	const { page: number, newer, older, total } = numbers;
	const page = { ...numbers, rows: articles.map(toCard) };
	for (const view of digests.keys()) {
		const rows = page.rows.map((row) => digestOf(row, view));
		remember(page, digestText([number, newer, older, total, ...rows].join()), view);
	}
	if (first) pagesFrom.set(first, known.set(name, { articles, numbers, page }));
	return page;
}
