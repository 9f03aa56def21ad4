import { and, desc, eq, getTableColumns, gt, sql } from 'drizzle-orm';
import { prepared, type Db } from '#db/client.ts';
import { openDb } from '#db/local.ts';
import {
	authors,
	comments,
	posts,
	postTags,
	postTotals,
	redirects,
	renderedPosts,
	series,
	tags,
	termRedirects,
	type AuthorLink,
} from '#db/schema.ts';
import type { Category } from '#src/features/categories/category.ts';
import { listCategories } from '#src/features/categories/categories.server.ts';
import { listPages } from '#src/features/pages/pages.server.ts';
import { pathOf, type Page } from '#src/features/pages/page.ts';
import { toCommentView, type CommentView } from '#src/features/comments/comment.ts';
import { isShown } from '#src/features/comments/comments.server.ts';
import {
	LIMITS,
	PAGE_SIZE,
	UNCATEGORIZED,
	type Card,
	type CategoryRef,
	type Post,
	type PostRef,
	type TagRef,
} from '#src/features/posts/post.ts';
import { listAllChanges } from '#src/features/posts/changes.server.ts';
import type { ArticleChange } from '#src/features/posts/changes.ts';
import { freshness, type Freshness } from '#src/features/posts/freshness.ts';
import { findPictures, pictureKey } from '#src/features/posts/pictures.server.ts';
import {
	withIsoDate,
	isPublic,
	newestFirst,
	pageColumns,
	pageDigest,
} from '#src/features/posts/posts.server.ts';
import { nearness } from '#src/core/meaning/meaning.ts';
import { undrawnByPost } from '#src/core/figures/pictures.server.ts';
import { readMeanings } from '#src/core/meaning/meaning.server.ts';
import {
	chosenSlugs,
	MAX_CHOSEN,
	MAX_OF_CATEGORY,
	NEARNESS_STEPS,
	relatedPosts,
} from '#src/features/posts/related.ts';
import type { TermKind } from '#src/features/taxonomy/term.ts';
import { isReadable } from '#src/core/builds/rows.server.ts';
import { digest } from '#src/lib/digest.ts';
import { pageCount, type Paged } from '#src/lib/paging.ts';
import { getEnv } from '#src/lib/env.ts';
import { curlQuotes } from '#src/lib/quotes.ts';
import { readSiteSettings } from '#src/core/settings/site.server.ts';
import {
	CATEGORY_ALIASES,
	footerCategories,
	isFreeSlug,
	paths,
	siteSettings,
	type SiteLink,
} from '#src/site.ts';
import type { Heading } from '#src/core/articles/render.ts';
import { readersADay } from './readers.server.ts';

/** Everything that an article's page reads, except its HTML, which `rendering` identifies. */
export type Article = {
	post: Card & Omit<Post, 'content' | 'tags' | 'categoryId' | 'published' | 'createdAt'>;
	category: Category;
	tags: TagRef[];
	related: (Card & { color: string })[];
	/** Slugs of the articles that its writer put first among the related ones. */
	chosen: string[];
	/** The page of its author, if there is one. */
	byline: Byline | null;
	/** The series that it is a part of, by name. */
	series: SeriesPlace[];
	/** The public articles before and after it in time. */
	older: PostRef | null;
	newer: PostRef | null;
	comments: CommentView[];
	/** Digest of the rendered HTML. */
	rendering: string;
	/** Paths of pictures of its figures that cannot be made. */
	undrawn: string[];
	/** Identifies this version of the post in its page. */
	digest: string;
	wordCount: number;
	/** When it last changed, or was found to be still true. */
	checkedAt: string;
	/** By that, as of the build. */
	freshness: Freshness;
	/** Its updates and corrections, newest first. */
	changes: ArticleChange[];
	/** Times that it was shared, as of the build. */
	shares: number;
};

/** An author with a page. */
type Byline = { name: string; slug: string };

/** An author, with the page's facts. */
export type Author = Byline & {
	description: string | null;
	/** Path of a picture; empty for none. */
	picture: string;
	links: AuthorLink[];
};

