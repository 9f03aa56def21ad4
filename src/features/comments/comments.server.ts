import { and, desc, eq, lt, ne, sql } from 'drizzle-orm';
import { prepared, type Db } from '#db/client.ts';
import { comments, posts } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { isReadable } from '#src/core/builds/rows.server.ts';
import { commentsPerEmail, consumeAttempt } from '#src/core/limits/limits.server.ts';
import { isPublic } from '#src/features/posts/posts.server.ts';
import { RETENTION_DAYS } from '#src/core/retention.ts';
import { getSettings } from '#src/core/settings/settings.server.ts';
import { DAY } from '#src/lib/dates.ts';
import { getSecret } from '#src/lib/env.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { findSpam, type CommentInput, type CommentView, type PostedComment } from './comment.ts';
import { isApprovedAtOnce } from './moderation.server.ts';

const insertComment = prepared((db) => {
	const given = sql.placeholder;
	return db
		.insert(comments)
		.select(
			sql`select ${given('id')}, ${posts.id}, ${given('author')}, ${given('email')}, ${given('content')},
				${isApprovedAtOnce(given('email'), given('known'))}, null, null, ${given('now')}, ${given('now')} from ${posts}
				where ${posts.id} = ${given('postId')} and ${isPublic(given('now'))}`,
		)
		.returning()
		.prepare();
});

/**
 * Stores a comment on a public post. Throws if its author has just posted too many there. `known` are the ids
 * of earlier comments from the same browser.
 */
export async function createComment(
	db: Db,
	input: CommentInput,
	known: string[],
	now: Date,
): Promise<PostedComment> {
	const { postId, author, email, content } = input;
	const { refusedWords } = await getSettings(db);
	const reason = findSpam(content, refusedWords);
	if (reason)
		throw new AppError('validation', MESSAGES.validation, { fields: { content: reason } });
	await consumeAttempt(db, commentsPerEmail, getSecret(), `${email} ${postId}`, now).catch(
		rethrowTooMany,
	);
	const row = await insertComment(db).get({
		id: crypto.randomUUID(),
		postId,
		author,
		email,
		content,
		known: JSON.stringify(known),
		now: now.getTime(),
	});
	if (!row) throw missingPostError();
	return row.approved ? toCommentView(row) : { ...toCommentView(row), waits: true };
}

const missingPostError = () => new AppError('not_found', 'This article does not exist any more.');

/** The limit for one person on one post has its own message (product.md section 5). */
function rethrowTooMany(error: unknown): never {
	if (!(error instanceof AppError) || error.code !== 'rate_limited') throw error;
	const { code, retryAfter } = error;
	throw new AppError(code, 'Please wait a few minutes before posting another comment.', {
		retryAfter,
	});
}

/** Returns the approved comments of a public post, newest first. */
export async function listComments(db: Db, postId: string, now: Date): Promise<CommentView[]> {
	const rows = await db
		.select({ comment: tolerant(comments) })
		.from(comments)
		.innerJoin(posts, and(eq(posts.id, comments.postId), isPublic(now)))
		.where(
			and(
				eq(comments.postId, postId),
				eq(comments.approved, true),
				isReadable('comment row', comments.id),
			),
		)
		.orderBy(desc(comments.createdAt), desc(comments.id));
	return rows.map((row) => toCommentView(row.comment));
}

/** Returns what the public may see of a comment, which never includes the email address. */
export function toCommentView({
	id,
	author,
	content,
	createdAt,
}: typeof comments.$inferSelect): CommentView {
	return { id, author, content, createdAt: createdAt.toISOString() };
}

/** Removes the email address from old comments; name and text stay. */
export async function pruneCommentAddresses(db: Db, now: Date): Promise<void> {
	const oldest = new Date(now.getTime() - RETENTION_DAYS.commentAddresses * DAY);
	await db
		.update(comments)
		.set({ email: '' })
		.where(and(lt(comments.createdAt, oldest), ne(comments.email, '')));
}
