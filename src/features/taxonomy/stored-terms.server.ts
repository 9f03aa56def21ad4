/** Reads categories, tags, series and authors as they are stored. */
import { and, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { authors, categories, posts, series, tags } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { inOrder } from '#src/features/categories/categories.server.ts';
import { isPublic } from '#src/features/posts/posts.server.ts';
import { storedTag } from '#src/features/posts/tags.server.ts';
import { type StoredAuthor, type StoredCategory, type StoredSeries, type Term } from './term.ts';

const { id, name, slug, description, version, color } = tolerant(categories);

const storedCategory = {
	...{ id, name, slug, description, version, color },
	posts: sql<number>`(select count(*) from posts p where p.category_id = categories.id and p.deleted_at is null)`,
};

/** Returns all categories, in their order. */
export function listStoredCategories(db: Db): Promise<StoredCategory[]> {
	return db
		.select(storedCategory)
		.from(categories)
		.orderBy(...inOrder);
}

export async function getCategory(db: Db, id: string): Promise<StoredCategory | null> {
	const [row] = await db.select(storedCategory).from(categories).where(eq(categories.id, id));
	return row ?? null;
}

export async function getTag(db: Db, id: string): Promise<Term | null> {
	const [row] = await db.select(storedTag).from(tags).where(eq(tags.id, id));
	return row ?? null;
}

/** Returns all series, by name. */
export function listStoredSeries(db: Db): Promise<StoredSeries[]> {
	return readSeries(db, sql`true`);
}

export async function getSeries(db: Db, id: string): Promise<StoredSeries | null> {
	return (await readSeries(db, eq(series.id, id)))[0] ?? null;
}

async function readSeries(db: Db, where: SQL): Promise<StoredSeries[]> {
	const { createdAt: _, ...columns } = tolerant(series);
	const rows = await db.select(columns).from(series).where(where).orderBy(series.name);
	const found = await db
		.select({
			id: posts.id,
			title: tolerant(posts).title,
			isPublic: sql<number>`${isPublic(new Date())}`,
		})
		.from(posts)
		.where(and(inArray(posts.id, rows.flatMap(idsOf)), isNull(posts.deletedAt)));
	const byId = new Map(found.map((post) => [post.id, { ...post, isPublic: post.isPublic === 1 }]));
	return rows.map((row) => {
		const articles = idsOf(row).flatMap((id) => byId.get(id) ?? []);
		return { ...row, articles, posts: articles.length };
	});
}

/** The ids of a series, or none where they cannot be read. */
const idsOf = ({ articles }: { articles: unknown }): string[] =>
	Array.isArray(articles) ? articles.filter((id) => typeof id === 'string') : [];

/** Returns all authors, by name. */
export function listStoredAuthors(db: Db): Promise<StoredAuthor[]> {
	return readAuthors(db, sql`true`);
}

export async function getAuthor(db: Db, id: string): Promise<StoredAuthor | null> {
	return (await readAuthors(db, eq(authors.id, id)))[0] ?? null;
}

async function readAuthors(db: Db, where: SQL): Promise<StoredAuthor[]> {
	const { createdAt: _, ...columns } = tolerant(authors);
	const rows = await db
		.select({
			...columns,
			posts: sql<number>`(select count(*) from posts p where p.author = authors.name and p.deleted_at is null)`,
		})
		.from(authors)
		.where(where)
		.orderBy(authors.name);
	return rows.map((row) => ({ ...row, links: Array.isArray(row.links) ? row.links : [] }));
}

export const GETTERS = { category: getCategory, tag: getTag, series: getSeries, author: getAuthor };