/** The place of an article in a series, with its neighbors there. */
type SeriesPlace = {
	name: string;
	slug: string;
	/** From 1. */
	part: number;
	total: number;
	previous: PostRef | null;
	next: PostRef | null;
};

/** A series with its public articles, in order; at least one. */
type Series = {
	name: string;
	slug: string;
	description: string | null;
	articles: Article[];
};

/** The public site as of now, read once per build, without the articles' texts. */
export type Site = {
	articles: Article[];
	categories: Category[];
	tags: (TagRef & { description: string | null })[];
	/** By name. */
	series: Series[];
	/** By name; those whom a public article names. */
	authors: Author[];
	byCategory: Map<string, Article[]>;
	/** By the slug of the author. */
	byAuthor: Map<string, Article[]>;
	byTag: Map<string, Article[]>;
	/** Pages that the admin edits, by title. */
	pages: Page[];
	/** The footer's categories. */
	footer: CategoryRef[];
	/** The admin's pages in the footer. */
	footerPages: SiteLink[];
	/** Visitors a day in the last whole week; 0 where none were counted, or where figures are invented. */
	readers: number;
	/** Former addresses of public articles, categories, tags and pages, and the current one of each. May end with a placeholder. */
	redirects: { from: string; to: string }[];
};

let db: Promise<Db> | undefined;
let site: Promise<Site> | undefined;

/** Pages are bundled separately from the code that builds them, so the site is passed through this global. */
const provided = globalThis as { [SITE_KEY]?: Site };
const SITE_KEY = Symbol.for('site.data');

/** Makes `getSite` return this site, which has already been read. */
export function provideSite(read: Site): void {
	provided[SITE_KEY] = read;
}

/** Returns the database from which pages are built. */
export function buildDb(): Promise<Db> {
	const { DATABASE_URL, DATABASE_AUTH_TOKEN } = getEnv();
	return (db ??= openDb(DATABASE_URL, DATABASE_AUTH_TOKEN));
}

/** Returns the site of this build. The dev server reads it each time, so that edits show. */
export async function getSite(): Promise<Site> {
	if (import.meta.env?.DEV) return openSite();
	return provided[SITE_KEY] ?? (site ??= openSite());
}

async function openSite(): Promise<Site> {
	const opened = await buildDb();
	await readSiteSettings(opened);
	return loadSite(opened, new Date());
}

