import type { Db } from '#db/client.ts';
import { categories, media, posts, postTags, subscribers, tags } from '#db/schema.ts';
import { slugify } from '#src/lib/slug.ts';

let made = 0;

/** Stores a category. */
export async function makeCategory(db: Db, values: Partial<typeof categories.$inferInsert> = {}) {
	const name = values.name ?? `Category ${++made}`;
	const [category] = await db
		.insert(categories)
		.values({ name, slug: slugify(name), ...values })
		.returning();
	return category!;
}

type PostValues = Partial<typeof posts.$inferInsert> & { tags?: string[] };

/** Stores a post with its tags: published an hour ago, in a category of its own, unless said otherwise. */
export async function makePost(db: Db, { tags: names = [], ...values }: PostValues = {}) {
	const title = values.title ?? `Post ${++made}`;
	const [post] = await db
		.insert(posts)
		.values({
			title,
			slug: slugify(title),
			content: '<p>Words.</p>',
			author: 'Grace',
			categoryId: values.categoryId ?? (await makeCategory(db)).id,
			published: true,
			publishedAt: new Date(Date.now() - 3_600_000),
			...values,
		})
		.returning();
	for (const [position, name] of names.entries()) await tagPost(db, post!.id, name, position);
	return post!;
}

/** Puts a tag on a post; makes the tag where there is none. */
export async function tagPost(db: Db, postId: string, name: string, position = 0) {
	const [tag] = await db
		.insert(tags)
		.values({ name, slug: slugify(name) })
		.onConflictDoUpdate({ target: tags.name, set: { name } })
		.returning();
	await db.insert(postTags).values({ postId, tagId: tag!.id, position });
	return tag!;
}

/** Stores a subscriber. */
export async function makeSubscriber(
	db: Db,
	values: Partial<typeof subscribers.$inferInsert> = {},
) {
	const [subscriber] = await db
		.insert(subscribers)
		.values({ email: `reader-${++made}@example.com`, ...values })
		.returning();
	return subscriber!;
}

/** Stores a drawing in the library, a triangle. */
export async function makeDrawing(db: Db, id: string): Promise<void> {
	const bytes = Buffer.from(
		'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="currentColor" d="M0 0h9v9z"/></svg>',
	);
	const file = { id, name: 'a.svg', type: 'image/svg+xml', digest: '1', bytes, size: bytes.length };
	await db.insert(media).values({ ...file, width: 9, height: 9 });
}
