import { isDeepStrictEqual } from 'node:util';
import { and, eq } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { authors, posts, redirects, series, tags, termRedirects } from '#db/schema.ts';
import { isReadable } from '#src/core/builds/rows.server.ts';
import { undrawnByPost } from '#src/core/figures/pictures.server.ts';
import { readBasis, readMeanings } from '#src/core/meaning/meaning.server.ts';
import type { Category } from '#src/features/categories/category.ts';
import { readCategories, withUncategorized } from '#src/features/categories/categories.server.ts';
import { pathOf } from '#src/features/pages/page.ts';
import { listPages } from '#src/features/pages/pages.server.ts';
import { freshness } from '#src/features/posts/freshness.ts';
import { findPictures, pictureKey } from '#src/features/posts/pictures.server.ts';
import { LIMITS, UNCATEGORIZED, type PostRef } from '#src/features/posts/post.ts';
import { isPublic, pageDigest } from '#src/features/posts/posts.server.ts';
import { chosenSlugs, MAX_CHOSEN } from '#src/features/posts/related.ts';
import { RelatedIndex, type Relatable } from '#src/features/posts/related-index.ts';
import type { TermKind } from '#src/features/taxonomy/term.ts';
import { getEnv } from '#src/lib/env.ts';
import { addToList, isSameList } from '#src/lib/lists.ts';
import { curlQuotes, curlTexts } from '#src/lib/quotes.ts';
import { CATEGORY_ALIASES, footerCategories, isFreeSlug, paths } from '#src/site.ts';
import { ArticleRows, type ArticleRow } from './article-rows.server.ts';
import { readersADay } from './readers.server.ts';
import {
	toCard,
	type Article,
	type Byline,
	type RelatedCard,
	type Series,
	type SeriesPlace,
	type Site,
} from './site.ts';

/** Knowledge of the site that a process keeps from one build to the next. */
export class SiteMemory {
	readonly rows = new ArticleRows();
	readonly related = new RelatedIndex(LIMITS.related);
	readonly articles = new Map<string, Made<Article>>();
	readonly relatables = new Map<string, Made<Relatable>>();
	readonly relatedCards = new Map<string, Made<readonly RelatedCard[]>>();
	/** Meanings of articles, with the row that each is of; all by the same knowledge of words. */
	readonly meanings = new Map<string, { row: ArticleRow; vector: Float32Array | undefined }>();
	basis: number | undefined;
	readonly #lists = new Map<string, readonly object[]>();

	/** Forgets a post that is no longer public. */
	forget(id: string): void {
		for (const made of [this.articles, this.relatables, this.relatedCards, this.meanings])
			made.delete(id);
	}

	/** Returns the last list of this name if all of it is the same. */
	list<Item extends object>(name: string, list: Item[]): Item[] {
		const last = this.#lists.get(name) as Item[] | undefined;
		if (last && isSameList(last, list)) return last;
		this.#lists.set(name, list);
		return list;
	}

