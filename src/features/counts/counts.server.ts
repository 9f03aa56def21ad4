import { and, desc, eq, gt, lte, notInArray, sql, type SQL } from 'drizzle-orm';
import { isbot } from 'isbot';
import type { Db } from '#db/client.ts';
import { countedVisits, letters, postCounts, posts, postTotals } from '#db/schema.ts';
import { deleteInPieces } from '#src/core/batches.server.ts';
import { LIMITS, type PostSummary } from '#src/features/posts/post.ts';
import {
	withIsoDate,
	isPublic,
	newestFirst,
	selectSummaries,
} from '#src/features/posts/posts.server.ts';
import { RETENTION_DAYS } from '#src/core/retention.ts';
import { DAY } from '#src/lib/dates.ts';
import { keyedHash } from '#src/lib/digest.ts';

/** Days after which a view has lost half its weight. */
const HALF_LIFE_DAYS = 7;
/** The day whose views weigh 1. SQLite's numbers can hold the weights of nineteen years before and after it. */
const HEAT_EPOCH_DAY = Date.UTC(2040, 0) / DAY;

/** Returns how much a view on this day adds to a post's heat. */
const viewWeight = (day: number) => 2 ** ((day - HEAT_EPOCH_DAY) / HALF_LIFE_DAYS);
/** Returns the day since 1970-01-01, in UTC. */
export const dayOf = (time: Date) => Math.floor(time.getTime() / DAY);

/** Returns the weighted views of each post as of today, to two decimals, by post id. */
export async function trendingScores(db: Db, now: Date): Promise<Map<string, number>> {
	const rows = await db
		.select({ postId: postTotals.postId, heat: postTotals.heat })
		.from(postTotals)
		.where(gt(postTotals.heat, 0));
	const today = viewWeight(dayOf(now));
	return new Map(rows.map(({ postId, heat }) => [postId, Math.round((heat / today) * 100) / 100]));
}

/** Returns public posts by time-weighted views, newest first among equals. */
export function listTrending(db: Db, now: Date): Promise<PostSummary[]> {
	return listBy(db, postTotals.heat, LIMITS.trending, now);
}

/** Returns public posts by shares, newest first among equals. */
export function listMostShared(db: Db, now: Date): Promise<PostSummary[]> {
	return listBy(db, postTotals.shares, LIMITS.mostShared, now);
}

type Total = typeof postTotals.heat | typeof postTotals.shares;

/** Returns counted posts first, then fills up with the newest others. */
async function listBy(db: Db, total: Total, limit: number, now: Date): Promise<PostSummary[]> {
	const first = await selectSummaries(db)
		.innerJoin(postTotals, eq(postTotals.postId, posts.id))
		.where(and(gt(total, 0), isPublic(now)))
		.orderBy(desc(total), ...newestFirst)
		.limit(limit);
	const known = first.map(({ id }) => id);
	const others = selectSummaries(db)
		.where(and(notInArray(posts.id, known), isPublic(now)))
		.orderBy(...newestFirst)
		.limit(limit - known.length);
	return [...first, ...(known.length < limit ? await others : [])].map(withIsoDate);
}

type Event = { postId: string; kind: 'view' | 'share'; letter?: string | undefined };
/** A visitor as a request shows one. `objects` if the browser asks not to be tracked. */
export type Visitor = { address: string; userAgent: string; objects: boolean };

/** Returns whether a visitor may be counted: no known bot, and nobody who objects. */
export const isCountable = ({ userAgent, objects }: Visitor) =>
	!objects && userAgent !== '' && !isbot(userAgent);

/**
 * Maximum number of browsers behind one address that count as separate visitors, because a User-Agent is easy
 * to fake.
 */
const BROWSERS_PER_ADDRESS = 8;

