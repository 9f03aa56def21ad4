import { and, asc, eq, exists, ne, or, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { categories, posts } from '#db/schema.ts';
import type { PostSummary } from '#src/features/posts/post.ts';
import {
	withIsoDate,
	isPublic,
	newestFirst,
	selectSummaries,
} from '#src/features/posts/posts.server.ts';
import { UNCATEGORIZED } from '#src/features/posts/post.ts';
import type { Category } from './category.ts';

/** Returns the categories that readers may see, in the order of the home page's grid. */
export async function listCategories(db: Db, now: Date): Promise<Category[]> {
	return db
		.select({
			id: categories.id,
			slug: categories.slug,
			name: categories.name,
			description: categories.description,
			color: categories.color,
		})
		.from(categories)
		.where(
			or(
				ne(categories.slug, UNCATEGORIZED.slug),
				exists(
					db
						.select({ id: posts.id })
						.from(posts)
						.where(and(eq(posts.categoryId, categories.id), isPublic(now))),
				),
			),
		)
		.orderBy(sql`${categories.position} is null`, asc(categories.position), asc(categories.name));
}

/** Returns the public posts of a category, newest first, or null if there is no such category. */
export async function listCategoryPosts(
	db: Db,
	slug: string,
	now: Date,
): Promise<PostSummary[] | null> {
	const rows = await selectSummaries(db)
		.where(and(eq(categories.slug, slug), isPublic(now)))
		.orderBy(...newestFirst);
	if (rows.length > 0) return rows.map(withIsoDate);
	const isKnown = and(eq(categories.slug, slug), ne(categories.slug, UNCATEGORIZED.slug));
	return (await db.$count(categories, isKnown)) ? [] : null;
}
