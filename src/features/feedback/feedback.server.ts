import { and, desc, eq, inArray, lt, ne, or, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { feedback, posts, visitSums } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { deleteInPieces } from '#src/core/batches.server.ts';
import { consumeAttempt, feedbackInAll } from '#src/core/limits/limits.server.ts';
import { RETENTION_DAYS, UNDO_DAYS } from '#src/core/retention.ts';
import { getSettings } from '#src/core/settings/settings.server.ts';
import { findSpam } from '#src/features/comments/comment.ts';
import { isPublic } from '#src/features/posts/posts.server.ts';
import { DAY } from '#src/lib/dates.ts';
import { getSecret } from '#src/lib/env.ts';
import { AppError, invalid } from '#src/lib/errors.ts';
import { site } from '#src/site.ts';
import type { ArticleFeedback, FeedbackInput, FeedbackState } from './feedback.ts';

/** Words that the desk lists, newest first. */
const SHOWN = 200;

/**
 * Stores the words of an answer; sent twice, they are stored once. Throws where nobody is asked, where the article is gone,
 * and for what no comment may hold.
 */
export async function storeFeedback(
	db: Db,
	{ postId, answer, words }: FeedbackInput,
	now: Date,
): Promise<{ success: true }> {
	const isThere = and(eq(posts.id, postId), isPublic(now));
	if (!site.asksReaders || (await db.$count(posts, isThere)) === 0)
		throw new AppError('not_found', 'This article asks no question any more.');
	if (!words) return { success: true };
	const { refusedWords } = await getSettings(db);
	if (findSpam(words, refusedWords)) throw invalid({ words: REFUSED });
	await consumeAttempt(db, feedbackInAll, getSecret(), 'all', now);
	const at = now.getTime();
	await db.insert(feedback).select(
		sql`select ${crypto.randomUUID()}, ${posts.id}, ${answer ?? null}, ${words}, 'open', null, ${at} from ${posts}
			where ${isThere} and not exists (
				select 1 from ${feedback} f where f.post_id = ${postId} and f.words = ${words})`,
	);
	return { success: true };
}
const REFUSED = 'This appears to be spam: leave out links, and words that are not published here';

/** Returns what readers answered, by article: those with the newest words first. */
export async function listFeedback(db: Db): Promise<ArticleFeedback[]> {
	const sum = (by: string) =>
		sql<number>`coalesce(sum(case when ${visitSums.by} = ${by} then ${visitSums.views} end), 0)`;
	const [words, counts] = await Promise.all([
		db
			.select(tolerant(feedback))
			.from(feedback)
			.where(ne(feedback.state, 'deleted'))
			.orderBy(desc(feedback.createdAt), desc(feedback.id))
			.limit(SHOWN),
		// Each day is in one block of days.
		db
			.select({ id: visitSums.key, answered: sum('answered'), yes: sum('helped') })
			.from(visitSums)
			.where(and(inArray(visitSums.by, ['answered', 'helped']), eq(visitSums.span, 'block')))
			.groupBy(visitSums.key),
	]);
	const wordsOf = Map.groupBy(words, ({ postId }) => postId);
	const countsOf = new Map(counts.map((row) => [row.id, row]));
	const ids = [...new Set([...wordsOf.keys(), ...countsOf.keys()])];
	const titles = await db
		.select(tolerant({ id: posts.id, title: posts.title }))
		.from(posts)
		.where(inArray(posts.id, ids));
	const titleOf = new Map(titles.map(({ id, title }) => [id, title]));
	return ids
		.filter((id) => titleOf.has(id))
		.map((id) => {
			const { answered = 0, yes = 0 } = countsOf.get(id) ?? {};
			return {
				...{ id, title: titleOf.get(id)!, yes, no: answered - yes },
				words: (wordsOf.get(id) ?? []).map(
					({ postId: _, stateAt: __, state, createdAt, ...row }) => ({
						...row,
						state: state === 'done' ? 'done' : 'open',
						createdAt: createdAt.toISOString(),
					}),
				),
			};
		});
}

/** Gives words another state. Returns null where there are none. */
export async function changeFeedback(
	db: Db,
	{ id, state }: { id: string; state: FeedbackState },
	now: Date,
): Promise<{ success: true } | null> {
	const [row] = await db
		.update(feedback)
		.set({ state, stateAt: now })
		.where(eq(feedback.id, id))
		.returning({ id: feedback.id });
	return row ? { success: true } : null;
}

/** Returns the words that hold an address, which their writer may ask to see or to erase. */
export async function feedbackNaming(db: Db, email: string) {
	const rows = await db
		.select(tolerant(feedback))
		.from(feedback)
		.where(sql`instr(lower(cast(${feedback.words} as text)), ${email}) > 0`)
		.orderBy(feedback.createdAt);
	// Not a longer address that ends or begins like it.
	const whole = new RegExp(`(?<![\\w.+-])${RegExp.escape(email)}(?![\\w-]|\\.\\w)`, 'i');
	return rows.filter(({ words }) => whole.test(words));
}

/** Erases old words, and those that were deleted too long ago to be opened again. */
export async function pruneFeedback(db: Db, now: Date): Promise<void> {
	const ago = (days: number) => new Date(now.getTime() - days * DAY);
	const isOver = or(
		lt(feedback.createdAt, ago(RETENTION_DAYS.feedback)),
		and(eq(feedback.state, 'deleted'), lt(feedback.stateAt, ago(UNDO_DAYS))),
	)!;
	await deleteInPieces(db, feedback, isOver);
}
