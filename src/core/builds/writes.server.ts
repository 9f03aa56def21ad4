import { gt, inArray, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { changedPosts } from '#db/schema.ts';
import { asText } from '#db/tolerant.ts';

/** Posts of which something that pages show was written after a certain write. */
export type Writes = { since: number; ids: ReadonlySet<string> };

/** A place in the writes to posts, up to which somebody knows them. */
export class WriteCursor {
	#at: number | undefined;

	/**
	 * Returns the posts that were written to since it was moved, or undefined where that is not known, and `move`, which moves
	 * it to the last of these writes: once they are dealt with. What is written from now on will be among the next ones.
	 */
	async next(db: Db): Promise<{ writes: Writes | undefined; move: () => void }> {
		const since = this.#at;
		const last = await lastWrite(db);
		const move = () => void (this.#at = last);
		if (since === undefined || last < since) return { writes: undefined, move };
		const rows = await db
			.select({ id: asText(changedPosts.postId) })
			.from(changedPosts)
			.where(gt(changedPosts.write, since));
		return { writes: { since, ids: new Set(rows.map(({ id }) => id)) }, move };
	}
}

async function lastWrite(db: Db): Promise<number> {
	const [row] = await db
		.select({ last: sql<number>`coalesce(max(${changedPosts.write}), 0)` })
		.from(changedPosts);
	return row!.last;
}

/** So few posts are named one by one: SQLite expects a subquery to find many, and rather looks through all posts. */
const FEW = 8;

/** Returns the condition for posts that were written to; none where any may have been. */
export function isWritten(postId: SQLWrapper, writes: Writes | undefined): SQL | undefined {
	if (!writes) return undefined;
	return writes.ids.size <= FEW
		? inArray(postId, [...writes.ids])
		: sql`${postId} in (select post_id from changed_posts where write > ${writes.since})`;
}
