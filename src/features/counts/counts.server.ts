import { desc, eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { postCounts, posts } from '#db/schema.ts';
import { LIMITS, type PostSummary } from '#src/features/posts/post.ts';
import { dated, isPublic, newestFirst, selectSummaries } from '#src/features/posts/posts.server.ts';
import { DAY } from '#src/lib/dates.ts';

/** A view loses half its weight in this many days. */
const HALF_LIFE_DAYS = 7;
const WINDOW_DAYS = 8 * HALF_LIFE_DAYS;
/** What a view of so many days ago weighs, as SQL reads it: the embedded SQLite has no power function. */
const WEIGHTS = JSON.stringify(
	Array.from({ length: WINDOW_DAYS }, (_, age) => 0.5 ** (age / HALF_LIFE_DAYS)),
);

/** Views of each post, with a time decay: what makes it trend. Posts without views have no row. */
function selectScores(db: Db, now: Date) {
	const today = Math.floor(now.getTime() / DAY);
	return db
		.select({
			postId: postCounts.postId,
			score: sql<number>`sum(${postCounts.views} * weights.value)`.as('score'),
		})
		.from(postCounts)
		.innerJoin(
			sql`json_each(${WEIGHTS}) as weights`,
			sql`weights.key = ${today} - ${postCounts.day}`,
		)
		.where(sql`${postCounts.day} > ${today - WINDOW_DAYS}`)
		.groupBy(postCounts.postId);
}

/** The score of each post that has views, by its id. */
export async function trendingScores(db: Db, now: Date): Promise<Map<string, number>> {
	return new Map((await selectScores(db, now)).map(({ postId, score }) => [postId, score]));
}

/** Public posts by views with a time decay, the newest first among equals. */
export async function listTrending(db: Db, now: Date): Promise<PostSummary[]> {
	const scores = selectScores(db, now).as('scores');
	const rows = await selectSummaries(db)
		.leftJoin(scores, eq(scores.postId, posts.id))
		.where(isPublic(now))
		.orderBy(desc(sql`coalesce(${scores.score}, 0)`), ...newestFirst)
		.limit(LIMITS.trending);
	return rows.map(dated);
}

/** Public posts by shares, the newest first among equals. */
export async function listMostShared(db: Db, now: Date): Promise<PostSummary[]> {
	const shares = db
		.select({
			postId: postCounts.postId,
			total: sql<number>`sum(${postCounts.shares})`.as('total'),
		})
		.from(postCounts)
		.groupBy(postCounts.postId)
		.as('shares');
	const rows = await selectSummaries(db)
		.leftJoin(shares, eq(shares.postId, posts.id))
		.where(isPublic(now))
		.orderBy(desc(sql`coalesce(${shares.total}, 0)`), ...newestFirst)
		.limit(LIMITS.mostShared);
	return rows.map(dated);
}
