import { desc, eq, sql } from 'drizzle-orm';
import type { Db, Statement } from '#db/client.ts';
import { beginsWith, containsText } from '#db/like.ts';
import { postTags, tags } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { freeSlug, POST_LIMITS, tagKey } from './editing.ts';
import type { TagRef } from './post.ts';
import { slugify } from '#src/lib/slug.ts';

const SUGGESTIONS = 20;

const tagColumns = tolerant({ id: tags.id, name: tags.name, slug: tags.slug });

/** Returns tags whose name contains `text`: those that begin with it first, then the most used. */
export async function completeTags(db: Db, text = ''): Promise<(TagRef & { posts: number })[]> {
	const wanted = text.trim();
	return db
		.select({
			...tagColumns,
			posts: sql<number>`count(${postTags.id})`.as('posts'),
		})
		.from(tags)
		.leftJoin(postTags, eq(postTags.tagId, tags.id))
		.where(containsText(tags.name, wanted))
		.groupBy(tags.id)
		.orderBy(desc(beginsWith(tags.name, wanted)), desc(sql`posts`), tags.name)
		.limit(SUGGESTIONS);
}

/**
 * Resolves names to tags, ignoring case, and creates missing ones. Returns the names as shown, and the
 * statements that create tags and assign them to a post in this order.
 */
export async function resolveTags(db: Db, names: string[]) {
	const known = await db.select(tagColumns).from(tags);
	const byKey = new Map(known.map((tag) => [tagKey(tag.name), tag]));
	const slugs = new Set(known.map(({ slug }) => slug));
	const made: TagRef[] = [];
	const wanted = names.map((name) => name.trim()).filter(Boolean);
	const chosen = wanted.map((name) => {
		const found = byKey.get(tagKey(name));
		if (found) return found;
		// One character of a name can become many letters of a slug.
		const short = slugify(name).slice(0, POST_LIMITS.slug).replace(/-+$/, '');
		const slug = freeSlug(short || 'tag', (one) => slugs.has(one));
		const tag = { id: crypto.randomUUID(), name, slug };
		slugs.add(slug);
		byKey.set(tagKey(name), tag);
		made.push(tag);
		return tag;
	});
	const all = [...new Set(chosen)];
	return {
		names: all.map(({ name }) => name),
		statements: (postId: string): Statement[] => [
			...(made.length > 0 ? [db.insert(tags).values(made)] : []),
			db.delete(postTags).where(eq(postTags.postId, postId)),
			...(all.length > 0
				? [
						db
							.insert(postTags)
							.values(all.map(({ id: tagId }, position) => ({ postId, tagId, position }))),
					]
				: []),
		],
	};
}