/** Reads everything that is public at `now`, newest first. A build learns meanings first, and fills in related articles itself. */
export async function loadSite(db: Db, now: Date, withRelated = true): Promise<Site> {
	const allCategories = await listCategories(db, now);
	const [rows, links, approved, renamed, shared, described, left, ordered, pages, changes, named] =
		await Promise.all([
			db
				.select({
					...pageColumns,
					id: posts.id,
					publishedAt: posts.publishedAt,
					updatedAt: posts.updatedAt,
					changedAt: posts.changedAt,
					reviewedAt: posts.reviewedAt,
					version: posts.version,
					chosen: posts.related,
				})
				.from(posts)
				.where(isPublic(now))
				.orderBy(...newestFirst),
			db
				.select({ postId: postTags.postId, id: tags.id, name: tags.name, slug: tags.slug })
				.from(postTags)
				.innerJoin(tags, and(eq(tags.id, postTags.tagId), isReadable('tag row', tags.id)))
				.orderBy(postTags.postId, postTags.position, tags.name),
			db
				.select(getTableColumns(comments))
				.from(comments)
				.where(and(isShown, isReadable('comment row', comments.id)))
				.orderBy(desc(comments.createdAt), desc(comments.id)),
			db
				.select({ from: redirects.slug, to: posts.slug })
				.from(redirects)
				.innerJoin(posts, eq(posts.id, redirects.postId))
				.where(and(isPublic(now), isReadable('redirect row', redirects.slug)))
				.orderBy(redirects.slug),
			db
				.select({ postId: postTotals.postId, shares: postTotals.shares })
				.from(postTotals)
				.where(gt(postTotals.shares, 0)),
			db
				.select({ id: tags.id, description: tags.description })
				.from(tags)
				.where(isReadable('tag row', tags.id)),
			db
				.select({
					kind: termRedirects.kind,
					slug: termRedirects.slug,
					termId: termRedirects.termId,
				})
				.from(termRedirects)
				.where(isReadable('term redirect row', termRedirects.slug))
				.orderBy(termRedirects.kind, termRedirects.slug),
			db.select().from(series).where(isReadable('series row', series.id)).orderBy(series.name),
			listPages(db),
			listAllChanges(db, now),
			db.select().from(authors).where(isReadable('author row', authors.id)).orderBy(authors.name),
		]);
	// Read last: of a post that changes meanwhile, the digest is empty. The index alone has all of it.
	const rendered = await db
		.select({
			postId: renderedPosts.postId,
			digest: renderedPosts.digest,
			words: renderedPosts.words,
		})
		.from(renderedPosts);
	const renderingOf = new Map(rendered.map((row) => [row.postId, row]));
	const authorOf = new Map(named.map((author) => [author.name, author]));
	const sharesOf = new Map(shared.map(({ postId, shares }) => [postId, shares]));
	const tagsOf = Map.groupBy(links, ({ postId }) => postId);
	const commentsOf = Map.groupBy(approved, ({ postId }) => postId);
	const categoryOf = new Map(allCategories.map((category) => [category.id, category]));
	const uncategorized = allCategories.find(({ slug }) => slug === UNCATEGORIZED.slug);
	const pictures = await findPictures(db, rows.map(pictureKey));
	const undrawn = await undrawnByPost(db);
	const currentOf = new Map(renamed.map(({ from, to }) => [from, to]));
	const articles = rows.flatMap((row): Article | [] => {
		const rendering = renderingOf.get(row.id);
		if (!rendering) return [];
		const {
			chosen,
			categoryId,
			published: _,
			updatedAt,
			changedAt,
			reviewedAt,
			version,
			...post
		} = withIsoDate(row);
		const category = (categoryOf.get(categoryId) ?? uncategorized)!;
		const checkedAt = new Date(Math.max(+(changedAt ?? updatedAt), +(reviewedAt ?? 0)));
		return {
			post: {
				...post,
				title: curlQuotes(post.title),
				excerpt: post.excerpt && curlQuotes(post.excerpt),
				picture: pictures.get(pictureKey(row) ?? '') ?? null,
				updatedAt: (changedAt ?? updatedAt).toISOString(),
				category: { name: category.name, slug: category.slug, cover: category.cover },
			},
			category,
			tags: (tagsOf.get(post.id) ?? []).map(({ postId: _postId, ...tag }) => tag),
			related: [],
			chosen: chosenSlugs(chosen ?? '')
				.slice(0, MAX_CHOSEN)
				.map((slug) => currentOf.get(slug) ?? slug),
			byline: refOfAuthor(authorOf.get(post.author)),
			series: [],
			older: null,
			newer: null,
			comments: (commentsOf.get(post.id) ?? []).map(toCommentView),
			rendering: rendering.digest,
			undrawn: undrawn.get(post.id) ?? [],
			digest: pageDigest({ id: post.id, version, updatedAt }),
			wordCount: rendering.words,
			checkedAt: checkedAt.toISOString(),
			freshness: freshness(checkedAt, now),
			changes: changes.get(post.id) ?? [],
			shares: sharesOf.get(post.id) ?? 0,
		};
	});
	if (withRelated) await fillRelated(db, articles);
	const allSeries = fillSeries(articles, ordered);
	const byAuthor = Map.groupBy(articles, ({ byline }) => byline?.slug ?? '');
	byAuthor.delete('');
	const withPage = named.filter(({ slug }) => byAuthor.has(slug));
	const byTag = new Map<string, Article[]>();
	for (const article of articles)
		for (const { slug } of article.tags) addToList(byTag, slug, article);
	const used = new Map(articles.flatMap((article) => article.tags.map((tag) => [tag.slug, tag])));
	const descriptionOf = new Map(described.map(({ id, description }) => [id, description]));
	const usedTags = [...used.values()].sort((a, b) => a.name.localeCompare(b.name));
	const leads = {
		category: formerSlugs('category', left, allCategories),
		tag: formerSlugs('tag', left, usedTags),
		series: formerSlugs('series', left, allSeries),
		author: formerSlugs('author', left, withPage),
		page: formerSlugs('page', left, pages),
	};
	for (const [alias, slug] of Object.entries(CATEGORY_ALIASES)) {
		const current = leads.category.get(slug);
		const isFree = !leads.category.has(alias) && allCategories.every((one) => one.slug !== alias);
		if (current && isFree) leads.category.set(alias, current);
	}
	return {
		articles,
		categories: allCategories,
		tags: usedTags.map((tag) => ({ ...tag, description: descriptionOf.get(tag.id) ?? null })),
		series: allSeries,
		authors: withPage.map(({ name, slug, description, picture, links }) => ({
			...{ name, slug, description, picture, links },
		})),
		byAuthor,
		footer: footerCategories.flatMap((slug) => {
			const current = leads.category.get(slug) ?? slug;
			const category = allCategories.find((one) => one.slug === current);
			return category ? [{ name: category.name, slug: category.slug }] : [];
		}),
		pages,
		footerPages: pages
			.filter(({ footer }) => footer)
			.map(({ title, slug }) => ({ label: title, href: pathOf(slug) })),
		byCategory: Map.groupBy(articles, ({ category }) => category.slug),
		byTag,
		readers: getEnv().INVENTED_PROOF ? 0 : await readersADay(db, now),
		redirects: [
			...renamed.map(({ from, to }) => ({ from: paths.post(from), to: paths.post(to) })),
			...(['category', 'tag', 'series', 'author'] as const).flatMap((kind) =>
				[...leads[kind]].flatMap(([from, to]) => [
					{ from: paths[kind](from), to: paths[kind](to) },
					// Its later pages and its feeds.
					...(kind === 'series'
						? []
						: [{ from: `${paths[kind](from)}/*`, to: `${paths[kind](to)}/:splat` }]),
				]),
			),
			...[...leads.page].flatMap(([from, to]) =>
				isFreeSlug(from) ? [{ from: paths.page(from), to: paths.page(to) }] : [],
			),
		],
	};
}

