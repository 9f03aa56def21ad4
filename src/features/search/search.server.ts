import { and, eq, getTableColumns, sql, type SQL } from 'drizzle-orm';
import { prepared, type Db } from '#db/client.ts';
import { categories, posts, renderedPosts, searchEntries } from '#db/schema.ts';
import { withIsoDate, isPublic, summaryColumns } from '#src/features/posts/posts.server.ts';
import { countTerms } from '#src/core/meaning/meaning.ts';
import { compareVectors, embedQuery, findNeighbors } from '#src/core/meaning/meaning.server.ts';
import { getSettings } from '#src/core/settings/settings.server.ts';
import { parseAbbreviations } from '#src/core/settings/abbreviations.ts';
import { parseQuestion, type Part } from './question.ts';
import { scoreWords, type Article, type Form } from './ranking.ts';
import type { Findings, SearchResult } from './search.api.ts';
import {
	KINDS,
	SEARCH_LIMIT,
	bestPassage,
	createFinder,
	isTooShort,
	placeIn,
	type Hit,
	type Kind,
} from './search.ts';
import { localDate } from '#src/lib/dates.ts';
import { namesIn } from '#src/lib/folding.ts';
import { wordsOf } from '#src/lib/stems.ts';
import { paths } from '#src/site.ts';
import { findForms, toMatchQuery } from './vocabulary.server.ts';

/** Maximum number of newest matches to consider: in title, tags or excerpt, and anywhere. */
const MAX_MATCHES = 2000;
const MAX_TEXT_MATCHES = 500;
/** The best of them are read in full and ranked: so many of one index, or of each of several. */
const MAX_RANKED = 30;
const MAX_RANKED_OF_EACH = 20;
/** Ranked posts are read in batches until enough of them are public and in the category. */
const BATCH_SIZE = 60;
/** Weight of a word before the post is read, by place. */
const PLACES = [
	{ place: 'title', worth: 3, most: MAX_MATCHES },
	{ place: 'head', worth: 1.5, most: MAX_MATCHES },
	{ place: 'anywhere', worth: 0.6, most: MAX_TEXT_MATCHES },
] as const;
/** Forms with a lower weight are queried separately, because they would crowd out the others. */
const LOOSE_WEIGHT = 0.55;
/** Minimum share of the best score, for questions of several words. */
const MIN_SCORE_SHARE = 0.37;
/** So many are shown to people even where only one is good, the others as less close: it may not be what was meant. */
const LEAST_SHOWN = 5;
/** Share of what the best has of a question that a page must have for its kind to be offered. */
const MIN_FITTING = 0.6;
/** Texts that are nearest in meaning, and how many of them are read that words did not find. */
const MAX_NEIGHBORS = 40;
const MAX_NEIGHBORS_READ = 5;
/**
 * Weight of the same meaning beside a score of words, which is about 1 for a text that has all of the question. Pages
 * besides articles say a little of many things, and are near to whatever has no word of its own.
 */
const MEANING_WEIGHT = 1.2;
const PAGE_MEANING_WEIGHT = 0.8;
/** Score below which words find only weak things: then what only meaning finds is shown, too, from this nearness on. */
const WEAK_SCORE = 0.8;
const MIN_NEARNESS = 0.3;
/** Share of a question below which a result is said to be found by its meaning, if that counted more. */
const MIN_COVERED = 0.5;

type Search = { q?: string | undefined; category?: string | undefined };

/**
 * Returns public posts that match a question, best first: by how much of it they contain, where, and how rare
 * that is. No word is required.
 */
export async function searchPosts(db: Db, { q, category }: Search, now: Date) {
	const articles = articleIndex(db, category, now);
	const { found, hitsOf, corrected, partial } = await answer(db, q, [articles], SEARCH_LIMIT);
	return found.map(({ article }) => {
		const {
			body,
			textId: _textId,
			headings: _headings,
			tags: _tags,
			searchedAs: _searchedAs,
			author: _author,
			...post
		} = article;
		const { passage } = bestPassage([post.excerpt ?? '', body], hitsOf);
		return {
			...withIsoDate(post),
			passage,
			marks: marksOf([post.title, passage], hitsOf),
			...(corrected !== undefined && { corrected }),
			...(partial && { partial }),
		} satisfies SearchResult;
	});
}

/**
 * Returns public posts and all other pages that match a question, by one score for all: what `searchPosts` gives for
 * words, and how near the meaning is.
 */
