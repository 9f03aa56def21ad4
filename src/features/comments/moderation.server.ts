import {
	and,
	asc,
	desc,
	eq,
	gt,
	inArray,
	isNotNull,
	isNull,
	lte,
	sql,
	type SQL,
} from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { everyWord, holdsWord } from '#db/like.ts';
import { comments, posts } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { deleteInPieces } from '#src/core/batches.server.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import { requestBuild } from '#src/core/builds/builds.server.ts';
import { settingColumn } from '#src/core/settings/settings.server.ts';
import { asIs, changeOfRows, oldestUndoable, recordUndoable } from '#src/core/undo/undo.server.ts';
import { PAGE_ROWS, pageWithin, parseSort, type Paged } from '#src/lib/paging.ts';
import { AppError } from '#src/lib/errors.ts';
import { plural } from '#src/lib/text.ts';
import { site } from '#src/site.ts';
import { toCommentView, type CommentView } from './comment.ts';
import { noticeOfReplies, noticesOfApproval } from './notices.server.ts';
import type { CommentsQuery, CommentState, ModeratedComment } from './moderation.ts';

/**
 * Returns an SQL expression: whether a new comment is published at once, depending on the setting. `hold-first`
 * requires an approved comment by the same address from the same browser: `known` is the JSON list of the
 * browser's comments, which it cannot forge. An address alone proves nothing, because anyone can type it.
 */
export const isApprovedAtOnce = (email: unknown, known: unknown): SQL =>
	sql`case ${settingColumn('comments')}
	when '"hold-all"' then 0
	when '"hold-first"' then exists (select 1 from comments known where known.email = ${email} and known.approved
		and known.id in (select value from json_each(${known})))
	else 1 end`;

const STATE = sql<CommentState>`case when ${comments.approved} then 'visible'
	when ${comments.reviewedAt} is null then 'waiting' else 'hidden' end`;

const inState: Record<CommentState, SQL> = {
	visible: eq(comments.approved, true),
	waiting: and(eq(comments.approved, false), isNull(comments.reviewedAt))!,
	hidden: and(eq(comments.approved, false), isNotNull(comments.reviewedAt))!,
};

const SORTS = { created: comments.createdAt, author: sql`lower(${comments.author})` };

const listedColumns = tolerant({
	id: comments.id,
	author: comments.author,
	email: comments.email,
	content: comments.content,
	createdAt: comments.createdAt,
	parentId: comments.parentId,
	byOwner: comments.byOwner,
	pinnedAt: comments.pinnedAt,
	editedAt: comments.editedAt,
	earlier: comments.earlier,
});

/** Returns how many comments readers have written since a time. */
export const countNewComments = (db: Db, since: Date): Promise<number> =>
	db.$count(
		comments,
		and(gt(comments.createdAt, since), eq(comments.byOwner, false), isNull(comments.deletedAt)),
	);

