import { and, asc, desc, eq, exists, inArray, isNull, or, sql, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Db } from '#db/client.ts';
import { everyWord, containsText } from '#db/like.ts';
import { categories, drafts, posts, postTags, tags } from '#db/schema.ts';
import { problemsOfPost } from '#src/core/builds/problems.server.ts';
import { readableOr, refuseUnreadable } from '#src/core/builds/rows.server.ts';
import { POST_STATES, postStateOf, type PostState } from '#src/core/posts/post-state.ts';
import { isInState } from '#src/core/posts/post-state.server.ts';
import { pageWithin, parseSort } from '#src/lib/paging.ts';
import { paths } from '#src/site.ts';
import type { AdminPosts, EditedPost, PostCounts } from './editing.api.ts';
import { readForm, type PostForm, type PostSort } from './editing.ts';
import { FLAGS, record, TEXTS, type TextName } from './fields.ts';
import { categoryRef, pageDigest, toPost, postColumns } from './posts.server.ts';

type Row = typeof posts.$inferSelect;

/** Returns a post with everything that editing needs, or null. */
export async function getEditedPost(db: Db, id: string, now: Date): Promise<EditedPost | null> {
	const row = await findPost(db, id);
	if (!row) return null;
	const { draft, post } = row;
	const { deletedAt, version } = post;
	return {
		...toPost(row),
		state: postStateOf(post, now),
		version,
		form: toPostForm(post, tagNames(row)),
		draft: draft && {
			form: readForm(draft.form),
			version: draft.version,
			baseVersion: draft.baseVersion,
			updatedAt: draft.updatedAt.toISOString(),
		},
		deletedAt: deletedAt?.toISOString() ?? null,
		path: paths.post(post.slug),
		digest: pageDigest(post),
	};
}

/** Returns a post with its category, tags and draft, or undefined. */
export async function findPost(db: Db, id: string) {
	await refuseUnreadable(db, 'post row', id);
	const [row] = await db
		.select({ ...postColumns, draft: drafts })
		.from(posts)
		.innerJoin(categories, eq(categories.id, posts.categoryId))
		.leftJoin(drafts, eq(drafts.postId, posts.id))
		.where(eq(posts.id, id));
	return row;
}

/** Returns the names of a post's tags in its own order. */
export function tagNames(row: { tags: string }): string[] {
	return (JSON.parse(row.tags) as { name: string }[]).map(({ name }) => name);
}

/** Returns a stored post as a form. */
export function toPostForm(post: Row, tags: string[]): PostForm {
	const { publishedAt, readTime, categoryId } = post;
	return {
		...record(TEXTS, (name) => post[name] ?? ''),
		categoryId,
		...record(FLAGS, (name) => post[name]),
		readTime,
		tags,
		publishedAt: publishedAt?.toISOString() ?? '',
	};
}

/** The texts of a form as the table has them: what is empty is null where a column allows it. */
export function textColumns(form: Pick<PostForm, TextName>): Pick<Row, TextName> {
	const columns = record(TEXTS, (name) => (posts[name].notNull ? form[name] : form[name] || null));
	return columns as Pick<Row, TextName>;
}

type Query = {
	q?: string | undefined;
	state?: PostState | undefined;
	category?: string | undefined;
	tag?: string | undefined;
	sort?: PostSort | undefined;
	page?: number | undefined;
	pageSize?: number | undefined;
};

const SORTS = {
	updated: posts.updatedAt,
	published: posts.publishedAt,
	created: posts.createdAt,
	title: sql`${posts.title} collate nocase`,
};

const readable = <Column extends SQLiteColumn>(column: Column, fallback: string | number | null) =>
	readableOr('post row', posts.id, column, fallback);

/** Returns a page of the posts that match a query, and the number of posts in each state. */
export async function listAdminPosts(db: Db, query: Query, now: Date): Promise<AdminPosts> {
	const { pageSize = 50 } = query;
	const { key, descending } = parseSort(query.sort ?? '-updated');
	const direction = descending ? desc : asc;
	const where = and(
		query.state ? isInState(query.state, now) : isNull(posts.deletedAt),
		query.q ? searchCondition(query.q) : undefined,
		query.category
			? inArray(
					posts.categoryId,
					db
						.select({ id: categories.id })
						.from(categories)
						.where(eq(categories.slug, query.category)),
				)
			: undefined,
		query.tag
			? inArray(
					posts.id,
					db
						.select({ id: postTags.postId })
						.from(postTags)
						.innerJoin(tags, eq(tags.id, postTags.tagId))
						.where(eq(tags.slug, query.tag)),
				)
			: undefined,
	);
	const [counts, total] = await Promise.all([countStates(db, now), db.$count(posts, where)]);
	const page = pageWithin(query.page ?? 1, total, pageSize);
	const rows = await db
		.select({
			id: posts.id,
			slug: readable(posts.slug, ''),
			title: readable(posts.title, 'Unreadable title'),
			author: readable(posts.author, ''),
			published: posts.published,
			featured: posts.featured,
			readTime: readable(posts.readTime, 0),
			publishedAt: readable(posts.publishedAt, null),
			updatedAt: readable(posts.updatedAt, 0),
			deletedAt: readable(posts.deletedAt, null),
			version: readable(posts.version, 0),
			category: categoryRef,
			problem: problemsOfPost,
			hasDraft: sql<number>`${exists(db.select({ id: drafts.postId }).from(drafts).where(eq(drafts.postId, posts.id)))}`,
		})
		.from(posts)
		.innerJoin(categories, eq(categories.id, posts.categoryId))
		.where(where)
		.orderBy(
			// For a deleted post, the deletion is the last change.
			direction(query.state === 'deleted' && key === 'updated' ? posts.deletedAt : SORTS[key]),
			direction(posts.id),
		)
		.limit(pageSize)
		.offset((page - 1) * pageSize);
	return {
		rows: rows.map((row) => ({
			...row,
			state: postStateOf(row, now),
			hasDraft: Boolean(row.hasDraft),
			publishedAt: row.publishedAt?.toISOString() ?? null,
			updatedAt: row.updatedAt.toISOString(),
			deletedAt: row.deletedAt?.toISOString() ?? null,
		})),
		total,
		page,
		pageSize,
		counts,
	};
}

async function countStates(db: Db, now: Date): Promise<PostCounts> {
	const ofState = POST_STATES.map((state) => sql`when ${isInState(state, now)} then ${state}`);
	const rows = await db
		.select({
			state: sql<PostState>`case ${sql.join(ofState, sql` `)} end`.as('state'),
			count: sql<number>`count(*)`,
		})
		.from(posts)
		.groupBy(sql`1`);
	const counts = { all: 0, draft: 0, scheduled: 0, published: 0, unpublished: 0, deleted: 0 };
	for (const { state, count } of rows) {
		counts[state] = count;
		if (state !== 'deleted') counts.all += count;
	}
	return counts;
}

function searchCondition(text: string): SQL | undefined {
	return everyWord(text, (word) =>
		or(...[posts.title, posts.slug, posts.excerpt].map((column) => containsText(column, word))),
	);
}
