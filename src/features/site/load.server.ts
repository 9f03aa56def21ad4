import { isDeepStrictEqual } from 'node:util';
import { and, eq } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import {
	authors,
	pathRedirects,
	posts,
	redirects,
	series,
	tags,
	termRedirects,
} from '#db/schema.ts';
import { isReadable } from '#src/core/builds/rows.server.ts';
import { undrawnByPost } from '#src/core/figures/pictures.server.ts';
import { readModel, readVectors } from '#src/core/meaning/meaning.server.ts';
import type { Category } from '#src/features/categories/category.ts';
import { readCategories, withUncategorized } from '#src/features/categories/categories.server.ts';
import { pathOf } from '#src/features/pages/page.ts';
import { listPages } from '#src/features/pages/pages.server.ts';
import { freshness, freshUntil } from '#src/features/posts/freshness.ts';
import { findPictures, pictureKey } from '#src/features/posts/pictures.server.ts';
import { LIMITS, UNCATEGORIZED, type PostRef } from '#src/features/posts/post.ts';
import { isPublic, pageDigest } from '#src/features/posts/posts.server.ts';
import { chosenSlugs, MAX_CHOSEN } from '#src/features/posts/related.ts';
import {
	closerFirst,
	faultOfPath,
	faultOfTarget,
	isPattern,
} from '#src/features/redirects/redirect.ts';
import { RelatedIndex, type Relatable } from '#src/features/posts/related-index.ts';
import type { TermKind } from '#src/features/taxonomy/term.ts';
import type { State } from '#src/features/states/state.ts';
import { listStates } from '#src/features/states/states.server.ts';
import { showsInvented } from '#src/core/settings/invented.ts';
import { addToList, changedRange, compareLists, isSameList, replaceRange } from '#src/lib/lists.ts';
import { curlQuotes, curlTexts } from '#src/lib/quotes.ts';
import { slugify } from '#src/lib/slug.ts';
import { CATEGORY_ALIASES, footerCategories, isFreeSlug, paths, site } from '#src/site.ts';
import { ArticleLists } from './article-lists.ts';
import { ArticleRows, type ArticleRow } from './article-rows.server.ts';
import { readersADay } from './readers.server.ts';
import {
	toCard,
	type Article,
	type ArticlePage,
	type Author,
	type Byline,
	type Series,
	type SeriesPlace,
	type Site,
} from './site.ts';

/** A row with what was made of it, so that nothing has to be looked up or forgotten. */
type Row = ArticleRow & {
	made?: RenderedArticle;
	/** Direction of its text among all, where that is known. */
	meaning?: Float32Array | undefined;
};
type RenderedArticle = {
	article: Article;
	/** Its neighbors, all else that it was made of besides its row, and when its badge changes, in milliseconds since 1970. */
	newer: Row | undefined;
	older: Row | undefined;
	shown: Shown;
	parts: readonly unknown[];
	until: number;
	relatable?: RelatableArticle;
	/** The articles related to it, and its page. */
	related?: readonly RelatableArticle[];
	page?: ArticlePage;
};
/** All articles, and what they were made of. */
type Articles = {
	rows: readonly Row[];
	all: Article[];
	shown: Shown | undefined;
	/** Until when the badge of none of them changes, in milliseconds since 1970. */
	until: number;
};
type RelatableArticle = Relatable & { article: Article };
/** Facts of all articles by which they are related, and whether any of them names others that come first. */
type Relatables = {
	articles: readonly Article[];
	all: readonly RelatableArticle[];
	hasChosen: boolean;
};

/** Knowledge of the site that a process keeps from one build to the next. */
export class SiteMemory {
	readonly rows = new ArticleRows();
	/** The rows of the public articles, in their order. */
	publicRows: readonly Row[] = [];
	readonly #categories = new Map<string, number>();
	shown: Shown | undefined;
	articles: Articles = { rows: [], all: [], shown: undefined, until: -Infinity };
	readonly related = new RelatedIndex<RelatableArticle>(LIMITS.related);
	/** The articles as that has them, and their pages. */
	relatables: Relatables = { articles: [], all: [], hasChosen: false };
	articlePages: readonly ArticlePage[] = [];
	/** The knowledge of words by which meanings are known. */
	basis: number | undefined;
	readonly lists = new ArticleLists();
	/** The states as stored, and as pages show them. */
	states: Pick<Site, 'states' | 'shownStates'> = { states: [], shownStates: [] };
	readonly #named = new Map<string, readonly object[]>();

