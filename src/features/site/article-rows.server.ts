import { and, asc, desc, eq, gt, lte, ne, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { comments, mentions, posts, postTags, postTotals, renderedPosts } from '#db/schema.ts';
import { isReadable } from '#src/core/builds/rows.server.ts';
import { isWritten, WriteCursor, type Writes } from '#src/core/builds/writes.server.ts';
import { isScheduledOrPublished } from '#src/core/posts/post-state.server.ts';
import { COMMENTS_PAGE, toCommentView, type CommentView } from '#src/features/comments/comment.ts';
import { isShown } from '#src/features/comments/comments.server.ts';
import type { Mention } from '#src/features/networks/networks.ts';
import type { ArticleChange } from '#src/features/posts/changes.ts';
import { listAllChanges } from '#src/features/posts/changes.server.ts';
import { newestFirst, pageColumns } from '#src/features/posts/posts.server.ts';

/** A post that is public or scheduled as it is stored: all that pages show, without its text. */
export type ArticleRow = {
	post: PostRow;
	rendering: { digest: string; words: number; marks: string; cover: string };
	/** In the post's own order. */
	tags: { id: string; position: number }[];
	/** Those that its page shows at once, newest first. */
	comments: CommentView[];
	/** Number of all that are shown. */
	commentCount: number;
	/** Newest first. */
	changes: ArticleChange[];
	shares: number;
	/** The posts at networks that tell of it. */
	mentions: Mention[];
};

type PostRow = Awaited<ReturnType<typeof selectPosts>>[number];

/** The rows of all articles, which are read again only where something was written to them. */
export class ArticleRows {
	readonly #rows = new Map<string, ArticleRow>();
	readonly #cursor = new WriteCursor();

	/** All rows, by id. */
	get all(): ReadonlyMap<string, ArticleRow> {
		return this.#rows;
	}

	/** Reads what changed. Returns all rows, by id: the same object where nothing was written. */
	async read(db: Db): Promise<ReadonlyMap<string, ArticleRow>> {
		const { writes, move } = await this.#cursor.next(db);
		const rows = writes?.ids.size === 0 ? [] : await readRows(db, writes);
		if (writes) for (const id of writes.ids) this.#rows.delete(id);
		else this.#rows.clear();
		for (const row of rows) this.#rows.set(row.post.id, row);
		move();
		return this.#rows;
	}
}

function selectPosts(db: Db, among: (id: SQLWrapper) => SQL | undefined) {
	return db
		.select({
			...pageColumns,
			id: posts.id,
			publishedAt: posts.publishedAt,
			updatedAt: posts.updatedAt,
			changedAt: posts.changedAt,
			reviewedAt: posts.reviewedAt,
			version: posts.version,
			chosen: posts.related,
		})
		.from(posts)
		.where(and(isScheduledOrPublished, isReadable('post row', posts.id), among(posts.id)))
		.orderBy(...newestFirst);
}

/** The pinned comment and the newest ones of each post, with the number of all. */
function selectComments(db: Db, among: (id: SQLWrapper) => SQL | undefined) {
	const placed = db
		.select({
			id: comments.id,
			place: sql<number>`row_number() over (partition by ${comments.postId}
				order by ${comments.pinnedAt} is null, ${comments.createdAt} desc, ${comments.id} desc)`.as(
				'place',
			),
			count: sql<number>`count(*) over (partition by ${comments.postId})`.as('count'),
		})
		.from(comments)
		.where(and(isShown, isReadable('comment row', comments.id), among(comments.postId)))
		.as('placed');
	return db
		.select({ comment: comments, count: placed.count })
		.from(placed)
		.innerJoin(comments, eq(comments.id, placed.id))
		.where(lte(placed.place, COMMENTS_PAGE))
		.orderBy(desc(comments.createdAt), desc(comments.id));
}

/** Reads the rows of posts that were written to, or of all. Those that were never rendered are left out. */
async function readRows(db: Db, writes: Writes | undefined): Promise<ArticleRow[]> {
	const among = (id: SQLWrapper) => isWritten(id, writes);
	const [rows, links, approved, shared, told, changes] = await Promise.all([
		selectPosts(db, among),
		db
			.select({ postId: postTags.postId, id: postTags.tagId, position: postTags.position })
			.from(postTags)
			.where(among(postTags.postId))
			.orderBy(asc(postTags.postId), asc(postTags.position)),
		selectComments(db, among),
		db
			.select({ postId: postTotals.postId, shares: postTotals.shares })
			.from(postTotals)
			.where(and(gt(postTotals.shares, 0), among(postTotals.postId))),
		db
			.select({
				postId: mentions.postId,
				network: mentions.network,
				url: mentions.url,
				replies: mentions.replies,
				likes: mentions.likes,
			})
			.from(mentions)
			.where(and(ne(mentions.url, ''), among(mentions.postId)))
			.orderBy(asc(mentions.network)),
		listAllChanges(db, among),
	]);
	// Read last: of a post that changes meanwhile, the digest is empty. The index alone has all of it.
	const rendered = await db
		.select({
			postId: renderedPosts.postId,
			digest: renderedPosts.digest,
			words: renderedPosts.words,
			marks: renderedPosts.marks,
			cover: renderedPosts.cover,
		})
		.from(renderedPosts)
		.where(among(renderedPosts.postId));
	const renderingOf = new Map(rendered.map(({ postId, ...rendering }) => [postId, rendering]));
	const sharesOf = new Map(shared.map(({ postId, shares }) => [postId, shares]));
	const mentionsOf = Map.groupBy(told, ({ postId }) => postId);
	const tagsOf = Map.groupBy(links, ({ postId }) => postId);
	const commentsOf = Map.groupBy(approved, ({ comment }) => comment.postId);
	return rows.flatMap((post): ArticleRow | [] => {
		const rendering = renderingOf.get(post.id);
		if (!rendering) return [];
		return {
			post,
			rendering,
			tags: (tagsOf.get(post.id) ?? []).map(({ id, position }) => ({ id, position })),
			comments: (commentsOf.get(post.id) ?? []).map(({ comment }) => toCommentView(comment)),
			commentCount: commentsOf.get(post.id)?.[0]?.count ?? 0,
			changes: changes.get(post.id) ?? [],
			shares: sharesOf.get(post.id) ?? 0,
			mentions: (mentionsOf.get(post.id) ?? []).map(({ postId: _, ...mention }) => mention),
		};
	});
}