export async function searchEverything(
	db: Db,
	{
		q,
		kind,
		category,
		limit = SEARCH_LIMIT,
	}: Search & { kind?: Kind | undefined; limit?: number | undefined },
	now: Date,
): Promise<Findings> {
	const articles = articleIndex(db, category, now);
	const pages = entryIndex(db, kind);
	const indexes: Index<Read>[] = [
		{
			...articles,
			isRead: kind === undefined || kind === 'article',
			read: async (ids, most) => (await articles.read(ids, most)).map(asRead),
		},
		{ ...pages, isRead: kind !== 'article' && category === undefined },
	];
	// A search in one category goes by words alone, so that it can say that nothing there has them.
	const most = category === undefined ? MAX_NEIGHBORS : 0;
	const answered = await answer(db, q, indexes, limit, most);
	const { found, further, total, more, fitting, hitsOf, corrected, partial } = answered;
	const shown = [...found, ...further.map((one) => ({ ...one, less: true as const }))];
	const [articleIds = [], entryIds = []] = fitting;
	const kinds = new Set(category === undefined ? await kindsOf(db, entryIds) : []);
	if (articleIds.length > 0) kinds.add('article');
	for (const { article } of shown) kinds.add(article.kind);
	return {
		results: shown.map(({ article: page, by, ...closeness }) => {
			const { passage, place } =
				by === 'words' ? passageOf(page, hitsOf) : { passage: beginningOf(page), place: '' };
			return {
				kind: page.kind,
				title: page.title,
				url: page.url.includes('#') ? page.url : page.url + place,
				snippet: passage,
				by,
				note: page.note,
				marks: marksOf([page.title, passage], hitsOf),
				...('less' in closeness && { less: true as const }),
			};
		}),
		total,
		...(more && { more }),
		kinds: (Object.keys(KINDS) as Kind[]).filter((one) => kinds.has(one)),
		...(corrected !== undefined && { corrected }),
		...(partial && { partial }),
	};
}

/** Returns what a page says of itself: no passage tells why its meaning is near. */
const beginningOf = ({ excerpt, body }: Read) =>
	bestPassage([excerpt ?? '', body], () => []).passage;

/** Returns the best passage of a page, and what leads to it. Where the title says as much, it leads to the top. */
function passageOf({ title, excerpt, body, headings }: Read, hitsOf: (text: string) => Hit[]) {
	const told = new Set(hitsOf(title).map(({ found }) => found));
	const untold = (text: string) => hitsOf(text).filter(({ found }) => !told.has(found));
	const texts = [body, excerpt ?? ''];
	const inText = [hitsOf, untold]
		.map((hits) => bestPassage(texts, hits))
		.find(({ passage }) => untold(passage).length > 0);
	if (!inText) return { ...bestPassage([excerpt ?? '', body], hitsOf), place: '' };
	return { ...inText, place: inText.text === body ? placeIn(body, inText.start, headings) : '' };
}

/** A full-text index, and how the best of it are read. */
type Index<One> = {
	index: SQL;
	/** The table that it is over. */
	table: SQL;
	/** The index of what its texts say of themselves, and their columns there, in FTS5 syntax: none where it is all. */
	heads: { index: SQL; columns: string };
	/** The id of its rows where they are neighbors in meaning. */
	neighborId: 'articleId' | 'entryId';
	meaningWeight: number;
	read: (ids: number[], most: number) => Promise<One[]>;
	/** Whether what it finds is wanted; otherwise it only tells how rare a word is. */
	isRead?: boolean;
};

type Ranked<One> = { article: One; by: 'words' | 'meaning' };

type Answer<One> = {
	found: Ranked<One>[];
	/** The next ones, where few are good. */
	further: Ranked<One>[];
	total: number;
	/** More has a part of the question than was read and ranked. */
	more?: true;
	/** Rows of each index that have most of the question's words. */
	fitting: number[][];
	hitsOf: (text: string) => Hit[];
	corrected?: string | undefined;
	partial?: true;
};

