import { and, eq, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { meanings, meaningWords, renderedPosts } from '#db/schema.ts';
import { getMeta } from '#src/core/meta.server.ts';
import { vectorOf } from './meaning.ts';

/** The number of what is known about words now. */
const CURRENT = sql`(select value ->> 'basis' from meta where key = 'meaning_basis')`;

/** Number and age of what is known about words. */
export type Model = {
	basis: number;
	version: number;
	/** Texts when it was made, new ones since, and those of which no word is known. */
	texts: number;
	changed: number;
	unknown: number;
};

/** Returns what is known about words, or null before the first build. */
export async function readModel(db: Db): Promise<Model | null> {
	const stored = await getMeta(db, 'meaning_basis');
	return stored === undefined ? null : (JSON.parse(stored) as Model);
}

/** Returns the vectors of words, or of all words. */
export async function readWords(
	db: Db,
	basis: number,
	words?: readonly string[],
): Promise<Map<string, Float32Array>> {
	const some =
		words && sql`${meaningWords.word} in (select value from json_each(${JSON.stringify(words)}))`;
	const rows = await db
		.select({ word: meaningWords.word, vector: meaningWords.vector })
		.from(meaningWords)
		.where(and(eq(meaningWords.basis, basis), some));
	return new Map(rows.map(({ word, vector }) => [word, vector]));
}

/** Meaning of a question, by what is known about words now. */
export type QueryVector = { basis: number; direction: Uint8Array };

/** Returns what these words mean together, or null where none of them is known. */
export async function embedQuery(
	db: Db,
	counts: ReadonlyMap<string, number>,
): Promise<QueryVector | null> {
	const words = await db.all<{ basis: number; word: string; vector: ArrayBuffer }>(
		sql`select basis, word, vector from meaning_words
			where basis = ${CURRENT}
			and word in (select value from json_each(${JSON.stringify([...counts.keys()])}))`,
	);
	const vectors = new Map(words.map(({ word, vector }) => [word, new Float32Array(vector)]));
	const direction = vectorOf(counts, vectors);
	return direction && { basis: words[0]!.basis, direction: new Uint8Array(direction.buffer) };
}

/** A text that means something near: a row of `rendered_posts` or of `search_entries`. */
export type Neighbor = { articleId: number | null; entryId: number | null; near: number };

const selectNear = ({ basis, direction }: QueryVector) =>
	sql`select article_id as articleId, entry_id as entryId,
			1 - vector_distance_cos(vector, ${direction}) as near
		from meanings where basis = ${basis}`;

/** Returns the texts that mean the nearest, nearest first. All of them are compared. */
export async function findNeighbors(db: Db, meant: QueryVector, most: number): Promise<Neighbor[]> {
	return db.all<Neighbor>(sql`${selectNear(meant)} order by near desc, id limit ${most}`);
}

/** Returns how near these texts are. */
export async function compareVectors(
	db: Db,
	meant: QueryVector,
	{ articleIds, entryIds }: { articleIds: number[]; entryIds: number[] },
): Promise<Neighbor[]> {
	const among = (ids: number[]) => sql`(select value from json_each(${JSON.stringify(ids)}))`;
	return db.all<Neighbor>(
		sql`${selectNear(meant)} and article_id in ${among(articleIds)}
			union all ${selectNear(meant)} and entry_id in ${among(entryIds)}`,
	);
}

/** Returns what the articles of these posts mean, by the ids of the posts. */
export async function readVectors(
	db: Db,
	postIds: readonly string[],
): Promise<Map<string, Float32Array>> {
	const rows = await db
		.select({ id: renderedPosts.postId, vector: meanings.vector })
		.from(meanings)
		.innerJoin(renderedPosts, eq(renderedPosts.id, meanings.articleId))
		.where(
			and(
				eq(meanings.basis, CURRENT),
				sql`${renderedPosts.postId} in (select value from json_each(${JSON.stringify(postIds)}))`,
			),
		);
	return new Map(rows.map(({ id, vector }) => [id, vector]));
}

/** Returns SQL for how near the article of a post is in meaning to a vector, in steps: 0 for none. */
export function stepsTo(
	vector: Float32Array | undefined,
	postId: SQLWrapper,
	steps: number,
): SQL<number> {
	if (!vector) return sql<number>`0`;
	const wanted = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
	return sql<number>`coalesce((select cast(max(0, round(${steps} * (1 - vector_distance_cos(vector, ${wanted})))) as integer)
		from meanings where basis = ${CURRENT}
			and article_id = (select id from rendered_posts where post_id = ${postId})), 0)`;
}