	/** As `list`, but of what was read anew: what equals the last of its id is taken for it. */
	equalList<Item extends { id: string }>(name: string, list: Item[]): Item[] {
		const last = (this.#lists.get(name) ?? []) as Item[];
		const known = new Map(last.map((item) => [item.id, item]));
		return this.list(
			name,
			list.map((item) => {
				const before = known.get(item.id);
				return before && isDeepStrictEqual(before, item) ? before : item;
			}),
		);
	}
}

/** Something, and what it was made of. */
type Made<Out> = { of: readonly unknown[]; made: Out };

/** Returns what was made of the same before, or makes it. */
function makeOnce<Out>(
	known: Map<string, Made<Out>>,
	id: string,
	of: readonly unknown[],
	make: () => Out,
): Out {
	const last = known.get(id);
	if (last && isSameList(last.of, of)) return last.made;
	const made = make();
	known.set(id, { of, made });
	return made;
}

/** Reads everything that is public at `now`, with the related articles by what is known of their meanings. */
export async function readSite(db: Db, now: Date): Promise<Site> {
	const memory = new SiteMemory();
	const site = await loadSite(db, now, memory);
	return relateArticles(db, site, memory);
}

/** Reads everything that is public at `now`, but for related articles: a build learns meanings in between. */
export async function loadSite(db: Db, now: Date, memory = new SiteMemory()): Promise<Site> {
	const [known, byId, renamed, described, left, ordered, pages, named, undrawn] = await Promise.all(
		[
			readCategories(db, now),
			memory.rows.read(db),
			db
				.select({ from: redirects.slug, to: posts.slug })
				.from(redirects)
				// In this order: of all posts few were renamed.
				.crossJoin(posts)
				.where(
					and(
						eq(posts.id, redirects.postId),
						isPublic(now),
						isReadable('redirect row', redirects.slug),
					),
				)
				.orderBy(redirects.slug),
			db
				.select({ id: tags.id, name: tags.name, slug: tags.slug, description: tags.description })
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
			db.select().from(authors).where(isReadable('author row', authors.id)).orderBy(authors.name),
			undrawnByPost(db),
		],
	);
	const rows = publicRows(byId, now);
	const ids = new Set(known.map(({ id }) => id));
	const isWithout = () => rows.some(({ post }) => !ids.has(post.categoryId));
	const categories = memory.equalList(
		'categories',
		curlTexts(await withUncategorized(known, isWithout)),
	);
	const pictures = await findPictures(
		db,
		rows.map(({ post }) => pictureKey(post)),
	);
	const allTags = memory.equalList('tags', curlTexts(described));
	const everybody = memory.equalList('authors', named);
	const seriesRows = curlTexts(ordered);
	const articles = memory.list(
		'articles',
		makeArticles(rows, memory, {
			...{ categories, tags: allTags, authors: everybody, pictures, undrawn, now },
			currentOf: new Map(renamed.map(({ from, to }) => [from, to])),
			places: placesIn(seriesRows, rows),
		}),
	);
	const byAuthor = Map.groupBy(articles, ({ byline }) => byline?.slug ?? '');
	byAuthor.delete('');
	const byTag = new Map<string, Article[]>();
	for (const article of articles)
		for (const { slug } of article.tags) addToList(byTag, slug, article);
	const byCategory = Map.groupBy(articles, ({ category }) => category.slug);
	const keepLists = (kind: string, lists: Map<string, Article[]>) =>
		new Map([...lists].map(([slug, list]) => [slug, memory.list(`${kind} ${slug}`, list)]));
	const withPage = everybody.filter(({ slug }) => byAuthor.has(slug));
	const usedTags = allTags
		.filter(({ slug }) => byTag.has(slug))
		.sort((a, b) => a.name.localeCompare(b.name));
	const allSeries = seriesOf(seriesRows, articles);
	const leads = {
		category: formerSlugs('category', left, categories),
		tag: formerSlugs('tag', left, usedTags),
		series: formerSlugs('series', left, allSeries),
		author: formerSlugs('author', left, withPage),
		page: formerSlugs('page', left, pages),
	};
	for (const [alias, slug] of Object.entries(CATEGORY_ALIASES)) {
		const current = leads.category.get(slug);
		const isFree = !leads.category.has(alias) && categories.every((one) => one.slug !== alias);
		if (current && isFree) leads.category.set(alias, current);
	}
	const shown = pages.map(({ title, description, questions, testimonials, ...page }) => ({
		...page,
		...curlTexts({ title, description, questions, testimonials }),
	}));
	return {
		articles,
		related: new Map(),
		categories,
		tags: usedTags,
		series: allSeries,
		authors: withPage.map(({ name, slug, description, picture, links }) => ({
			...{ name, slug, description: curlTexts(description), picture, links },
		})),
		byAuthor: keepLists('author', byAuthor),
		footer: footerCategories.flatMap((slug) => {
			const current = leads.category.get(slug) ?? slug;
			const category = categories.find((one) => one.slug === current);
			return category ? [{ name: category.name, slug: category.slug }] : [];
		}),
		pages: shown,
		footerPages: shown
			.filter(({ footer }) => footer)
			.map(({ title, slug }) => ({ label: title, href: pathOf(slug) })),
		byCategory: keepLists('category', byCategory),
		byTag: keepLists('tag', byTag),
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

/** Returns the rows of the posts that are public at `now`, newest first; the id breaks ties, as in `newestFirst`. */
function publicRows(rows: ReadonlyMap<string, ArticleRow>, now: Date): ArticleRow[] {
	const timeOf = ({ post }: ArticleRow) => post.publishedAt?.getTime() ?? -Infinity;
	return [...rows.values()]
		.filter((row) => timeOf(row) <= now.getTime())
		.sort((a, b) => {
			const [one, other] = [timeOf(a), timeOf(b)];
			return one === other ? (a.post.id < b.post.id ? 1 : -1) : other - one;
		});
}

type Shown = {
	categories: Category[];
	tags: { id: string; name: string; slug: string }[];
	authors: Byline[];
	pictures: Awaited<ReturnType<typeof findPictures>>;
	undrawn: Map<string, string[]>;
	places: Map<string, SeriesPlace[]>;
	currentOf: Map<string, string>;
	now: Date;
};

const NONE: string[] = [];

/** Makes an article of each row. */
function makeArticles(rows: ArticleRow[], memory: SiteMemory, shown: Shown): Article[] {
	const categoryOf = new Map(shown.categories.map((category) => [category.id, category]));
	const uncategorized = shown.categories.find(({ slug }) => slug === UNCATEGORIZED.slug);
	const tagOf = new Map(shown.tags.map((tag) => [tag.id, tag]));
	const authorOf = new Map(shown.authors.map((author) => [author.name, author]));
	const articles = rows.map((row, index) => {
		const { post } = row;
		const category = (categoryOf.get(post.categoryId) ?? uncategorized)!;
		const author = authorOf.get(post.author);
		const picture = shown.pictures.get(pictureKey(post) ?? '') ?? null;
		const undrawn = shown.undrawn.get(post.id) ?? [];
		const places = shown.places.get(post.id) ?? [];
		const [newer, older] = [rows[index - 1], rows[index + 1]];
		const tags = tagsOf(row, tagOf);
		const chosen = !post.chosen
			? NONE
			: chosenSlugs(post.chosen)
					.slice(0, MAX_CHOSEN)
					.map((slug) => shown.currentOf.get(slug) ?? slug);
		const checkedAt = new Date(
			Math.max(+(post.changedAt ?? post.updatedAt), +(post.reviewedAt ?? 0)),
		);
		const age = freshness(checkedAt, shown.now);
		const of = [
			...[row, category, author, picture && JSON.stringify(picture), undrawn.join(), age],
			...[newer, older, chosen.join(), tags.length, ...tags, ...places],
		];
		return makeOnce(memory.articles, post.id, of, (): Article => {
			const {
				chosen: _chosen,
				categoryId: _categoryId,
				published: _published,
				reviewedAt: _reviewedAt,
				updatedAt,
				changedAt,
				publishedAt,
				version,
				...fields
			} = post;
			return {
				post: {
					...fields,
					title: curlQuotes(post.title),
					excerpt: post.excerpt && curlQuotes(post.excerpt),
					picture,
					updatedAt: (changedAt ?? updatedAt).toISOString(),
					category: { name: category.name, slug: category.slug, cover: category.cover },
					publishedAt: publishedAt?.toISOString() ?? null,
				},
				category,
				tags: tags.map(({ id, name, slug }) => ({ id, name, slug })),
				chosen,
				byline: author ? { name: author.name, slug: author.slug } : null,
				series: places,
				older: refOf(older),
				newer: refOf(newer),
				comments: row.comments,
				rendering: row.rendering.digest,
				undrawn,
				digest: pageDigest({ id: post.id, version, updatedAt }),
				wordCount: row.rendering.words,
				checkedAt: checkedAt.toISOString(),
				freshness: age,
				changes: curlTexts(row.changes),
				shares: row.shares,
			};
		});
	});
	if (memory.articles.size > articles.length) {
		const left = new Set(rows.map(({ post }) => post.id));
		for (const id of memory.articles.keys()) if (!left.has(id)) memory.forget(id);
	}
	return articles;
}

/** Returns the tags of a post in its own order, by name where that says nothing. */
function tagsOf<Tag extends { name: string }>(row: ArticleRow, tagOf: Map<string, Tag>): Tag[] {
	const tags: { tag: Tag; position: number }[] = [];
	for (const { id, position } of row.tags) {
		const tag = tagOf.get(id);
		if (tag) tags.push({ tag, position });
	}
	return tags
		.sort((a, b) => a.position - b.position || (a.tag.name < b.tag.name ? -1 : 1))
		.map(({ tag }) => tag);
}

/** Returns a reference to an article of which another one names the title. */
function refOf(row: ArticleRow | undefined): PostRef | null {
	if (!row) return null;
	const { id, slug, title } = row.post;
	return { id, slug, title: curlQuotes(title) };
}

type SeriesRow = typeof series.$inferSelect;

/** Returns the places of articles in series, by the id of the post. */
function placesIn(all: SeriesRow[], rows: ArticleRow[]): Map<string, SeriesPlace[]> {
	const places = new Map<string, SeriesPlace[]>();
	if (all.length === 0) return places;
	const byId = new Map(rows.map((row) => [row.post.id, row]));
	for (const { name, slug, articles: ids } of all) {
		const parts = ids.flatMap((id) => byId.get(id) ?? []);
		const total = parts.length;
		parts.forEach(({ post }, index) => {
			const [previous, next] = [refOf(parts[index - 1]), refOf(parts[index + 1])];
			addToList(places, post.id, { name, slug, part: index + 1, total, previous, next });
		});
	}
	return places;
}

/** Returns the series that have a public article. */
function seriesOf(all: SeriesRow[], articles: Article[]): (Series & { id: string })[] {
	if (all.length === 0) return [];
	const byId = new Map(articles.map((article) => [article.post.id, article]));
	return all.flatMap(({ id, name, slug, description, articles: ids }) => {
		const parts = ids.flatMap((one) => byId.get(one) ?? []);
		return parts.length > 0 ? [{ id, name, slug, description, articles: parts }] : [];
	});
}

/** Returns the site with the related articles, by what is known now of their meanings. */
export async function relateArticles(db: Db, site: Site, memory: SiteMemory): Promise<Site> {
	const { articles } = site;
	await refreshMeanings(db, articles, memory);
	const byId = new Map(articles.map((article) => [article.post.id, article]));
	const bySlug = new Map(articles.map((article) => [article.post.slug, article]));
	memory.related.update(
		articles.map((article): Relatable => {
			const { post, category, tags } = article;
			const chosen =
				article.chosen.length === 0
					? NONE
					: [...new Set(article.chosen.flatMap((slug) => bySlug.get(slug)?.post.id ?? []))].filter(
							(id) => id !== post.id,
						);
			const meaning = memory.meanings.get(post.id)?.vector;
			return makeOnce(memory.relatables, post.id, [article, meaning, ...chosen], () => ({
				id: post.id,
				publishedAt: post.publishedAt === null ? -Infinity : Date.parse(post.publishedAt),
				categoryId: category.id,
				tagIds: tags.map(({ id }) => id),
				chosen,
				meaning,
			}));
		}),
	);
	const related = new Map<string, readonly RelatedCard[]>();
	for (const { post } of articles) {
		const of = memory.related.of(post.id).map((id) => byId.get(id)!);
		const make = () => of.map((one) => ({ ...toCard(one), color: one.category.color }));
		related.set(post.id, makeOnce(memory.relatedCards, post.id, of, make));
	}
	return { ...site, related };
}

/** Reads what articles mean that changed, or that had no meaning yet, and all of it where words are known anew. */
async function refreshMeanings(db: Db, articles: Article[], memory: SiteMemory): Promise<void> {
	const basis = (await readBasis(db))?.basis;
	if (basis !== memory.basis) memory.meanings.clear();
	memory.basis = basis;
	const rows = memory.rows.all;
	const isKnown = (id: string) => {
		const known = memory.meanings.get(id);
		return known?.vector && known.row === rows.get(id);
	};
	const wanted = articles.map(({ post }) => post.id).filter((id) => !isKnown(id));
	if (basis === undefined || wanted.length === 0) return;
	const vectors = await readMeanings(db, wanted);
	for (const id of wanted) {
		memory.meanings.set(id, { row: rows.get(id)!, vector: vectors.get(id) });
	}
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
