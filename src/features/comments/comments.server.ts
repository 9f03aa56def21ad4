import { and, desc, eq, gt, isNull, lt, ne, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { comments, letters, posts } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { inPieces, nextTurn } from '#src/core/batches.server.ts';
import { recordErasure } from '#src/core/builds/builds.server.ts';
import { isReadable } from '#src/core/builds/rows.server.ts';
import {
	commentsPerEmail,
	consumeAttempt,
	editsPerComment,
} from '#src/core/limits/limits.server.ts';
import { isPublic } from '#src/features/posts/posts.server.ts';
import { RETENTION_DAYS } from '#src/core/retention.ts';
import type { Settings } from '#src/core/settings/setting.ts';
import { getSettings } from '#src/core/settings/settings.server.ts';
import { DAY } from '#src/lib/dates.ts';
import { getSecret } from '#src/lib/env.ts';
import { AppError, invalid } from '#src/lib/errors.ts';
import {
	EDIT_MS,
	findSpam,
	refusalOfName,
	toCommentView,
	type CommentInput,
	type CommentView,
	type PostedComment,
} from './comment.ts';
import { isApprovedAtOnce } from './moderation.server.ts';
import { noticesOf, noticesOfEdit } from './notices.server.ts';

/**
 * Stores a comment on a public post; an answer to an answer belongs to the same comment. Throws if what it answers is
 * gone, or if its author has just posted too many there. `known` are the ids of earlier comments from the same browser.
 */
export async function createComment(
	db: Db,
	input: CommentInput,
	known: string[],
	now: Date,
): Promise<PostedComment> {
	const { postId, author, email, content, notify = false, letter = '' } = input;
	const parentId = input.parentId || null;
	const settings = await getSettings(db);
	refuseSpam(content, settings);
	const inName = refusalOfName(author);
	if (inName) throw invalid({ author: inName });
	await consumeAttempt(db, commentsPerEmail, getSecret(), `${email} ${postId}`, now).catch(
		rethrowTooMany,
	);
	const id = crypto.randomUUID();
	const at = now.getTime();
	const isBlocked = settings.blocked.some((one) => one === email || one === author.toLowerCase());
	const approved = isBlocked ? sql`0` : isApprovedAtOnce(email, JSON.stringify(known));
	const [[row]] = await db.batch([
		db
			.insert(comments)
			.select(
				sql`select ${id}, ${posts.id}, ${author}, ${email}, ${content},
					${approved}, ${isBlocked ? at : null}, null, coalesce(parent.parent_id, parent.id),
					0, null, null, ${notify ? 1 : 0}, '[]', ${at}, ${at}
					from ${posts} left join ${comments} parent
						on parent.id = ${parentId} and parent.post_id = ${posts.id} and parent.approved
					where ${posts.id} = ${postId} and ${isPublic(now)}
					and (parent.id is not null or ${parentId} is null)`,
			)
			.returning(),
		// Only for a comment that the statement before stored.
		...(letter
			? [
					db
						.update(letters)
						.set({ comments: sql`${letters.comments} + 1` })
						.where(and(eq(letters.id, letter), sql`changes() = 1`)),
				]
			: []),
		...(isBlocked ? [] : noticesOf(db, id, settings.commentMails, now)),
	]);
	if (row) return toPosted(row);
	const post = parentId && (await db.$count(posts, and(eq(posts.id, postId), isPublic(now))));
	throw new AppError('not_found', post ? GONE : 'This article does not exist any more.');
}

const GONE =
	'The comment that you answer is not there any more. Yours can stand on its own: post it as a new comment.';

function refuseSpam(content: string, { refusedWords }: Settings): void {
	const reason = findSpam(content, refusedWords);
	if (reason) throw invalid({ content: reason });
}

/** Comments of this browser that are new enough to be changed by it. */
const isOwnRecent = (id: string, known: readonly string[], now: Date) =>
	and(
		eq(comments.id, known.includes(id) ? id : ''),
		eq(comments.byOwner, false),
		isNull(comments.deletedAt),
		gt(comments.createdAt, new Date(now.getTime() - EDIT_MS)),
	);

const NOT_YOURS = 'A comment can be changed for 15 minutes, in the browser that wrote it.';

/** Changes a comment of this browser. Where comments are held first, the new text is held as well. */
export async function editComment(
	db: Db,
	{ id, content }: { id: string; content: string },
	known: string[],
	now: Date,
): Promise<{ comment: PostedComment; postId: string }> {
	const settings = await getSettings(db);
	refuseSpam(content, settings);
	if (!known.includes(id)) throw new AppError('forbidden', NOT_YOURS);
	await consumeAttempt(db, editsPerComment, getSecret(), id, now);
	const stays = sql`(${comments.approved} and ${isApprovedAtOnce(comments.email, JSON.stringify(known))})`;
	const [[row]] = await db.batch([
		db
			.update(comments)
			.set({
				earlier: sql`json_insert(${comments.earlier}, '$[#]', ${comments.content})`,
				content,
				editedAt: now,
				approved: stays,
				reviewedAt: sql`case when ${comments.approved} and not ${stays} then null else ${comments.reviewedAt} end`,
				updatedAt: now,
			})
			.where(isOwnRecent(id, known, now))
			.returning(),
		...noticesOfEdit(db, id, settings.commentMails, now),
	]);
	if (!row) throw new AppError('forbidden', NOT_YOURS);
	// The built page still shows what it said before.
	if (!row.approved) await recordErasure(db, now);
	return { comment: toPosted(row), postId: row.postId };
}

/** Erases a comment of this browser. Answers to it stay. Returns its post. */
export async function withdrawComment(
	db: Db,
	id: string,
	known: string[],
	now: Date,
): Promise<{ postId: string }> {
	const [row] = await db
		.delete(comments)
		.where(isOwnRecent(id, known, now))
		.returning();
	if (!row) throw new AppError('forbidden', NOT_YOURS);
	await recordErasure(db, now);
	return { postId: row.postId };
}

const toPosted = (row: typeof comments.$inferSelect): PostedComment =>
	row.approved ? toCommentView(row) : { ...toCommentView(row), waits: true };

/** The limit for one person on one post has its own message (product.md section 5). */
function rethrowTooMany(error: unknown): never {
	if (!(error instanceof AppError) || error.code !== 'rate_limited') throw error;
	const { code, retryAfter } = error;
	throw new AppError(code, 'Please wait a few minutes before posting another comment.', {
		retryAfter,
	});
}

/** Comments that the public sees: approved ones that answer nothing or a comment that it sees. */
export const isShown = and(
	eq(comments.approved, true),
	sql`not exists (select 1 from comments parent where parent.id = ${comments.parentId} and not parent.approved)`,
)!;

/** Comments that are read between two turns. */
const PIECE = 200;

/** Returns the shown comments of a public post, newest first. */
export async function listComments(db: Db, postId: string, now: Date): Promise<CommentView[]> {
	const all: CommentView[] = [];
	for (let place: string | undefined; ;) {
		const piece = await readComments(db, { postId, place, limit: PIECE }, now);
		all.push(...piece);
		if (piece.length < PIECE) return all;
		const { createdAt, id } = piece.at(-1)!;
		place = `${createdAt}/${id}`;
		await nextTurn();
	}
}

/**
 * Returns as many shown comments of a public post, newest first: the pinned one and the newest, or those before a place, among
 * which the pinned one is not again.
 */
export async function pageComments(
	db: Db,
	postId: string,
	{ limit, before: place }: { limit: number; before?: string | undefined },
	now: Date,
): Promise<CommentView[]> {
	if (place !== undefined)
		return readComments(db, { postId, place, limit, and: sql`pinned_at is null` }, now);
	const pinned = await readComments(
		db,
		{ postId, place, limit, and: sql`pinned_at is not null` },
		now,
	);
	const rest = { postId, place, limit: limit - pinned.length, and: sql`pinned_at is null` };
	return [...pinned, ...(await readComments(db, rest, now))];
}

async function readComments(
	db: Db,
	{
		postId,
		place,
		limit,
		and: which,
	}: { postId: string; place: string | undefined; limit: number; and?: SQL },
	now: Date,
): Promise<CommentView[]> {
	const [time = '', id = ''] = place?.split('/') ?? [];
	const isBefore =
		place && sql`(${comments.createdAt}, ${comments.id}) < (${Date.parse(time)}, ${id})`;
	const rows = await db
		.select({ comment: tolerant(comments) })
		.from(comments)
		.innerJoin(posts, and(eq(posts.id, comments.postId), isPublic(now)))
		.where(
			and(
				...[eq(comments.postId, postId), isShown, isReadable('comment row', comments.id)],
				...[isBefore || undefined, which],
			),
		)
		.orderBy(desc(comments.createdAt), desc(comments.id))
		.limit(limit);
	return rows.map((row) => toCommentView(row.comment));
}

/** Removes the email address from old comments; name and text stay. */
export async function pruneCommentAddresses(db: Db, now: Date): Promise<void> {
	const oldest = new Date(now.getTime() - RETENTION_DAYS.commentAddresses * DAY);
	const isOld = and(lt(comments.createdAt, oldest), ne(comments.email, ''))!;
	await inPieces(db, comments, isOld, (rows) => db.update(comments).set({ email: '' }).where(rows));
}
