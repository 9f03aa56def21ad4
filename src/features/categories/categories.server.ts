import { and, asc, eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { categories } from '#db/schema.ts';
import type { PostSummary } from '#src/features/posts/post.ts';
import { dated, isPublic, newestFirst, selectSummaries } from '#src/features/posts/posts.server.ts';
import type { Category } from './category.ts';

/** All categories, in the order of the home page's grid. */
export async function listCategories(db: Db): Promise<Category[]> {
	return db
		.select({
			id: categories.id,
			slug: categories.slug,
			name: categories.name,
			description: categories.description,
			color: categories.color,
		})
		.from(categories)
		.orderBy(sql`${categories.position} is null`, asc(categories.position), asc(categories.name));
}

/** The public posts of a category, newest first, or null where there is no such category. */
export async function listCategoryPosts(
	db: Db,
	slug: string,
	now: Date,
): Promise<PostSummary[] | null> {
	const rows = await selectSummaries(db)
		.where(and(eq(categories.slug, slug), isPublic(now)))
		.orderBy(...newestFirst);
	if (rows.length > 0) return rows.map(dated);
	return (await db.$count(categories, eq(categories.slug, slug))) ? [] : null;
}