/** Returns what stands for a visitor on one day, and for what it did: a keyed hash, another one each day. */
export function visitorKey(
	secret: string,
	{ address, userAgent }: Visitor,
	day: number,
	...about: string[]
): string {
	const browser =
		Buffer.from(keyedHash(secret, 'browser', userAgent), 'base64url')[0]! % BROWSERS_PER_ADDRESS;
	return keyedHash(secret, 'visit', String(day), address, String(browser), ...about);
}

/**
 * Counts a view or a share of a public post: once per visitor and UTC day, and never for a bot. The visitor is
 * stored as a hash that changes every day. Returns whether the post exists.
 */
export async function countEvent(
	db: Db,
	{ postId, kind, letter }: Event,
	visitor: Visitor,
	secret: string,
	now: Date,
): Promise<boolean> {
	if ((await db.$count(posts, and(eq(posts.id, postId), isPublic(now)))) === 0) return false;
	if (!isCountable(visitor)) return true;
	const day = dayOf(now);
	const keyOf = (what: string) => visitorKey(secret, visitor, day, postId, what);
	const [views, shares] = kind === 'view' ? [1, 0] : [0, 1];
	await db.batch([
		db
			.insert(countedVisits)
			.values({ key: keyOf(kind), day })
			.onConflictDoNothing(),
		// Only for a new visit: the previous statement changed a row.
		...addCounts(db, { postId, day, views, shares }, sql`changes() = 1`),
		...(letter && kind === 'view' ? addReading(db, letter, keyOf(`letter ${letter}`), day) : []),
	]);
	return true;
}

/** Returns two statements for one batch: they count an article that was opened by a letter's link, once for each key. */
function addReading(db: Db, letter: string, key: string, day: number) {
	const isLetter = sql`exists (select 1 from ${letters} where ${letters.id} = ${letter})`;
	return [
		db
			.insert(countedVisits)
			.select(sql`select ${key}, ${day} where ${isLetter}`)
			.onConflictDoNothing(),
		db
			.update(letters)
			.set({ readings: sql`${letters.readings} + 1` })
			.where(and(eq(letters.id, letter), sql`changes() = 1`)),
	] as const;
}

type Counts = typeof postCounts.$inferSelect;

/** Returns two statements for one batch: they add to a post's counts of a day, and to its totals. */
export function addCounts(db: Db, { postId, day, views, shares }: Counts, where = sql`true`) {
	const heat = views * viewWeight(day);
	const counts = db
		.insert(postCounts)
		.select(sql`select ${postId}, ${day}, ${views}, ${shares} where ${where}`)
		.onConflictDoUpdate({
			target: [postCounts.postId, postCounts.day],
			set: {
				views: sql`${postCounts.views} + ${views}`,
				shares: sql`${postCounts.shares} + ${shares}`,
			},
		});
	const totals = db
		.insert(postTotals)
		.select(sql`select ${postId}, ${views}, ${shares}, ${heat} where changes() = 1`)
		.onConflictDoUpdate({
			target: postTotals.postId,
			set: {
				views: sql`${postTotals.views} + ${views}`,
				shares: sql`${postTotals.shares} + ${shares}`,
				heat: sql`${postTotals.heat} + ${heat}`,
			},
		});
	return [counts, totals] as const;
}

/** Returns two statements for one batch: they take back one view for each row (post_id, day) of `views`. */
export function retractViews(db: Db, views: SQL, day: number) {
	return [
		db.run(sql`update ${postCounts} set views = max(0, views - 1)
			where (post_id, day) in (${views})`),
		db.run(sql`update ${postTotals} set views = max(0, views - 1), heat = max(0, heat - ${viewWeight(day)})
			where post_id in (select post_id from (${views}))`),
	] as const;
}

/** Deletes the visitors' hashes once their day is over in every time zone. */
export async function pruneVisits(db: Db, now: Date): Promise<void> {
	const isOver = lte(countedVisits.day, dayOf(now) - RETENTION_DAYS.visits);
	await deleteInPieces(db, countedVisits, isOver);
}
