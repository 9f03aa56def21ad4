import { and, desc, eq, inArray, ne, or, sql, type Placeholder, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { prepared, type Db } from '#db/client.ts';
import { categories, posts, postTags, postTotals, tags } from '#db/schema.ts';
import { isReadable } from '#src/core/builds/rows.server.ts';
import { isInState } from '#src/core/posts/post-state.server.ts';
import { digest } from '#src/lib/digest.ts';
import { PUBLIC, record, type PublicName } from './fields.ts';
import { FIRST_FIGURE } from './picture.ts';
import {
	LIMITS,
	UNCATEGORIZED,
	type CategoryRef,
	type Post,
	type PostSummary,
	type RelatedPost,
	type TagRef,
} from './post.ts';
import { readVectors, stepsTo } from '#src/core/meaning/meaning.server.ts';
import { findBySlugs } from './chosen.server.ts';
import {
	chosenSlugs,
	MAX_CHOSEN,
	MAX_OF_CATEGORY,
	NEARNESS_STEPS,
	relatedPosts,
} from './related.ts';

/** Returns the condition for posts that the public may see at `now`: readable, published, not deleted, and due. */
export function isPublic(now: Date | Placeholder): SQL {
	return and(isInState('published', now), isReadable('post row', posts.id))!;
}

/** The category of a post, or "Uncategorized" if its own row cannot be read. */
export const categoryRef = {
	name: orUncategorized(categories.name, 'name'),
	slug: orUncategorized(categories.slug, 'slug'),
};

function orUncategorized(column: SQLiteColumn, key: keyof CategoryRef): SQL<string> {
	return sql`case when ${isReadable('category row', categories.id)} then ${column} else ${UNCATEGORIZED[key]} end`;
}

/** Newest first; the id breaks ties, so that pages of a list never overlap. */
export const newestFirst = [desc(posts.publishedAt), desc(posts.id)];

export const summaryColumns = {
	id: posts.id,
	slug: posts.slug,
	title: posts.title,
	excerpt: posts.excerpt,
	featuredImage: sql<string | null>`nullif(${posts.featuredImage}, ${FIRST_FIGURE})`,
	author: posts.author,
	category: categoryRef,
	readTime: posts.readTime,
	publishedAt: posts.publishedAt,
};
const countColumns = {
	views: sql<number>`coalesce((select ${postTotals.views} from ${postTotals} where ${postTotals.postId} = ${posts.id}), 0)`,
	shareCount: sql<number>`coalesce((select ${postTotals.shares} from ${postTotals} where ${postTotals.postId} = ${posts.id}), 0)`,
};

/** Returns when a post last changed in a way that readers are told of. */
export const changedAtOf = (post: Pick<typeof posts.$inferSelect, 'changedAt' | 'updatedAt'>) =>
	post.changedAt ?? post.updatedAt;

/** As `changedAtOf`, for a query. */
export const changedAt = sql`coalesce(${posts.changedAt}, ${posts.updatedAt})`.mapWith(
	posts.updatedAt,
);

type Dated = { publishedAt: Date | null };
export const withIsoDate = <Row extends Dated>({ publishedAt, ...row }: Row) => ({
	...row,
	publishedAt: publishedAt?.toISOString() ?? null,
});

/** Returns a query for post summaries, which the caller narrows, sorts and awaits. */
export function selectSummaries(db: Db) {
	return db
		.select({ ...summaryColumns, ...countColumns })
		.from(posts)
		.innerJoin(categories, eq(categories.id, posts.categoryId))
		.$dynamic();
}

/** Returns all public posts, newest first, or the newest `limit` of them. Never a draft. */
export async function listPosts(db: Db, now: Date, limit?: number): Promise<PostSummary[]> {
	const query = selectSummaries(db)
		.where(isPublic(now))
		.orderBy(...newestFirst);
	const rows = await (limit === undefined ? query : query.limit(limit));
	return rows.map(withIsoDate);
}

/** Returns public posts that are marked as featured. */
export async function listFeatured(db: Db, now: Date): Promise<PostSummary[]> {
	const rows = await selectSummaries(db)
		.where(and(eq(posts.featured, true), isPublic(now)))
		.orderBy(...newestFirst);
	return rows.map(withIsoDate);
}

/** Fields that the public may see and that are columns of the same name and type. */
type PublicColumn = Exclude<PublicName, 'tags' | 'publishedAt'>;
const PUBLIC_COLUMNS = PUBLIC.filter(
	(name): name is PublicColumn => name !== 'tags' && name !== 'publishedAt',
);

/** Columns of posts that pages read: every public one except the text, which is read one article at a time. */
export const pageColumns = record(
	PUBLIC_COLUMNS.filter((name) => name !== 'content'),
	(name) => posts[name],
) as Omit<Pick<typeof posts._.columns, PublicColumn>, 'content'>;

/** Columns of a complete post; its tags are JSON in its own order. */
export const postColumns = {
	post: posts,
	category: categoryRef,
	tags: sql<string>`(select json_group_array(json_object('id', t.id, 'name', t.name, 'slug', t.slug)) from (
		select ${tags.id}, ${tags.name}, ${tags.slug} from ${postTags} join ${tags} on ${tags.id} = ${postTags.tagId}
		where ${postTags.postId} = ${posts.id} and ${isReadable('tag row', tags.id)} order by ${postTags.position}, ${tags.name}) t)`,
};

/**
 * Returns a complete post as its article shows it, with defaults for an empty meta title and description
 * (product.md section 5).
 */
export function toPost(row: {
	post: typeof posts.$inferSelect;
	category: CategoryRef;
	tags: string;
}): Post {
	const { post, category } = row;
	return {
		...(record(PUBLIC_COLUMNS, (name) => post[name]) as Pick<Post, PublicColumn>),
		id: post.id,
		featuredImage: post.featuredImage === FIRST_FIGURE ? null : post.featuredImage,
		metaTitle: post.metaTitle ?? post.title,
		metaDescription: post.metaDescription ?? post.excerpt,
		category,
		tags: JSON.parse(row.tags) as TagRef[],
		publishedAt: post.publishedAt?.toISOString() ?? null,
		createdAt: post.createdAt.toISOString(),
		updatedAt: changedAtOf(post).toISOString(),
	};
}

/** Returns the `data-digest` of a post's page, which changes with each save and is computed without the text. */
export function pageDigest({
	id,
	version,
	updatedAt,
}: Pick<typeof posts.$inferSelect, 'id' | 'version' | 'updatedAt'>): string {
	return digest(id, String(version), updatedAt.toISOString()).slice(0, 16);
}

const publicPost = prepared((db) =>
	db
		.select(postColumns)
		.from(posts)
		.innerJoin(categories, eq(categories.id, posts.categoryId))
		.where(and(eq(posts.slug, sql.placeholder('slug')), isPublic(sql.placeholder('now'))))
		.prepare(),
);

/** Returns the public post with this slug, or null. */
export async function getPost(db: Db, slug: string, now: Date): Promise<Post | null> {
	const row = await publicPost(db).get({ slug, now: now.getTime() });
	return row ? toPost(row) : null;
}

type RelatedTo = {
	id: string;
	categoryId?: string | undefined;
	tags?: string[] | undefined;
	limit?: number | undefined;
};

/** Returns the ids of the public posts that a post's writer put first. */
async function findChosen(db: Db, id: string, related: string, now: Date): Promise<string[]> {
	const slugs = chosenSlugs(related).slice(0, MAX_CHOSEN);
	const found = await findBySlugs(db, slugs);
	const ids = slugs.flatMap((slug) => found.get(slug)?.id ?? []).filter((one) => one !== id);
	if (ids.length === 0) return [];
	const rows = await db
		.select({ id: posts.id })
		.from(posts)
		.where(and(inArray(posts.id, ids), isPublic(now)));
	const shown = new Set(rows.map((row) => row.id));
	return [...new Set(ids)].filter((one) => shown.has(one));
}

/**
 * Returns related public posts: first those that the post's writer chose, then the best as `relatedPosts` ranks them.
 * Category and tags (ids, slugs or names) default to the post's own; with others nothing is chosen. Returns null if there is no such post.
 */
export async function listRelated(
	db: Db,
	query: RelatedTo,
	now: Date,
): Promise<RelatedPost[] | null> {
	const { id, limit = LIMITS.related } = query;
	const [self] = await db
		.select({ categoryId: posts.categoryId, related: posts.related })
		.from(posts)
		.where(and(eq(posts.id, id), isPublic(now)));
	if (!self) return null;
	// Who asks for other tags or another category wants what those give.
	const isOwn = query.categoryId === undefined && query.tags === undefined;
	const chosen = isOwn ? await findChosen(db, id, self.related ?? '', now) : [];
	const categoryId = query.categoryId ?? self.categoryId;
	const wanted = query.tags
		? or(
				inArray(tags.id, query.tags),
				inArray(tags.slug, query.tags),
				inArray(tags.name, query.tags),
			)
		: sql`${tags.id} in (select ${postTags.tagId} from ${postTags} where ${postTags.postId} = ${id})`;
	const tagIds = (await db.select({ id: tags.id }).from(tags).where(wanted)).map((tag) => tag.id);
	const shared = db
		.select({ postId: postTags.postId, count: sql<number>`count(*)`.as('shared') })
		.from(postTags)
		.where(inArray(postTags.tagId, tagIds))
		.groupBy(postTags.postId)
		.as('shared_tags');
	const own = (await readVectors(db, [id])).get(id);
	const newest = db
		.select({ id: posts.id })
		.from(posts)
		.where(and(eq(posts.categoryId, categoryId), ne(posts.id, id), isPublic(now)))
		.orderBy(...newestFirst)
		.limit(Math.max(limit, MAX_OF_CATEGORY));
	const candidates = db
		.select({
			id: posts.id,
			shared: sql<number>`coalesce(${shared.count}, 0)`.as('shared_count'),
			isSameCategory: sql<number>`${posts.categoryId} = ${categoryId}`.as('is_same'),
			near: stepsTo(own, posts.id, NEARNESS_STEPS).as('near'),
		})
		.from(posts)
		.leftJoin(shared, eq(shared.postId, posts.id))
		.where(
			and(
				ne(posts.id, id),
				isPublic(now),
				sql`${posts.id} in (select post_id from ${shared} union select id from ${newest})`,
			),
		)
		.orderBy(...newestFirst)
		.as('candidates');
	// One text, because reading hundreds of rows costs more than finding them.
	const [found] = await db
		.select({
			list: sql<string>`json_group_array(json_array(${candidates.id}, ${candidates.shared}, ${candidates.isSameCategory}, ${candidates.near}))`,
		})
		.from(candidates);
	const list = JSON.parse(found!.list) as [
		id: string,
		shared: number,
		isSameCategory: 0 | 1,
		near: number,
	][];
	const related = relatedPosts(list.length, limit);
	for (const [age, [other, shared, isSame, near]] of list.entries()) {
		if (!chosen.includes(other)) related.offer(age, shared, isSame === 1, () => near);
	}
	const ids = [...chosen, ...related.best().map((age) => list[age]![0])].slice(0, limit);
	const rows = await db
		.select(summaryColumns)
		.from(posts)
		.innerJoin(categories, eq(categories.id, posts.categoryId))
		.where(inArray(posts.id, ids));
	return rows
		.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
		.map(withIsoDate)
		.map(({ author: _author, ...post }) => post);
}
