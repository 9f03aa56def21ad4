import { and, asc, eq, exists, ne, notInArray, or, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { categories, posts } from '#db/schema.ts';
import { isReadable } from '#src/core/builds/rows.server.ts';
import { isPublic } from '#src/features/posts/posts.server.ts';
import { UNCATEGORIZED } from '#src/features/posts/post.ts';
import { DEFAULT_COLOR, type Category } from './category.ts';

/** The color of a category, or the default if its own is invalid. */
export const shownColor = sql<string>`case when ${isReadable('category color', categories.id)} then ${categories.color} else ${DEFAULT_COLOR} end`;

/** The order of lists of categories. */
export const inOrder = [
	sql`${categories.position} is null`,
	asc(categories.position),
	asc(categories.name),
];

/**
 * Returns the categories that readers may see, in the order of the home page's grid. "Uncategorized" is among them if
 * it has articles whose own category is missing or cannot be read.
 */
export async function listCategories(db: Db, now: Date): Promise<Category[]> {
	const rows = await readCategories(db, now);
	const usable = db
		.select({ id: categories.id })
		.from(categories)
		.where(isReadable('category row', categories.id));
	const isWithout = and(notInArray(posts.categoryId, usable), isPublic(now));
	return withUncategorized(rows, async () => (await db.$count(posts, isWithout)) > 0);
}

/** As `listCategories`, without “Uncategorized” for posts whose own category is missing or cannot be read. */
export async function readCategories(db: Db, now: Date): Promise<Category[]> {
	return db
		.select({
			id: categories.id,
			slug: categories.slug,
			name: categories.name,
			description: categories.description,
			color: shownColor,
		})
		.from(categories)
		.where(
			and(
				isReadable('category row', categories.id),
				or(
					ne(categories.slug, UNCATEGORIZED.slug),
					exists(
						db
							.select({ id: posts.id })
							.from(posts)
							.where(and(eq(posts.categoryId, categories.id), isPublic(now))),
					),
				),
			),
		)
		.orderBy(...inOrder);
}

/** Adds “Uncategorized” where a public post has no other category. */
export async function withUncategorized(
	rows: Category[],
	isNeeded: () => boolean | Promise<boolean>,
): Promise<Category[]> {
	if (rows.some(({ slug }) => slug === UNCATEGORIZED.slug)) return rows;
	return (await isNeeded()) ? [...rows, NO_CATEGORY] : rows;
}

const NO_CATEGORY = {
	...UNCATEGORIZED,
	id: '',
	description: null,
	color: DEFAULT_COLOR,
};

/** Whether there is a category of this address. */
export async function isCategory(db: Db, slug: string): Promise<boolean> {
	return (await db.$count(categories, eq(categories.slug, slug))) > 0;
}
