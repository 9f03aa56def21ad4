import { and, eq, inArray, sql } from 'drizzle-orm';
import { prepared, type Db } from '#db/client.ts';
import { categories, posts, renderedPosts } from '#db/schema.ts';
import { dated, isPublic, summaryColumns } from '#src/features/posts/posts.server.ts';
import type { SearchResult } from './search.api.ts';
import {
	passageOf,
	SEARCH_LIMIT,
	SEARCH_MINIMUM,
	toMatchQuery,
	withoutEnding,
	wordsOf,
} from './search.ts';
import { meantBy, typosAllowed } from './typos.ts';

/** Words that more posts hold say little about any of them: of those the newest come first. */
const RANKED = 500;
/** More posts than anybody looks through: no more are ranked. */
const MOST = 2000;
/** Ranked posts are read in portions, until enough of them are public and of the category. */
const PORTION = 100;
/** Words of the vocabulary that are compared with a misspelt one, letter by letter. */
const LOOKALIKES = 100;
/** So many readings of a misspelt query are tried. */
const READINGS = 3;

type Search = { q?: string | undefined; category?: string | undefined };

/**
 * Public posts that hold every word, best first: those that hold them in title, tags or excerpt, then the rest.
 * Where there are none, those of the nearest spelling that has some, which each result then names.
 */
export async function searchPosts(
	db: Db,
	{ q = '', category }: Search,
	now: Date,
): Promise<SearchResult[]> {
	const words = q.length < SEARCH_MINIMUM ? [] : wordsOf(q);
	if (words.length === 0) return [];
	const found = await find(db, words, category, now);
	if (found.length > 0) return found;
	for (const corrected of await corrections(db, words)) {
		const instead = await find(db, corrected, category, now);
		if (instead.length > 0) {
			return instead.map((result) => ({ ...result, corrected: corrected.join(' ') }));
		}
	}
	return [];
}

async function find(
	db: Db,
	words: string[],
	category: string | undefined,
	now: Date,
): Promise<SearchResult[]> {
	const match = toMatchQuery(words);
	const rows: Awaited<ReturnType<typeof readPortion>> = [];
	const seen = new Set<number>();
	for (const candidates of [rankHeads, rankTexts]) {
		const ids = (await candidates(db, match)).filter((id) => !seen.has(id));
		for (let start = 0; start < ids.length && rows.length < SEARCH_LIMIT; start += PORTION) {
			rows.push(...(await readPortion(db, ids.slice(start, start + PORTION), category, now)));
		}
		if (rows.length >= SEARCH_LIMIT) break;
		for (const id of ids) seen.add(id);
	}
	const shown = rows.slice(0, SEARCH_LIMIT).map(dated);
	const bodies = await readBodies(db, shown);
	return shown.map(({ author: _author, ...post }) => ({
		...post,
		passage: passageOf([post.excerpt ?? '', bodies.get(post.id) ?? ''], words),
	}));
}

/** Posts that match in title, excerpt or tags, best first. */
const rankHeads = (db: Db, match: string) => rank(db, `{title excerpt tags} : (${match})`);

/** Posts that match anywhere, best first. */
async function rankTexts(db: Db, match: string): Promise<number[]> {
	const [row] = await db.all<{ ids: string }>(
		sql`select json_group_array(id) as ids from (select rowid as id from search_index
			where search_index match ${match} order by rowid desc limit ${RANKED + 1})`,
	);
	const newest = JSON.parse(row!.ids) as number[];
	return newest.length > RANKED ? newest : rank(db, match);
}

/** Rowids that match, best first: title counts most, then tags, excerpt and text. */
async function rank(db: Db, match: string): Promise<number[]> {
	const [row] = await db.all<{ ids: string }>(
		sql`select json_group_array(id) as ids from (select id from (
			select rowid as id, bm25(search_index, 10, 4, 6, 1) as score from search_index
			where search_index match ${match} order by rowid desc limit ${MOST}) order by score, id desc)`,
	);
	return JSON.parse(row!.ids) as number[];
}

const portion = prepared((db) => {
	const given = sql.placeholder;
	return db
		.select(summaryColumns)
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
		.limit(SEARCH_LIMIT)
		.prepare();
});

function readPortion(db: Db, ids: number[], category: string | undefined, now: Date) {
	return portion(db).all({
		ids: JSON.stringify(ids),
		category: category ?? null,
		now: now.getTime(),
	});
}

async function readBodies(db: Db, shown: { id: string }[]): Promise<Map<string, string>> {
	const rows = await db
		.select({ id: renderedPosts.postId, body: renderedPosts.body })
		.from(renderedPosts)
		.where(
			inArray(
				renderedPosts.postId,
				shown.map(({ id }) => id),
			),
		);
	return new Map(rows.map(({ id, body }) => [id, body]));
}

/** The likeliest other readings of a query, in which every word that no post holds is one that some post does. */
async function corrections(db: Db, words: string[]): Promise<string[][]> {
	const readings = await Promise.all(
		words.map(async (word, index) => {
			if (await isKnown(db, word)) return [word];
			const typed = word.toLowerCase();
			const last = index === words.length - 1;
			const meant = meantBy(typed, await lookalikes(db, typed), last).slice(0, READINGS);
			const found = await Promise.all(meant.map((one) => isFound(db, `"${one}"`)));
			return meant.filter((_, position) => found[position]);
		}),
	);
	if (readings.some(({ length }) => length === 0)) return [];
	const tries = Math.max(...readings.map(({ length }) => length));
	return Array.from({ length: tries }, (_, index) =>
		readings.map((list) => list[Math.min(index, list.length - 1)]!),
	).filter((reading) => reading.join(' ') !== words.join(' '));
}

/** Whether some article has a word that begins so. The vocabulary says it quickest, and holds plain Latin words only. */
async function isKnown(db: Db, word: string): Promise<boolean> {
	const beginning = withoutEnding(word).toLowerCase();
	if (!/^[a-z0-9]{4,}$/.test(beginning)) return isFound(db, toMatchQuery([word]));
	const rows = await db.all(
		sql`select 1 from search_words where word >= ${beginning} and word < ${`${beginning}{`} limit 1`,
	);
	return rows.length > 0;
}

async function isFound(db: Db, match: string): Promise<boolean> {
	const rows = await db.all(
		sql`select 1 from search_index where search_index match ${match} limit 1`,
	);
	return rows.length > 0;
}

/** Words of the vocabulary that share groups of three letters with this one, its beginning and end included. */
async function lookalikes(db: Db, word: string): Promise<string[]> {
	if (typosAllowed(word) === 0) return [];
	const bounded = `^${word}$`;
	const trigrams = Array.from(
		{ length: bounded.length - 2 },
		(_, at) => `"${bounded.slice(at, at + 3)}"`,
	);
	const rows = await db.all<{ word: string }>(
		sql`select search_words.word from (
			select rowid as id from search_trigrams where search_trigrams match ${trigrams.join(' OR ')}
			order by rank limit ${LOOKALIKES}) as found join search_words on search_words.id = found.id`,
	);
	return rows.map((row) => row.word);
}