/** Returns the best for a question from these indexes, by words and by what is near in meaning. */
async function answer<One extends Article & { textId: number }>(
	db: Db,
	q = '',
	indexes: Index<One>[],
	limit: number,
	/** How many texts that are near in meaning are considered. */
	neighborCount = 0,
): Promise<Answer<One>> {
	if (isTooShort(q) || wordsOf(q).length === 0) {
		return { found: [], further: [], total: 0, fitting: [], hitsOf: () => [] };
	}
	const { abbreviations } = await getSettings(db);
	const parts = parseQuestion(q, parseAbbreviations(abbreviations));
	const forms = await findForms(db, parts);
	const [meant, ...candidates] = await Promise.all([
		neighborCount > 0 ? embedQuery(db, meantTerms(parts, forms)) : null,
		...indexes.map((index) => findCandidates(db, forms, index)),
	]);
	const read = indexes.filter(({ isRead }) => isRead !== false);
	const most = read.length > 1 ? MAX_RANKED_OF_EACH : MAX_RANKED;
	const found = await Promise.all(
		read.map(async (index) => {
			const { ids } = candidates[indexes.indexOf(index)]!;
			const some: One[] = [];
			for (let start = 0; start < ids.length && some.length < most; start += BATCH_SIZE) {
				some.push(...(await index.read(ids.slice(start, start + BATCH_SIZE), most)));
			}
			return some.slice(0, most);
		}),
	);
	const size = candidates.reduce((sum, one) => sum + one.size, 0);
	const holding = parts.map((_, part) =>
		candidates.reduce((sum, one) => sum + one.holding[part]!, 0),
	);
	const hitsOf = memoize(createFinder(forms.flat().map(({ text }) => text)));
	const weightedParts = forms.map((list, part) => ({
		forms: list,
		rarity: rarityOf(holding[part]!, size),
	}));
	const score = (articles: One[]) => scoreWords(articles, weightedParts, hitsOf);
	let scored = score(found.flat());
	const isWeak = scored.every(({ score }) => score < WEAK_SCORE);
	const meantOf = new Map<One, number>();
	const isCandidate = new Set(found.flat());
	if (meant) {
		const idsOf = (name: Index<One>['neighborId']) =>
			read.flatMap((index, at) =>
				index.neighborId === name ? found[at]!.map(({ textId }) => textId) : [],
			);
		const compared = await Promise.all([
			compareVectors(db, meant, {
				articleIds: idsOf('articleId'),
				entryIds: idsOf('entryId'),
			}),
			// All texts are compared only where words find nothing that is good.
			isWeak ? findNeighbors(db, meant, neighborCount) : [],
		]);
		const neighbors = compared.flat();
		for (const [at, index] of read.entries()) {
			const near = new Map(neighbors.map((one) => [one[index.neighborId], one.near]));
			const known = new Set(found[at]!.map(({ textId }) => textId));
			const others = [...near].flatMap(([id, nearness]) =>
				isWeak && id !== null && nearness >= MIN_NEARNESS && !known.has(id) ? [id] : [],
			);
			if (others.length > 0) found[at]!.push(...(await index.read(others, MAX_NEIGHBORS_READ)));
			for (const article of found[at]!)
				meantOf.set(article, index.meaningWeight * (near.get(article.textId) ?? 0));
		}
		if (isWeak) scored = score(found.flat());
	}
	const ranked = scored
		.filter(({ article, found }) => (found.size > 0 && isCandidate.has(article)) || isWeak)
		.map((one) => {
			const meant = meantOf.get(one.article) ?? 0;
			const isMeant = meant > one.score && one.covered < MIN_COVERED;
			return {
				...one,
				by: isMeant ? ('meaning' as const) : ('words' as const),
				score: one.score + meant,
			};
		})
		.sort((a, b) => b.score - a.score);
	const isLong = isWeak || parts.length > 1 || wordsOf(q).length > 1;
	const least = isLong ? (ranked[0]?.score ?? 0) * MIN_SCORE_SHARE : 0;
	// A phrase or a name that occurs whole was asked for, wherever it stands.
	const isWhole = ({ covered }: { covered: number }) =>
		parts.length === 1 && !isWeak && covered === 1;
	const near = ranked.filter((one) => one.score > 0 && (one.score >= least || isWhole(one)));
	const shown = near.slice(0, limit);
	const others = ranked.filter((one) => one.score > 0 && !near.includes(one));
	return {
		found: shown,
		further: others.slice(0, Math.max(0, Math.min(limit, LEAST_SHOWN) - near.length)),
		total: near.length,
		// Where fewer are good than were read, none of the others would be.
		...(near.length >= most &&
		read.some((one) => candidates[indexes.indexOf(one)]!.ids.length > most)
			? { more: true as const }
			: {}),
		fitting: candidates.map(({ fitting }) => fitting),
		hitsOf,
		corrected: correctQuestion(parts, forms, shown),
		...(!shown.some(({ whole }) => whole) && { partial: true }),
	};
}

