import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { and, eq, sql } from 'drizzle-orm';
import { readingBeside, type Db } from '#db/client.ts';
import { categories, posts } from '#db/schema.ts';
import { among, nextTurn } from '#src/core/batches.server.ts';
import { SECOND } from '#src/lib/dates.ts';
import { isPublic, newestFirst, selectSummaries, withIsoDate } from './posts.server.ts';

/** All public posts of the site or of a category as JSON, newest first, ready to send. */
export type WholeList = {
	count: number;
	json: Buffer;
	gzipped: () => Promise<Buffer>;
	tag: string;
};

type Kept = { made: Promise<WholeList>; of: string; until: number };

/** Posts that are read between two turns. */
const PIECE = 250;
/** How long views and shares of a list may be behind. All else is as it is now. */
const MAX_AGE_MS = 10 * SECOND;

const lists = new WeakMap<Db, Map<string, Kept>>();

/**
 * Returns the list of all public posts, or of those of a category that exists. It is made once for all who ask, in pieces between which
 * everything else gets a turn, and again when something in it changed.
 */
export async function wholeList(db: Db, now: Date, category?: string): Promise<WholeList> {
	const kept = lists.get(db) ?? new Map<string, Kept>();
	lists.set(db, kept);
	const key = category === undefined ? 'all' : `of ${category}`;
	const { of, nextAt } = await listState(db, now);
	const found = kept.get(key);
	if (found?.of === of && now.getTime() < found.until && now.getTime() >= found.until - MAX_AGE_MS)
		return found.made;
	const until = Math.min(now.getTime() + MAX_AGE_MS, nextAt ?? Infinity);
	const made = readingBeside(() => makeList(db, now, category));
	// All categories together have each post once, so that what is kept is twice the site's list at most.
	for (const [other, list] of kept) if (list.of !== of) kept.delete(other);
	kept.set(key, { made, of, until });
	made.catch(() => kept.delete(key));
	return made;
}

/** Returns what a list is made of, in a few words that change with it, and when the next scheduled post becomes public. */
export async function listState(db: Db, now: Date): Promise<{ of: string; nextAt: number | null }> {
	const [state] = await db.all<{ of: string; nextAt: number | null }>(sql`select
		(select coalesce(max(write), 0) from changed_posts) || ' ' || (select count(*) from content_problems)
			|| ' ' || coalesce((select group_concat(id || slug || name) from categories), '') as of,
		(select min(published_at) from posts where published = 1 and published_at > ${now.getTime()}) as nextAt`);
	return state!;
}

async function makeList(db: Db, now: Date, category?: string): Promise<WholeList> {
	const rows = await db
		.select({ id: posts.id })
		.from(posts)
		.innerJoin(categories, eq(categories.id, posts.categoryId))
		.where(and(isPublic(now), category === undefined ? undefined : eq(categories.slug, category)))
		.orderBy(...newestFirst);
	const parts: string[] = [];
	for (let from = 0; from < rows.length; from += PIECE) {
		await nextTurn();
		const ids = rows.slice(from, from + PIECE).map(({ id }) => id);
		// What ceased to be public since is left out.
		const summaries = await selectSummaries(db)
			.where(and(sql`${posts.id} in ${among(ids)}`, isPublic(now)))
			.orderBy(...newestFirst);
		parts.push(...summaries.map((row) => JSON.stringify(withIsoDate(row))));
	}
	const json = Buffer.from(`[${parts.join()}]`);
	let gzipped: Promise<Buffer> | undefined;
	return {
		count: parts.length,
		json,
		gzipped: () => (gzipped ??= promisify(gzip)(json)),
		tag: `W/"${hash('sha1', json, 'base64url')}"`,
	};
}
