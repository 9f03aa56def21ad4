import {
	and,
	asc,
	desc,
	eq,
	exists,
	getTableColumns,
	inArray,
	isNull,
	or,
	sql,
	type SQL,
} from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { everyWord, containsText } from '#db/like.ts';
import {
	categories,
	drafts,
	postOffers,
	posts,
	postTags,
	programDrafts,
	tags,
} from '#db/schema.ts';
import { asText, tolerant } from '#db/tolerant.ts';
import { problemsOfPost } from '#src/core/builds/problems.server.ts';
import { POST_STATES, postStateOf, type PostState } from '#src/core/posts/post-state.ts';
import { isInState } from '#src/core/posts/post-state.server.ts';
import { DAY } from '#src/lib/dates.ts';
import { pageWithin, parseSort } from '#src/lib/paging.ts';
import { paths } from '#src/site.ts';
import { MAX_BULK } from './bulk.ts';
import type { AdminPosts, EditedPost, PostCounts } from './editing.api.ts';
import { readFields, readForm, type PostFilter, type PostForm, type PostSort } from './editing.ts';
import { FLAGS, record, TEXTS, type FlagName, type TextName } from './fields.ts';
import { CURRENT_DAYS } from './freshness.ts';
import { findThumbnails } from './pictures.server.ts';
import { categoryRef, pageDigest, toPost, postColumns } from './posts.server.ts';

type Row = typeof posts.$inferSelect;

/** Returns a post with everything that editing needs, or null. */
export async function getEditedPost(db: Db, id: string, now: Date): Promise<EditedPost | null> {
	const row = await findPost(db, id);
	if (!row) return null;
	const { draft, offer, post } = row;
	const { deletedAt, version } = post;
	return {
		...toPost(row),
		state: postStateOf(post, now),
		savedAt: post.updatedAt.toISOString(),
		version,
		form: toPostForm(post, tagNames(row)),
		offer: offer && readFields(offer.form),
		draft: draft && {
			form: readForm(draft.form),
			version: draft.version,
			baseVersion: draft.baseVersion,
			updatedAt: draft.updatedAt.toISOString(),
		},
		deletedAt: deletedAt?.toISOString() ?? null,
		path: paths.post(post.slug),
		digest: pageDigest(post),
		program: row.program,
	};
}

/** The name of the program that began a post, or null. */
export const programOf = sql<
	string | null
>`(select ${programDrafts.program} from ${programDrafts} where ${programDrafts.postId} = ${posts.id})`;

const editedColumns = {
	...postColumns,
	post: tolerant(posts),
	program: programOf,
	draft: { ...getTableColumns(drafts), ...tolerant({ form: drafts.form }) },
	offer: { ...getTableColumns(postOffers), ...tolerant({ form: postOffers.form }) },
};

/**
 * Returns a post with its category, tags, draft and newer file, or undefined. One that no page can be made of is returned as far as
 * it can be read, to be mended, unpublished or deleted.
 */
export async function findPost(db: Db, id: string) {
	const [row] = await db
		.select(editedColumns)
		.from(posts)
		.innerJoin(categories, eq(categories.id, posts.categoryId))
		.leftJoin(drafts, eq(drafts.postId, posts.id))
		.leftJoin(postOffers, eq(postOffers.postId, posts.id))
		.where(eq(posts.id, id));
	return row;
}

/** Returns the names of a post's tags in its own order. */
export function tagNames(row: { tags: string }): string[] {
	return (JSON.parse(row.tags) as { name: string }[]).map(({ name }) => name);
}