/** Returns the words whose meaning is looked for: those of the question, its corrections and its other names. */
function meantTerms(parts: Part[], forms: Form[][]): Map<string, number> {
	const words = parts.flatMap((part, at) => {
		const corrected = forms[at]!.find(({ corrects }) => corrects !== undefined)?.text;
		return corrected === undefined ? [...part.words, ...part.same] : [corrected];
	});
	return countTerms(words.join(' '));
}

/** Returns what to mark in these texts. */
function marksOf(texts: string[], hitsOf: (text: string) => Hit[]): string[] {
	return [...new Set(texts.flatMap(hitsOf).map(({ found }) => namesIn(found).join(' ')))];
}

const rarityOf = (holding: number, size: number) =>
	Math.log(1 + (size - holding + 0.5) / (holding + 0.5));

/** Returns a function that reads each text only once. */
function memoize<Out>(read: (text: string) => Out): (text: string) => Out {
	const known = new Map<string, Out>();
	return (text) => {
		const answer = known.get(text) ?? read(text);
		known.set(text, answer);
		return answer;
	};
}

/** Returns the question with misspelled words corrected, if a result was found by a correction. */
function correctQuestion(
	parts: Part[],
	forms: Form[][],
	shown: { found: ReadonlySet<string> }[],
): string | undefined {
	const corrections = forms.map(
		(list) =>
			list.find(({ corrects, text }) => corrects && shown.some(({ found }) => found.has(text)))
				?.corrects,
	);
	if (corrections.every((correction) => correction === undefined)) return undefined;
	return parts.map(({ words }, at) => corrections[at] ?? words.join(' ')).join(' ');
}

/**
 * Returns the rows of an index that contain any part of the question, likeliest first, how many contain each part,
 * and how many there are.
 */
async function findCandidates(
	db: Db,
	forms: Form[][],
	{ index, table, heads }: Pick<Index<unknown>, 'index' | 'table' | 'heads'>,
): Promise<{ ids: number[]; fitting: number[]; holding: number[]; size: number }> {
	const columns = { title: '{title} :', head: heads.columns, anywhere: '' };
	const queries = forms.flatMap((list, part) =>
		[false, true].flatMap((loose) => {
			const some = list.filter(({ weight }) => weight < LOOSE_WEIGHT === loose);
			if (some.length === 0) return [];
			const match = some.map(toMatchQuery).join(' OR ');
			const factor = Math.max(...some.map(({ weight }) => weight));
			return PLACES.map(({ place, worth, most }) => ({
				part,
				most,
				anywhere: place === 'anywhere',
				index: place === 'anywhere' ? index : heads.index,
				weight: worth * factor,
				match: `${columns[place]} (${match})`,
			}));
		}),
	);
	const [{ size: total }, ...lists] = (await db.all(
		sql`select 0 as at, '[]' as ids, (select count(*) from ${table}) as size union all ${sql.join(
			queries.map(
				({ index, match, most }, at) => sql`select ${at} as at, (select json_group_array(id) from (
					select rowid as id from ${index} where ${index} match ${match}
					order by rowid desc limit ${most})) as ids, 0 as size`,
			),
			sql` union all `,
		)}`,
	)) as [List, ...List[]];
	const holding = forms.map(() => 0);
	const found = lists.map(({ at, ids: json }) => {
		const ids = JSON.parse(json) as number[];
		const { part, anywhere, most } = queries[at]!;
		if (anywhere) {
			// Extrapolate the number from the newest ones.
			const span = ids[0]! - ids.at(-1)! + 1;
			const count = ids.length < most ? ids.length : Math.max(ids.length, (total * most) / span);
			holding[part] = Math.max(holding[part]!, Math.min(total, count));
		}
		return { ...queries[at]!, ids };
	});
	const rarity = holding.map((count) => rarityOf(count, total));
	const best = forms.map(() => new Map<number, number>());
	for (const { part, weight, ids } of found) {
		for (const id of ids) {
			best[part]!.set(id, Math.max(best[part]!.get(id) ?? 0, weight));
		}
	}
	const scores = new Map<number, { sum: number; has: number }>();
	best.forEach((weights, part) => {
		for (const [id, weight] of weights) {
			const score = scores.get(id) ?? { sum: 0, has: 0 };
			score.sum += rarity[part]! * weight;
			score.has += rarity[part]!;
			scores.set(id, score);
		}
	});
	const ids = [...scores]
		.map(([id, { sum, has }]) => ({ id, score: sum * has }))
		.sort((a, b) => b.score - a.score || b.id - a.id)
		.map(({ id }) => id);
	const most = Math.max(0, ...[...scores.values()].map(({ has }) => has));
	const fitting = ids.filter((id) => scores.get(id)!.has >= MIN_FITTING * most);
	return { ids, fitting, holding, size: total };
}

