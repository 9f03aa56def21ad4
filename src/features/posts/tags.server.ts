import { desc, eq, sql } from 'drizzle-orm';
import type { Db, Statement } from '#db/client.ts';
import { beginsWith, containsText } from '#db/like.ts';
import { postTags, tags } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { freeSlug, POST_LIMITS, tagKey } from './editing.ts';
import type { StoredTag, TagRef } from './post.ts';
import { cutSlug, slugify } from '#src/lib/slug.ts';

const SUGGESTIONS = 20;

const tagColumns = tolerant({ id: tags.id, name: tags.name, slug: tags.slug });

/** A tag as the admin edits it. */
export const storedTag = {
	...tolerant({ id: tags.id, name: tags.name, slug: tags.slug, description: tags.description }),
	version: tags.version,
	// Plain names, because the query builder omits table names in a select from one table.
	posts: sql<number>`(select count(*) from post_tags t join posts p on p.id = t.post_id
		where t.tag_id = tags.id and p.deleted_at is null)`.as('posts'),
};

/**
 * Returns tags whose name contains `text`: those that begin with it first, then the most used. Without a text, all of them
 * by name.
 */
export async function completeTags(db: Db, text?: string): Promise<StoredTag[]> {
	if (text === undefined) {
		return db
			.select(storedTag)
			.from(tags)
			.orderBy(sql`${tags.name} collate nocase`, tags.id);
	}
	const wanted = text.trim();
	return db
		.select(storedTag)
		.from(tags)
		.where(containsText(tags.name, wanted))
		.orderBy(desc(beginsWith(tags.name, wanted)), desc(sql`posts`), tags.name)
		.limit(SUGGESTIONS);
}

/** Finds the tags of these names, ignoring case, or thinks up missing ones: all of them, and those to be made. */
export async function chooseTags(
	db: Db,
	names: string[],
): Promise<{ all: TagRef[]; made: TagRef[] }> {
	const known = await db.select(tagColumns).from(tags);
	const byKey = new Map(known.map((tag) => [tagKey(tag.name), tag]));
	const slugs = new Set(known.map(({ slug }) => slug));
	const made: TagRef[] = [];
	const wanted = names.map((name) => name.trim()).filter(Boolean);
	const chosen = wanted.map((name) => {
		const found = byKey.get(tagKey(name));
		if (found) return found;
		const slug = freeSlug(slugOfName(name) || 'tag', (one) => slugs.has(one));
		const tag = { id: crypto.randomUUID(), name, slug };
		slugs.add(slug);
		byKey.set(tagKey(name), tag);
		made.push(tag);
		return tag;
	});
	return { all: [...new Set(chosen)], made };
}

/** Returns the slug of a name, which may be empty. One character of a name can become many letters. */
export function slugOfName(name: string): string {
	return cutSlug(slugify(name), POST_LIMITS.slug);
}

/**
 * Resolves names to tags, ignoring case, and creates missing ones. Returns the names as shown, and the
 * statements that create tags and assign them to a post in this order.
 */
export async function resolveTags(db: Db, names: string[]) {
	const { all, made } = await chooseTags(db, names);
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
