import { and, asc, desc, eq, inArray, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { everyWord } from '#db/like.ts';
import { comments, posts } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import { requestBuild } from '#src/core/builds/builds.server.ts';
import { settingColumn } from '#src/core/settings/settings.server.ts';
import { PAGE_ROWS, pageWithin, parseSort, type Paged } from '#src/lib/paging.ts';
import { plural } from '#src/lib/text.ts';
import type { CommentsQuery, CommentState, ModeratedComment, StoredComment } from './moderation.ts';

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
});

/** Returns a page of comments. Every word of `q` must occur in the author's name or address, or in the text. */
export async function listAllComments(
	db: Db,
	{ page, sort, q, state, post }: CommentsQuery,
): Promise<Paged<ModeratedComment> & { counts: Record<CommentState, number> }> {
	const { key, descending } = parseSort(sort);
	const direction = descending ? desc : asc;
	const matches = and(
		state && inState[state],
		post ? eq(comments.postId, post) : undefined,
		everyWord(
			q.toLowerCase(),
			(word) =>
				sql`instr(lower(${comments.author} || char(10) || ${comments.email} || char(10) || ${comments.content}), ${word}) > 0`,
		),
	);
	const total = await db.$count(comments, matches);
	const shown = pageWithin(page, total);
	const [rows, counts] = await Promise.all([
		db
			.select({
				...listedColumns,
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
			.groupBy(STATE),
	]);
	return {
		rows: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })),
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
		.where(inArray(comments.id, ids));
	const changed = rows.filter((row) => row.state !== state);
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
		]);
	}
	return {
		before: Object.fromEntries(changed.map((row) => [row.id, row.state])),
		postIds: postsOf(changed),
	};
}

/** Deletes comments permanently and returns them. */
export async function deleteComments(
	db: Db,
	ids: string[],
	actor: string,
	now: Date,
): Promise<{ deleted: StoredComment[] } & TouchedPosts> {
	const rows = await db.select(tolerant(comments)).from(comments).where(inArray(comments.id, ids));
	const seen = rows.map(({ approved }) => ({ state: approved ? 'visible' : 'hidden' }));
	if (rows.length > 0) {
		await db.batch([
			db.delete(comments).where(inArray(comments.id, ids)),
			auditStatement(db, { actor, action: 'deleted comments', ...auditSubject(rows) }, now),
			...rebuildIfVisible(db, seen, now),
		]);
	}
	return {
		deleted: rows.map((row) => ({
			...row,
			reviewedAt: row.reviewedAt?.toISOString() ?? null,
			createdAt: row.createdAt.toISOString(),
			updatedAt: row.updatedAt.toISOString(),
		})),
		postIds: postsOf(rows),
	};
}

/** Restores deleted comments, unless their post is gone or they exist. */
export async function restoreComments(
	db: Db,
	stored: StoredComment[],
	actor: string,
	now: Date,
): Promise<{ restored: number } & TouchedPosts> {
	const known = await db
		.select({ id: posts.id })
		.from(posts)
		.where(inArray(posts.id, postsOf(stored)));
	const ids = new Set(known.map(({ id }) => id));
	const rows = stored.filter(({ postId }) => ids.has(postId));
	if (rows.length === 0) return { restored: 0, postIds: [] };
	const values = rows.map((row) => ({
		...row,
		reviewedAt: row.reviewedAt ? new Date(row.reviewedAt) : null,
		createdAt: new Date(row.createdAt),
		updatedAt: new Date(row.updatedAt),
	}));
	const [inserted] = await db.batch([
		db.insert(comments).values(values).onConflictDoNothing().returning({ id: comments.id }),
		auditStatement(db, { actor, action: 'restored comments', ...auditSubject(rows) }, now),
	]);
	return { restored: inserted.length, postIds: postsOf(rows) };
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