	takeRows(rows: readonly Row[]): void {
		const { added, gone } = compareLists(this.publicRows, rows);
		const count = ({ post: { categoryId: id } }: Row, by: number) =>
			this.#categories.set(id, (this.#categories.get(id) ?? 0) + by);
		for (const row of gone) count(row, -1);
		for (const row of added) count(row, 1);
		this.publicRows = rows;
	}

	/** Returns the ids of the categories of the public articles. */
	categoryIds(): string[] {
		return [...this.#categories].flatMap(([id, count]) => (count > 0 ? id : []));
	}

	takeStates(read: State[]): void {
		const states = this.equalList('states', read);
		if (states !== this.states.states) this.states = { states, shownStates: curlTexts(states) };
	}

	/** Returns what articles were made of last, if all of it is the same. */
	showing(shown: Shown): Shown {
		if (!isDeepStrictEqual(this.shown, shown)) this.shown = shown;
		return this.shown!;
	}

	/** Returns the last list of this name if all of it is the same. */
	list<Item extends object>(name: string, list: Item[]): Item[] {
		const last = this.#named.get(name) as Item[] | undefined;
		if (last && isSameList(last, list)) return last;
		this.#named.set(name, list);
		return list;
	}

	/** As `list`, but of what was read anew: what equals the last of its id is taken for it. */
	equalList<Item extends { id: string }>(name: string, list: Item[]): Item[] {
		const last = (this.#named.get(name) ?? []) as Item[];
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

/** Reads everything that is public at `now`, with the related articles by what is known of their meanings. */
export async function readSite(db: Db, now: Date): Promise<Site> {
	const memory = new SiteMemory();
	const site = await loadSite(db, now, memory);
	return relateArticles(db, site, memory);
}

/** Reads everything that is public at `now`, but for related articles: a build learns meanings in between. */
export async function loadSite(db: Db, now: Date, memory = new SiteMemory()): Promise<Site> {
	const [known, byId, renamed, described, left, ordered, pages, named, undrawn, moved, states] =
		await Promise.all([
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
			db
				.select({ from: pathRedirects.path, to: pathRedirects.target })
				.from(pathRedirects)
				.where(isReadable('path redirect row', pathRedirects.path)),
			listStates(db),
		]);
	memory.takeStates(states);
	const own = moved
		.filter(({ from, to }) => !faultOfPath(from) && !faultOfTarget(to, from))
		.toSorted(closerFirst);
	const rows = publicRows(byId, now);
	memory.takeRows(rows);
	const rowOf = (id: string) => {
		const row: Row | undefined = byId.get(id);
		return row && isPublicAt(row, now) ? row : undefined;
	};
	const ids = new Set(known.map(({ id }) => id));
	const isWithout = () => memory.categoryIds().some((id) => !ids.has(id));
	const categories = memory.equalList(
		'categories',
		curlTexts(await withUncategorized(known, isWithout)),
	);
	const pictures = await findPictures(
		db,
		rows.map(({ post }) => pictureKey(post)),
	);
	const allTags = memory.equalList('tags', curlTexts(described));
	const everybody = memory.equalList('authors', withBylines(named, rows));
	const seriesRows = curlTexts(ordered);
	const shown = memory.showing({
		...{ categories, tags: allTags, authors: everybody, pictures, undrawn },
		currentOf: new Map(renamed.map(({ from, to }) => [from, to])),
		places: placesIn(seriesRows, rowOf),
	});
	memory.articles = makeArticles(rows, shown, now, memory.articles);
	const articles = memory.list('articles', memory.articles.all);
	const { category: byCategory, tag: byTag, author: byAuthor } = memory.lists.update(articles);
	const withPage = everybody.filter(({ slug }) => byAuthor.has(slug));
	const usedTags = allTags
		.filter(({ slug }) => byTag.has(slug))
		.sort((a, b) => a.name.localeCompare(b.name));
	const allSeries = seriesOf(seriesRows, rowOf);
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
	const shownPages = pages.map(({ title, description, questions, testimonials, ...page }) => ({
		...page,
		...curlTexts({ title, description, questions, testimonials }),
	}));
	return {
		articles,
		articleOf: (postId) => rowOf(postId)?.made?.article,
		articlePages: [],
		categories,
		tags: usedTags,
		series: allSeries,
		authors: withPage.map(({ name, slug, isOwn, description, picture, links }) => ({
			...{ name, slug, description: curlTexts(description), picture, links },
			...(isOwn && { isOwn }),
		})),
		byAuthor,
		footer: footerCategories.flatMap((slug) => {
			const current = leads.category.get(slug) ?? slug;
			const category = categories.find((one) => one.slug === current);
			return category ? [{ name: category.name, slug: category.slug }] : [];
		}),
		...memory.states,
		pages: shownPages,
		footerPages: shownPages
			.filter(({ footer }) => footer)
			.map(({ title, slug }) => ({ label: title, href: pathOf(slug) })),
		byCategory,
		byTag,
		readers: showsInvented() ? 0 : await readersADay(db, now),
		redirects: [
			...own.filter(({ from }) => !isPattern(from)),
			...renamed.map(({ from, to }) => ({
				// A whole path is one of the site that the article came from.
				from: from.startsWith('/') ? from : paths.post(from),
				to: paths.post(to),
			})),
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
			...own.filter(({ from }) => isPattern(from)),
		],
	};
}

type AuthorFacts = Author & { id: string };

/** Returns the authors that the desk knows, and of the other names in bylines all that is known: the name. */
function withBylines(known: AuthorFacts[], rows: readonly Row[]): AuthorFacts[] {
	const names = new Set(known.map(({ name }) => name));
	const taken = new Set(known.map(({ slug }) => slug));
	const others = [...new Set(rows.map(({ post }) => post.author))]
		.filter((name) => !names.has(name))
		.sort()
		.flatMap((name): AuthorFacts[] => {
			const slug = freeSlug(slugify(name), taken);
			if (!slug) return [];
			taken.add(slug);
			const isOwn = name === site.author && { isOwn: true as const };
			return [
				{ id: `byline ${name}`, name, slug, description: null, picture: '', links: [], ...isOwn },
			];
		});
	return [...known, ...others].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns a slug that is not taken: with a number behind it where it is. */
function freeSlug(slug: string, taken: ReadonlySet<string>): string {
	let free = slug;
	for (let number = 2; slug && taken.has(free); number++) free = `${slug}-${number}`;
	return free;
}

const timeOf = ({ post }: Row) => post.publishedAt?.getTime() ?? -Infinity;

const isPublicAt = (row: Row, now: Date) => timeOf(row) <= now.getTime();

/** Returns the rows of the posts that are public at `now`, newest first; the id breaks ties, as in `newestFirst`. */
function publicRows(rows: ReadonlyMap<string, Row>, now: Date): readonly Row[] {
	return [...rows.values()]
		.filter((row) => isPublicAt(row, now))
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
};

const NONE: string[] = [];

/** Makes an article of each row, or takes that which was made of it before. */
function makeArticles(rows: readonly Row[], shown: Shown, now: Date, last: Articles): Articles {
	const categoryOf = new Map(shown.categories.map((category) => [category.id, category]));
	const uncategorized = shown.categories.find(({ slug }) => slug === UNCATEGORIZED.slug);
	const tagOf = new Map(shown.tags.map((tag) => [tag.id, tag]));
	const authorOf = new Map(shown.authors.map((author) => [author.name, author]));
	const make = (row: Row, newer: Row | undefined, older: Row | undefined): Article => {
		const { post, made } = row;
		const category = (categoryOf.get(post.categoryId) ?? uncategorized)!;
		const author = authorOf.get(post.author);
		const picture = shown.pictures.get(pictureKey(post) ?? '') ?? null;
		const undrawn = shown.undrawn.get(post.id) ?? [];
		const places = shown.places.get(post.id) ?? [];
		const tags = tagsOf(row, tagOf);
		const chosen = !post.chosen
			? NONE
			: chosenSlugs(post.chosen)
					.slice(0, MAX_CHOSEN)
					.map((slug) => shown.currentOf.get(slug) ?? slug);
		const checkedAt = new Date(
			Math.max(+(post.changedAt ?? post.updatedAt), +(post.reviewedAt ?? 0)),
		);
		const age = freshness(checkedAt, now);
		const parts = [
			...[category, author, picture && JSON.stringify(picture), undrawn.join(), age],
			...[chosen.join(), tags.length, ...tags, ...places],
		];
		const until = freshUntil(checkedAt, now);
		if (isBetween(newer, older, made) && isSameList(made.parts, parts)) {
			Object.assign(made, { shown, until });
			return made.article;
		}
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
		const article: Article = {
			post: {
				...fields,
				title: curlQuotes(post.title),
				excerpt: post.excerpt && curlQuotes(post.excerpt),
				picture,
				cover: row.rendering.cover,
				updatedAt: (changedAt ?? updatedAt).toISOString(),
				category: { name: category.name, slug: category.slug },
				publishedAt: publishedAt?.toISOString() ?? null,
			},
			category,
			tags: tags.map(({ id, name, slug }) => ({ id, name, slug })),
			chosen,
			byline: author
				? { name: author.name, slug: author.slug, ...(author.isOwn && { isOwn: true }) }
				: null,
			series: places,
			older: refOf(older),
			newer: refOf(newer),
			comments: row.comments,
			commentCount: row.commentCount,
			rendering: row.rendering.digest,
			undrawn,
			digest: pageDigest({ id: post.id, version, updatedAt }),
			wordCount: row.rendering.words,
			marks: row.rendering.marks,
			checkedAt: checkedAt.toISOString(),
			freshness: age,
			changes: curlTexts(row.changes),
			shares: row.shares,
			mentions: row.mentions,
		};
		row.made = { article, newer, older, shown, parts, until };
		return article;
	};
	const time = now.getTime();
	const isSteady = last.shown === shown && time <= last.until;
	const changed = isSteady ? changedRange(last.rows, rows) : { start: 0, end: rows.length };
	// Neighbors name each other.
	const [start, end] = [Math.max(0, changed.start - 1), changed.end + 1];
	let until = isSteady ? last.until : Infinity;
	const some = rows.slice(start, end).map((row, at) => {
		const [newer, older] = [rows[start + at - 1], rows[start + at + 1]];
		const { made } = row;
		const isKnown = isBetween(newer, older, made) && made.shown === shown && time <= made.until;
		const article = isKnown ? made.article : make(row, newer, older);
		until = Math.min(until, row.made!.until);
		return article;
	});
	const all = replaceRange(last.all, start, some, rows.length - start - some.length);
	return { rows, all, shown, until };
}

/** Returns whether something was made of a row between these two. */
function isBetween(
	newer: Row | undefined,
	older: Row | undefined,
	made: RenderedArticle | undefined,
): made is RenderedArticle {
	return made !== undefined && made.newer === newer && made.older === older;
}

/** Returns the tags of a post in its own order, by name where that says nothing. */
function tagsOf<Tag extends { name: string }>(row: Row, tagOf: Map<string, Tag>): Tag[] {
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
function refOf(row: Row | undefined): PostRef | null {
	if (!row) return null;
	const { id, slug, title } = row.post;
	return { id, slug, title: curlQuotes(title) };
}

type SeriesRow = typeof series.$inferSelect;

type FindRow = (id: string) => Row | undefined;

/** Returns the places of articles in series, by the id of the post. */
function placesIn(all: SeriesRow[], rowOf: FindRow): Map<string, SeriesPlace[]> {
	const places = new Map<string, SeriesPlace[]>();
	for (const { name, slug, articles: ids } of all) {
		const parts = ids.flatMap((id) => rowOf(id) ?? []);
		const total = parts.length;
		parts.forEach(({ post }, index) => {
			const [previous, next] = [refOf(parts[index - 1]), refOf(parts[index + 1])];
			addToList(places, post.id, { name, slug, part: index + 1, total, previous, next });
		});
	}
	return places;
}

/** Returns the series that have a public article. */
function seriesOf(all: SeriesRow[], rowOf: FindRow): (Series & { id: string })[] {
	return all.flatMap(({ id, name, slug, description, articles: ids }) => {
		const parts = ids.flatMap((one) => rowOf(one)?.made?.article ?? []);
		return parts.length > 0 ? [{ id, name, slug, description, articles: parts }] : [];
	});
}

/** Returns the site with the related articles, by what is known now of their meanings. */
export async function relateArticles(db: Db, site: Site, memory: SiteMemory): Promise<Site> {
	const { publicRows: rows, related } = memory;
	const moved = await refreshMeanings(db, memory);
	const last = memory.relatables;
	const now = relatablesOf(rows, site.articles, moved, last);
	const positions = related.update(now.all);
	const pageAt = (position: number): ArticlePage => {
		const { made } = rows[position]!;
		const { article, related: known, page } = made!;
		const found = related.at(position);
		if (page && known && isSameList(known, found)) return page;
		const cards = found.map(({ article: one }) => ({ ...toCard(one), color: one.category.color }));
		made!.related = found;
		return (made!.page = { article, related: cards });
	};
	const { start, end } = changedRange(last.all, now.all);
	const some = rows.slice(start, end).map((_, at) => pageAt(start + at));
	const articlePages = replaceRange(memory.articlePages, start, some, rows.length - end);
	for (const position of positions) articlePages[position] = pageAt(position);
	memory.relatables = now;
	memory.articlePages = articlePages;
	return { ...site, articlePages };
}

/** Makes of each article what is related, or takes what was made of it before. */
function relatablesOf(
	rows: readonly Row[],
	articles: readonly Article[],
	moved: readonly Row[],
	last: Relatables,
): Relatables {
	let bySlug: Map<string, string> | undefined;
	const idsOf = (slugs: string[]) => {
		bySlug ??= new Map(rows.map(({ post }) => [post.slug, post.id]));
		return [...new Set(slugs.flatMap((slug) => bySlug!.get(slug) ?? []))];
	};
	const changed = changedRange(last.articles, articles);
	const { start } = changed;
	const inRange = new Set(rows.slice(start, changed.end));
	// A chosen slug may lead to another article than before.
	const isFar = last.hasChosen || moved.some((row) => !inRange.has(row));
	const range = isFar ? { start: 0, end: rows.length } : changed;
	let { hasChosen } = last;
	const some = rows.slice(range.start, range.end).map(({ made, meaning }): RelatableArticle => {
		const { article, relatable: known } = made!;
		const { post, category, tags } = article;
		hasChosen ||= article.chosen.length > 0;
		const chosen =
			article.chosen.length === 0 ? NONE : idsOf(article.chosen).filter((id) => id !== post.id);
		if (known && known.meaning === meaning && isSameList(known.chosen, chosen)) return known;
		return (made!.relatable = {
			article,
			id: post.id,
			publishedAt: post.publishedAt === null ? -Infinity : Date.parse(post.publishedAt),
			categoryId: category.id,
			tagIds: tags.map(({ id }) => id),
			chosen,
			meaning,
		});
	});
	const all = replaceRange(last.all, range.start, some, rows.length - range.end);
	return { articles, all, hasChosen };
}

/**
 * Reads what articles mean that changed, or that had no meaning yet, and all of it where words are known anew. Returns the rows
 * whose meaning is another one than what is related was made of.
 */
async function refreshMeanings(db: Db, memory: SiteMemory): Promise<Row[]> {
	const basis = (await readModel(db))?.basis;
	const isNew = basis !== memory.basis;
	memory.basis = basis;
	const wanted: Row[] = [];
	for (const row of memory.publicRows) {
		if (isNew) row.meaning = undefined;
		if (!row.meaning) wanted.push(row);
	}
	const ids = wanted.map(({ post }) => post.id);
	const vectors = basis === undefined || ids.length === 0 ? undefined : await readVectors(db, ids);
	for (const row of wanted) row.meaning = vectors?.get(row.post.id);
	return wanted.filter(({ made, meaning }) => made!.relatable?.meaning !== meaning);
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