function refOfAuthor(author: Byline | undefined): Byline | null {
	return author ? { name: author.name, slug: author.slug } : null;
}

/** Returns the former slugs of terms or pages with the current ones. A current slug is no former one. */
function formerSlugs(
	kind: TermKind | 'page',
	left: { kind: TermKind | 'page'; slug: string; termId: string }[],
	terms: { id: string; slug: string }[],
): Map<string, string> {
	const slugs = new Map(terms.map(({ id, slug }) => [id, slug]));
	const current = new Set(slugs.values());
	return new Map(
		left
			.filter((row) => row.kind === kind && slugs.has(row.termId) && !current.has(row.slug))
			.map(({ slug, termId }) => [slug, slugs.get(termId)!]),
	);
}

function addToList<Item>(map: Map<string, Item[]>, key: string, item: Item): void {
	const list = map.get(key);
	if (list) list.push(item);
	else map.set(key, [item]);
}

/** Sets each article's related posts, by what is known now of their meanings. Articles come newest first. */
export async function fillRelated(db: Db, articles: Article[]): Promise<void> {
	const known = await readMeanings(db);
	const meanings = articles.map(({ post }) => known.get(post.id));
	const withTag = new Map<string, number[]>();
	const inCategory = new Map<string, number[]>();
	articles.forEach((article, index) => {
		addToList(inCategory, article.category.id, index);
		for (const tag of article.tags) addToList(withTag, tag.id, index);
	});
	const shared = new Uint8Array(articles.length);
	const atSlug = new Map(articles.map(({ post }, index) => [post.slug, index]));
	articles.forEach((article, self) => {
		const chosen = new Set(article.chosen.flatMap((slug) => atSlug.get(slug) ?? []));
		chosen.delete(self);
		const touched: number[] = [];
		for (const tag of article.tags) {
			for (const index of withTag.get(tag.id)!) if (shared[index]!++ === 0) touched.push(index);
		}
		const least = leastShared(touched, shared, LIMITS.related + chosen.size + 1);
		const related = relatedPosts(articles.length, LIMITS.related);
		const newest = inCategory
			.get(article.category.id)!
			.slice(0, MAX_OF_CATEGORY + 1)
			.filter((index) => index !== self)
			.slice(0, MAX_OF_CATEGORY);
		const own = meanings[self];
		for (const index of [...touched.filter((one) => shared[one]! >= least), ...newest]) {
			if (index === self || chosen.has(index)) continue;
			const other = meanings[index];
			related.offer(index, shared[index]!, articles[index]!.category === article.category, () =>
				own && other ? Math.max(0, Math.round(NEARNESS_STEPS * nearness(own, other))) : 0,
			);
		}
		for (const index of touched) shared[index] = 0;
		article.related = [...chosen, ...related.best()]
			.slice(0, LIMITS.related)
			.map((index) => articles[index]!)
			.map((other) => ({ ...toCard(other), color: other.category.color }));
	});
}