/** Returns a page of comments. Every word of `q` must occur in the author's name or address, or in the text. */
export async function listAllComments(
	db: Db,
	{ page, sort, q, state, answer, post }: CommentsQuery,
): Promise<Paged<ModeratedComment> & { counts: Record<CommentState, number> }> {
	const { key, descending } = parseSort(sort);
	const direction = descending ? desc : asc;
	const matches = and(
		isNull(comments.deletedAt),
		state && inState[state],
		answer ? eq(comments.id, answer) : undefined,
		post ? eq(comments.postId, post) : undefined,
		everyWord(q, (word) =>
			holdsWord(
				sql`${comments.author} || char(10) || ${comments.email} || char(10) || ${comments.content}`,
				word,
			),
		),
	);
	const total = await db.$count(comments, matches);
	const shown = pageWithin(page, total);
	const [rows, counts] = await Promise.all([
		db
			.select({
				...listedColumns,
				answers: sql<
					string | null
				>`(select parent.author from comments parent where parent.id = ${comments.parentId})`,
				state: STATE,
				post: tolerant({ id: posts.id, title: posts.title, slug: posts.slug }),
			})
			.from(comments)
			.innerJoin(posts, eq(posts.id, comments.postId))
			.where(matches)
			.orderBy(direction(SORTS[key]), direction(comments.id))
			.limit(PAGE_ROWS)
			.offset((shown - 1) * PAGE_ROWS),
		db
			.select({ state: STATE, count: sql<number>`count(*)` })
			.from(comments)
			.where(isNull(comments.deletedAt))
			.groupBy(STATE),
	]);
	return {
		rows: rows.map(({ parentId, pinnedAt, editedAt, createdAt, ...row }) => ({
			...row,
			isReply: parentId !== null,
			pinned: pinnedAt !== null,
			editedAt: editedAt?.toISOString() ?? null,
			createdAt: createdAt.toISOString(),
		})),
		total,
		page: shown,
		pageSize: PAGE_ROWS,
		counts: {
			waiting: 0,
			visible: 0,
			hidden: 0,
			...Object.fromEntries(counts.map(({ state, count }) => [state, count])),
		},
	};
}

/** Posts whose pages a change of comments affects. */
export type TouchedPosts = { postIds: string[] };

const ACTIONS: Record<CommentState, string> = {
	visible: 'approved comments',
	hidden: 'hid comments',
	waiting: 'put comments back to waiting',
};

/** Changes the state of comments. Those already in that state stay as they are. */
export async function decideComments(
	db: Db,
	{ ids, state }: { ids: string[]; state: CommentState },
	actor: string,
	now: Date,
): Promise<{ before: Record<string, CommentState> } & TouchedPosts> {
	const rows = await db
		.select({ id: comments.id, postId: comments.postId, state: STATE })
		.from(comments)
		.where(and(inArray(comments.id, ids), isNull(comments.deletedAt)));
	const changed = rows.filter((row) => row.state !== state);
	const waiting = changed.filter((row) => row.state === 'waiting').map(({ id }) => id);
	if (changed.length > 0) {
		await db.batch([
			db
				.update(comments)
				.set({
					approved: state === 'visible',
					reviewedAt: state === 'waiting' ? null : now,
					updatedAt: now,
				})
				.where(
					inArray(
						comments.id,
						changed.map(({ id }) => id),
					),
				),
			auditStatement(db, { actor, action: ACTIONS[state], ...auditSubject(changed) }, now),
			...rebuildIfVisible(db, changed, now),
			...(state === 'visible' ? noticesOfApproval(db, waiting, now) : []),
		]);
	}
	return {
		before: Object.fromEntries(changed.map((row) => [row.id, row.state])),
		postIds: postsOf(changed),
	};
}

/** Stores the owner's answer to a comment, which is approved with it. */
export async function replyAsOwner(
	db: Db,
	{ parentId, content }: { parentId: string; content: string },
	actor: string,
	now: Date,
): Promise<{ comment: CommentView } & TouchedPosts> {
	const [parent] = await db
		.select()
		.from(comments)
		.where(and(eq(comments.id, parentId), isNull(comments.deletedAt)));
	if (!parent) throw new AppError('not_found', 'This comment does not exist any more.');
	const id = crypto.randomUUID();
	await db.batch([
		db.insert(comments).values({
			id,
			postId: parent.postId,
			parentId: parent.parentId ?? parent.id,
			author: site.author,
			email: '',
			content,
			byOwner: true,
			createdAt: now,
			updatedAt: now,
		}),
		db
			.update(comments)
			.set({ approved: true, reviewedAt: now, updatedAt: now })
			.where(and(eq(comments.id, parentId), eq(comments.approved, false))),
		noticeOfReplies(db, [id], now),
		auditStatement(
			db,
			{
				actor,
				action: 'answered a comment',
				subject: `comment ${parentId}`,
				detail: parent.author,
			},
			now,
		),
	]);
	const [row] = await db.select().from(comments).where(eq(comments.id, id));
	return { comment: toCommentView(row!), postIds: [parent.postId] };
}