/** Returns a stored post as a form. */
export function toPostForm(
	post: Pick<Row, TextName | FlagName | 'categoryId' | 'readTime' | 'publishedAt'>,
	tags: string[],
): PostForm {
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

type Query = PostFilter & {
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

const listedColumns = tolerant({
	id: posts.id,
	slug: posts.slug,
	title: posts.title,
	author: posts.author,
	staleAfter: posts.staleAfter,
	published: posts.published,
	featured: posts.featured,
	readTime: posts.readTime,
	publishedAt: posts.publishedAt,
	updatedAt: posts.updatedAt,
	deletedAt: posts.deletedAt,
	version: posts.version,
	featuredImage: posts.featuredImage,
});

/** Returns a page of the posts that match a query, and the number of posts in each state. */
export async function listAdminPosts(db: Db, query: Query, now: Date): Promise<AdminPosts> {
	const { pageSize = 50 } = query;
	const { key, descending } = parseSort(query.sort ?? '-updated');
	const direction = descending ? desc : asc;
	const where = matching(db, query, now);
	const [counts, due, offered, total] = await Promise.all([
		countStates(db, now),
		db.$count(posts, isDue(now)),
		db.$count(posts, and(isOffered, isNull(posts.deletedAt))),
		db.$count(posts, where),
	]);
	const page = pageWithin(query.page ?? 1, total, pageSize);
	const rows = await db
		.select({
			...listedColumns,
			category: { ...categoryRef, color: asText(categories.color) },
			cover: sql<string>`coalesce((select r.cover from rendered_posts r where r.post_id = ${posts.id}), '')`,
			problem: problemsOfPost,
			isDue: sql<number>`${isDue(now)}`,
			offered: sql<number>`${isOffered}`,
			program: programOf,
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
	const states = new Map(rows.map((row) => [row.id, postStateOf(row, now)]));
	const thumbnails = await findThumbnails(
		db,
		rows.map((row) => ({ ...row, isBuilt: states.get(row.id) === 'published' })),
	);
	return {
		rows: rows.map(({ featuredImage: _, ...row }) => ({
			...row,
			state: states.get(row.id)!,
			picture: thumbnails.get(row.id) ?? null,
			isDue: Boolean(row.isDue),
			offered: Boolean(row.offered),
			hasDraft: Boolean(row.hasDraft),
			publishedAt: row.publishedAt?.toISOString() ?? null,
			updatedAt: row.updatedAt.toISOString(),
			deletedAt: row.deletedAt?.toISOString() ?? null,
		})),
		total,
		page,
		pageSize,
		counts: { ...counts, due, offered },
	};
}

/** The condition that a newer file says something else of a post. */
const isOffered = exists(
	sql`(select 1 from ${postOffers} where ${postOffers.postId} = ${posts.id})`,
);

/** When a post says that something in it ages, or null. */
const staleAt = sql`unixepoch(substr(${posts.staleAfter}, 1, 10)) * 1000`;

/** When a post came with a file, or null. */
const importedAt = sql`(select max(i.created_at) from import_items n join imports i on i.id = n.import_id
	where n.item_id = "posts"."id" and n.kind = 'post')`;

/** Returns the condition for public posts that wait for a review. What came with a file is not all due the minute it is here. */
export function isDue(now: Date): SQL {
	const checkedAt = sql`max(coalesce(${posts.changedAt}, ${posts.updatedAt}), coalesce(${posts.reviewedAt}, 0))`;
	return and(
		isInState('published', now),
		or(
			sql`max(${checkedAt}, coalesce(${importedAt}, 0)) < ${now.getTime() - CURRENT_DAYS * DAY}`,
			sql`${checkedAt} < ${staleAt} and ${staleAt} <= ${now.getTime()}`,
		),
	)!;
}

/** Returns the condition for the posts that a filter shows. */
function matching(db: Db, query: PostFilter, now: Date): SQL | undefined {
	return and(
		query.state ? isInState(query.state, now) : isNull(posts.deletedAt),
		query.due ? isDue(now) : undefined,
		query.offered ? isOffered : undefined,
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
}

/** Returns the ids of the posts that a filter shows. */
export async function listPostIds(
	db: Db,
	query: PostFilter,
	now: Date,
): Promise<{ ids: string[] }> {
	const rows = await db
		.select({ id: posts.id })
		.from(posts)
		.where(matching(db, query, now))
		.orderBy(desc(posts.updatedAt), desc(posts.id))
		.limit(MAX_BULK);
	return { ids: rows.map(({ id }) => id) };
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