/** Returns how many tags the best `count` of these share at least: those that share fewer need no look. */
function leastShared(touched: number[], shared: Uint8Array, count: number): number {
	const sharing: number[] = [];
	for (const index of touched) sharing[shared[index]!] = (sharing[shared[index]!] ?? 0) + 1;
	let least = sharing.length - 1;
	for (let sum = sharing[least] ?? 0; least > 1 && sum < count; sum += sharing[least] ?? 0) least--;
	return least;
}

/** Sets each article's places in series and its neighbors in time. Returns the series that have a public article. */
function fillSeries(articles: Article[], rows: (typeof series.$inferSelect)[]) {
	const refOf = (article: Article | undefined): PostRef | null =>
		article ? { id: article.post.id, slug: article.post.slug, title: article.post.title } : null;
	const byId = new Map(articles.map((article) => [article.post.id, article]));
	const all = rows.flatMap(({ id, name, slug, description, articles: ids }) => {
		const parts = ids.flatMap((one) => byId.get(one) ?? []);
		return parts.length > 0 ? [{ id, name, slug, description, articles: parts }] : [];
	});
	for (const { name, slug, articles: parts } of all) {
		const total = parts.length;
		parts.forEach((article, index) => {
			const [previous, next] = [refOf(parts[index - 1]), refOf(parts[index + 1])];
			article.series.push({ name, slug, part: index + 1, total, previous, next });
		});
	}
	articles.forEach((article, index) => {
		article.newer = refOf(articles[index - 1]);
		article.older = refOf(articles[index + 1]);
	});
	return all;
}

/** Returns an article as a row of a list. */
export function toCard({ post }: Article): Card {
	const { id, slug, title, excerpt, featuredImage, author, category } = post;
	const { readTime, publishedAt, picture } = post;
	return {
		id,
		slug,
		title,
		excerpt,
		featuredImage,
		author,
		category,
		readTime,
		publishedAt,
		picture,
	};
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
	]);
}

/** Returns one path for `getStaticPaths`, with a cache key over everything that the page can read. */
export function staticPath<Params, Props extends object>(params: Params, props: Props) {
	const { footer = null, footerPages = null } = provided[SITE_KEY] ?? {};
	return {
		params,
		props,
		cacheKey: digest(buildSettings(), JSON.stringify([footer, footerPages, props])),
	};
}

/** Splits a list into pages of `PAGE_SIZE`, at least one. */
export function paginate<Item>(items: Item[]): Paged<Item>[] {
	return Array.from({ length: pageCount(items.length, PAGE_SIZE) }, (_, index) => ({
		rows: items.slice(index * PAGE_SIZE, (index + 1) * PAGE_SIZE),
		total: items.length,
		page: index + 1,
		pageSize: PAGE_SIZE,
	}));
}