/** Pins a comment instead of the one of its post that was, or unpins it. Returns the ids of the one that is and of the one that was. */
export async function pinComment(
	db: Db,
	{ id, pinned }: { id: string; pinned: boolean },
	actor: string,
	now: Date,
): Promise<{ pinned: string | null; before: string | null } & TouchedPosts> {
	const [comment] = await db
		.select()
		.from(comments)
		.where(and(eq(comments.id, id), eq(comments.approved, true), isNull(comments.parentId)));
	if (!comment)
		throw new AppError('conflict', 'Only a visible comment that answers none can be pinned.');
	const { postId } = comment;
	const [before] = await db
		.select({ id: comments.id })
		.from(comments)
		.where(and(eq(comments.postId, postId), isNotNull(comments.pinnedAt)));
	await db.batch([
		db
			.update(comments)
			.set({ pinnedAt: null, updatedAt: now })
			.where(and(eq(comments.postId, postId), isNotNull(comments.pinnedAt))),
		db
			.update(comments)
			.set({ pinnedAt: pinned ? now : null, updatedAt: now })
			.where(eq(comments.id, id)),
		auditStatement(
			db,
			{
				actor,
				action: pinned ? 'pinned a comment' : 'unpinned a comment',
				subject: `comment ${id}`,
				detail: comment.author,
			},
			now,
		),
	]);
	return { pinned: pinned ? id : null, before: before?.id ?? null, postIds: [postId] };
}

/** Deletes comments: nobody sees them any more. They can be restored for 30 days by `undo`, null if there were none. */
export async function deleteComments(
	db: Db,
	ids: string[],
	actor: string,
	now: Date,
): Promise<{ deleted: number; undo: string | null } & TouchedPosts> {
	const chosen = and(inArray(comments.id, ids), isNull(comments.deletedAt));
	const rows = await db
		.select({ id: comments.id, postId: comments.postId, state: STATE })
		.from(comments)
		.where(chosen);
	if (rows.length === 0) return { deleted: 0, undo: null, postIds: [] };
	const token = crypto.randomUUID();
	const before = asIs('approved', 'deleted_at');
	const after = { approved: sql`0`, deleted_at: sql`${now.getTime()}` };
	const change = changeOfRows(
		'comments',
		asIs('id'),
		before,
		after,
		sql`from comments where ${chosen}`,
	);
	const event = { actor, action: 'deleted' as const, ...auditSubject(rows) };
	const builds = rows.some(({ state }) => state === 'visible');
	await db.batch([
		...recordUndoable(db, { token, event, changes: [change], builds }, now),
		db.update(comments).set({ approved: false, deletedAt: now }).where(chosen),
		...rebuildIfVisible(db, rows, now),
	]);
	return { deleted: rows.length, undo: token, postIds: postsOf(rows) };
}

/** Erases what was deleted so long ago that it can no longer be restored. */
export async function purgeDeletedComments(db: Db, now: Date): Promise<void> {
	await deleteInPieces(db, comments, lte(comments.deletedAt, oldestUndoable(now)));
}

/**
 * Requests a build if public comments were removed, because the prebuilt pages contain them. New comments are
 * added by the next build.
 */
function rebuildIfVisible(db: Db, rows: { state: string }[], now: Date) {
	return rows.some(({ state }) => state === 'visible')
		? requestBuild(db, 'comments were removed', now)
		: [];
}

const postsOf = (rows: { postId: string }[]) => [...new Set(rows.map(({ postId }) => postId))];

function auditSubject(rows: { id: string }[]): { subject: string; detail: string } {
	return { subject: `comment ${rows[0]!.id}`, detail: plural(rows.length, 'comment') };
}