type List = { at: number; ids: string; size: number };

const selectBatch = prepared((db) => {
	const given = sql.placeholder;
	return db
		.select({
			...summaryColumns,
			textId: renderedPosts.id,
			tags: renderedPosts.tags,
			searchedAs: renderedPosts.searchedAs,
			headings: renderedPosts.headings,
			body: renderedPosts.body,
		})
		.from(sql`json_each(${given('ids')}) as ranked`)
		.innerJoin(renderedPosts, sql`${renderedPosts.id} = ranked.value`)
		.innerJoin(posts, eq(posts.id, renderedPosts.postId))
		.innerJoin(categories, eq(categories.id, posts.categoryId))
		.where(
			and(
				isPublic(given('now')),
				sql`(${given('category')} is null or ${categories.slug} = ${given('category')})`,
			),
		)
		.orderBy(sql`ranked.key`)
		.limit(given('most'))
		.prepare();
});

function articleIndex(db: Db, category: string | undefined, now: Date) {
	return {
		index: sql`search_index`,
		table: sql`rendered_posts`,
		heads: { index: sql`search_heads`, columns: '' },
		neighborId: 'articleId' as const,
		meaningWeight: MEANING_WEIGHT,
		read: (ids: number[], most: number) =>
			selectBatch(db).all({
				ids: JSON.stringify(ids),
				most,
				category: category ?? null,
				now: now.getTime(),
			}),
	};
}

/** A page as it is ranked and shown. */
type Read = Article & {
	textId: number;
	kind: Kind;
	url: string;
	note: string;
	headings: { slug: string; text: string }[];
};

/** Returns an article among other pages. */
function asRead(post: Awaited<ReturnType<ReturnType<typeof articleIndex>['read']>>[number]): Read {
	const { slug, category, publishedAt, readTime, ...article } = post;
	const facts = [
		category.name,
		publishedAt && localDate(publishedAt.toISOString().slice(0, 10), 'medium'),
		`${readTime} min read`,
	];
	return {
		...article,
		kind: 'article',
		url: paths.post(slug),
		note: facts.filter(Boolean).join(' · '),
	};
}

const selectEntries = prepared((db) => {
	const given = sql.placeholder;
	const { id: textId, digest: _digest, ...columns } = getTableColumns(searchEntries);
	return db
		.select({ textId, ...columns })
		.from(sql`json_each(${given('ids')}) as ranked`)
		.innerJoin(searchEntries, sql`${searchEntries.id} = ranked.value`)
		.where(sql`(${given('kind')} is null or ${searchEntries.kind} = ${given('kind')})`)
		.orderBy(sql`ranked.key`)
		.limit(given('most'))
		.prepare();
});

function entryIndex(db: Db, kind: Kind | undefined) {
	return {
		index: sql`search_entry_index`,
		table: sql`search_entries`,
		heads: { index: sql`search_entry_index`, columns: '{title tags excerpt} :' },
		neighborId: 'entryId' as const,
		meaningWeight: PAGE_MEANING_WEIGHT,
		read: async (ids: number[], most: number): Promise<Read[]> =>
			(await selectEntries(db).all({ ids: JSON.stringify(ids), most, kind: kind ?? null })).map(
				(entry) => ({
					...entry,
					kind: entry.kind as Kind,
					searchedAs: '',
					note: '',
				}),
			),
	};
}

/** Returns the kinds of these entries. */
async function kindsOf(db: Db, ids: number[]): Promise<Kind[]> {
	if (ids.length === 0) return [];
	const rows = await db
		.selectDistinct({ kind: searchEntries.kind })
		.from(searchEntries)
		.where(sql`${searchEntries.id} in (select value from json_each(${JSON.stringify(ids)}))`);
	return rows.map(({ kind }) => kind as Kind);
}
