import { and, desc, eq, gt, lt, ne, sql } from 'drizzle-orm';
import { prepared, type Db } from '#db/client.ts';
import { comments, posts } from '#db/schema.ts';
import { isPublic } from '#src/features/posts/posts.server.ts';
import { KEPT_DAYS } from '#src/features/privacy/retention.ts';
import { DAY, MINUTE } from '#src/lib/dates.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import {
	isSpam,
	SPAM,
	type CommentInput,
	type CommentView,
	type PostedComment,
} from './comment.ts';
import { isApprovedAtOnce } from './moderation.server.ts';

const LIMIT = 3;
const WINDOW_MS = 10 * MINUTE;

const insertComment = prepared((db) => {
	const given = sql.placeholder;
	const recent = db
		.select({ count: sql`count(*)` })
		.from(comments)
		.where(
			and(
				eq(comments.email, given('email')),
				eq(comments.postId, given('postId')),
				gt(comments.createdAt, given('since')),
			),
		);
	return db
		.insert(comments)
		.select(
			sql`select ${given('id')}, ${posts.id}, ${given('author')}, ${given('email')}, ${given('content')},
				${isApprovedAtOnce(given('email'))}, null, ${given('now')}, ${given('now')} from ${posts}
				where ${posts.id} = ${given('postId')} and ${isPublic(given('now'))} and (${recent}) < ${LIMIT}`,
		)
		.returning()
		.prepare();
});

/**
 * Stores a comment on a public post, unless its author has written too many on it just now.
 * Counting and storing are one statement, so that simultaneous comments cannot pass the limit together.
 */
export async function createComment(
	db: Db,
	input: CommentInput,
	now: Date,
): Promise<PostedComment> {
	const { postId, author, email, content } = input;
	if (isSpam(content)) {
		throw new AppError('validation', MESSAGES.validation, { fields: { content: SPAM } });
	}
	const row = await insertComment(db).get({
		id: crypto.randomUUID(),
		postId,
		author,
		email,
		content,
		now: now.getTime(),
		since: now.getTime() - WINDOW_MS,
	});
	if (row) return row.approved ? view(row) : { ...view(row), waits: true };
	const known = await db.$count(posts, and(eq(posts.id, postId), isPublic(now)));
	if (!known) throw new AppError('not_found', 'This article does not exist any more.');
	throw new AppError('rate_limited', 'Please wait a few minutes before posting another comment.', {
		retryAfter: WINDOW_MS / 1000,
	});
}

/** The approved comments of a public post, newest first. */
export async function listComments(db: Db, postId: string, now: Date): Promise<CommentView[]> {
	const rows = await db
		.select({ comment: comments })
		.from(comments)
		.innerJoin(posts, and(eq(posts.id, comments.postId), isPublic(now)))
		.where(and(eq(comments.postId, postId), eq(comments.approved, true)))
		.orderBy(desc(comments.createdAt), desc(comments.id));
	return rows.map((row) => view(row.comment));
}

/** What the public may see of a comment: never the email. */
export function view({
	id,
	author,
	content,
	createdAt,
}: typeof comments.$inferSelect): CommentView {
	return { id, author, content, createdAt: createdAt.toISOString() };
}

/** Takes the e-mail address from comments of long ago; name and text stay with the article. */
export async function pruneCommentAddresses(db: Db, now: Date): Promise<void> {
	const oldest = new Date(now.getTime() - KEPT_DAYS.commentAddresses * DAY);
	await db
		.update(comments)
		.set({ email: '' })
		.where(and(lt(comments.createdAt, oldest), ne(comments.email, '')));
}
