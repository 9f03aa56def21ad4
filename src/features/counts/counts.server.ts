import { and, desc, eq, lte, sql } from 'drizzle-orm';
import { isbot } from 'isbot';
import type { Db } from '#db/client.ts';
import { countedVisits, postCounts, posts } from '#db/schema.ts';
import { LIMITS, type PostSummary } from '#src/features/posts/post.ts';
import { dated, isPublic, newestFirst, selectSummaries } from '#src/features/posts/posts.server.ts';
import { KEPT_DAYS } from '#src/features/privacy/retention.ts';
import { DAY } from '#src/lib/dates.ts';
import { keyedHash } from '#src/lib/digest.ts';

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
		// Crossed, so that SQLite takes one day after the other and not all days of each post.
		.from(sql`json_each(${WEIGHTS}) as weights`)
		.crossJoin(postCounts)
		.where(sql`${postCounts.day} = ${today} - weights.key`)
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

type Event = { postId: string; kind: 'view' | 'share' };
type Visitor = { ip: string; userAgent: string };

/**
 * Counts a view or a share of a public post: once for each visitor and UTC day, and never for a bot. Who it was is kept
 * as a hash that another day makes anew. Answers whether there is such a post.
 */
export async function countEvent(
	db: Db,
	{ postId, kind }: Event,
	{ ip, userAgent }: Visitor,
	secret: string,
	now: Date,
): Promise<boolean> {
	if ((await db.$count(posts, and(eq(posts.id, postId), isPublic(now)))) === 0) return false;
	if (!userAgent || isbot(userAgent)) return true;
	const day = Math.floor(now.getTime() / DAY);
	const key = keyedHash(secret, 'visit', String(day), ip, userAgent, postId, kind);
	const [views, shares] = kind === 'view' ? [1, 0] : [0, 1];
	await db.batch([
		db.insert(countedVisits).values({ key, day }).onConflictDoNothing(),
		// Only where the visit was new: the statement before this one changed a row.
		db
			.insert(postCounts)
			.select(sql`select ${postId}, ${day}, ${views}, ${shares} where changes() = 1`)
			.onConflictDoUpdate({
				target: [postCounts.postId, postCounts.day],
				set: {
					views: sql`${postCounts.views} + ${views}`,
					shares: sql`${postCounts.shares} + ${shares}`,
				},
			}),
	]);
	return true;
}

/** Forgets who was counted once their day is over everywhere. */
export async function pruneVisits(db: Db, now: Date): Promise<void> {
	const today = Math.floor(now.getTime() / DAY);
	await db.delete(countedVisits).where(lte(countedVisits.day, today - KEPT_DAYS.visits));
}
