import { inArray } from 'drizzle-orm';
import type { Db, Statements } from '#db/client.ts';
import { categories, comments, drafts, posts, redirects } from '#db/schema.ts';
import { audit } from '#src/features/admin/audit.server.ts';
import { storeMedia } from '#src/features/media/upload.server.ts';
import { freeSlug, metaTitleOf, minutesOf, slugOf } from '#src/features/posts/editing.ts';
import { formOf } from '#src/features/posts/editing.server.ts';
import { keepForm } from '#src/features/posts/revisions.server.ts';
import type { By } from '#src/features/posts/saving.server.ts';
import { requestBuild } from '#src/features/publishing/builds.server.ts';
import { sanitizeArticle } from '#src/features/publishing/sanitize.ts';
import { tagsFor } from '#src/features/tags/tags.server.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { slugify } from '#src/lib/slug.ts';
import { plural } from '#src/lib/text.ts';
import { paths, site } from '#src/site.ts';
import {
	overLimits,
	type ImportAnswer,
	type ImportedCategory,
	type ImportedComment,
	type ImportedPost,
	type ImportInput,
	type PostResult,
} from './transfer.ts';

/**
 * Stores a part of a bundle, or with `preview` tells what that would do. What is there already stays as it is: a post
 * with the same id or slug is `known`. Posts over a limit come in whole and say so.
 */
export async function importPart(db: Db, input: ImportInput, by: By): Promise<ImportAnswer> {
	const known = await db.select().from(categories);
	const fallback = known.find(({ id }) => id === input.categoryId);
	if (!fallback) {
		throw new AppError('validation', MESSAGES.validation, {
			fields: { categoryId: 'Please choose a category.' },
		});
	}
	const added = newCategories(known, input.categories);
	const all = [...known, ...added];
	if (!input.preview && added.length > 0) await db.insert(categories).values(added);
	const media = input.media && !input.preview ? await storeMedia(db, input.media, by) : undefined;
	const results = await importPosts(db, input, all, fallback, by);
	const stored = input.preview ? 0 : await importComments(db, input.comments, by);
	return {
		categories: added.length,
		posts: results,
		comments: stored,
		mediaId: media?.id ?? null,
	};
}

type Category = { id: string; name: string; slug: string };

function newCategories(known: Category[], given: ImportedCategory[]) {
	const names = new Set(known.map(({ name }) => name.toLowerCase()));
	const slugs = new Set(known.map(({ slug }) => slug));
	const added: (typeof categories.$inferInsert & Category)[] = [];
	for (const { color, ...category } of given) {
		const slug =
			slugify(category.slug) ||
			slugify(category.name) ||
			freeSlug('category', (one) => slugs.has(one));
		const name = category.name.toLowerCase();
		if (names.has(name) || slugs.has(slug)) continue;
		names.add(name);
		slugs.add(slug);
		added.push({ id: crypto.randomUUID(), ...category, slug, ...(color && { color }) });
	}
	return added;
}

async function importPosts(
	db: Db,
	input: ImportInput,
	all: Category[],
	fallback: Category,
	{ actor, now }: By,
): Promise<PostResult[]> {
	const results: PostResult[] = [];
	const there = await db.select({ id: posts.id, slug: posts.slug }).from(posts);
	const idOf = new Map(there.map(({ id, slug }) => [slug, id]));
	const ids = new Set(there.map(({ id }) => id));
	const taken = new Set([
		...idOf.keys(),
		...(await db.select({ slug: redirects.slug }).from(redirects)).map(({ slug }) => slug),
	]);
	for (const given of input.posts) {
		const title = given.title || 'Untitled';
		const wanted = slugOf({ slug: given.slug, title });
		const same = given.id && ids.has(given.id) ? given.id : idOf.get(wanted);
		if (same) {
			const notes = ['A post with this address is there already: it stays as it is.'];
			results.push({ key: given.key, id: same, outcome: 'known', slug: wanted, notes });
			continue;
		}
		const slug = freeSlug(wanted, (one) => taken.has(one));
		taken.add(slug);
		const notes = overLimits({ ...given, title });
		if (slug !== wanted) notes.push(`“${wanted}” is not free: its address ends with ${slug}`);
		const category = all.find(
			(one) =>
				[given.category, slugify(given.category)].includes(one.slug) ||
				one.name.toLowerCase() === given.category.toLowerCase(),
		);
		if (!category && given.category) {
			notes.push(`There is no category “${given.category}”: it comes into “${fallback.name}”`);
		}
		const id = given.id ?? crypto.randomUUID();
		idOf.set(slug, id);
		ids.add(id);
		results.push({
			key: given.key,
			id: input.preview ? null : id,
			outcome: 'added',
			slug,
			notes,
		});
		if (input.preview) continue;
		const row = rowOf({ ...given, title }, (category ?? fallback).id, slug, input.asDrafts, now);
		const tagged = await tagsFor(db, given.tags);
		const form = formOf({ id, version: 1, deletedAt: null, ...row }, tagged.names);
		const batch: Statements = [
			db.insert(posts).values({ id, ...row }),
			...tagged.statements(id),
			...keepForm(db, id, form, 'import', now),
		];
		if (given.draft) {
			const form = { ...given.draft, content: sanitizeArticle(given.draft.content) };
			batch.push(
				db.insert(drafts).values({ postId: id, form, baseVersion: 1, updatedAt: row.updatedAt }),
			);
		}
		for (const old of given.redirects.map(slugify)) {
			if (!old || taken.has(old)) continue;
			taken.add(old);
			batch.push(db.insert(redirects).values({ slug: old, postId: id, createdAt: now }));
		}
		const deed = { actor, action: 'imported', subject: `post ${id}`, detail: `“${title}”` };
		batch.push(audit(db, deed, now));
		if (row.published) {
			const isDue = row.publishedAt && row.publishedAt <= now;
			batch.push(...requestBuild(db, 'Imported posts', now, isDue ? [paths.post(slug)] : []));
		}
		// One by one, because the next post's tags may be this one's; each with all that it needs, should the next one fail.
		await db.batch(batch);
	}
	return results;
}

function rowOf(post: ImportedPost, categoryId: string, slug: string, asDrafts: boolean, now: Date) {
	const date = (time: string | null) => (time ? new Date(time) : null);
	const content = sanitizeArticle(post.content);
	const createdAt = date(post.createdAt) ?? date(post.publishedAt) ?? now;
	const isPublished = post.published && !asDrafts;
	return {
		title: post.title,
		slug,
		excerpt: post.excerpt || null,
		content,
		featuredImage: post.featuredImage || null,
		metaTitle: metaTitleOf(post) || null,
		metaDescription: post.metaDescription || null,
		author: post.author || site.author,
		categoryId,
		published: isPublished,
		featured: post.featured,
		readTime: minutesOf({ ...post, content, categoryId, publishedAt: '' }),
		publishedAt: asDrafts ? null : isPublished ? (date(post.publishedAt) ?? createdAt) : keptTime(),
		createdAt,
		updatedAt: date(post.updatedAt) ?? createdAt,
	};

	/** Of an unpublished post of our own; elsewhere a draft's date is no publication. */
	function keptTime(): Date | null {
		return post.id ? date(post.publishedAt) : null;
	}
}

async function importComments(
	db: Db,
	given: ImportedComment[],
	{ actor, now }: By,
): Promise<number> {
	if (given.length === 0) return 0;
	const wanted = [...new Set(given.map(({ post }) => post))];
	const found = await db.select({ id: posts.id }).from(posts).where(inArray(posts.id, wanted));
	const ids = new Set(found.map(({ id }) => id));
	const values = given
		.filter(({ post }) => ids.has(post))
		.map(({ post, id, createdAt, reviewedAt, ...comment }) => ({
			...comment,
			id: id ?? crypto.randomUUID(),
			postId: post,
			reviewedAt: reviewedAt ? new Date(reviewedAt) : null,
			createdAt: new Date(createdAt),
			updatedAt: new Date(createdAt),
		}));
	if (values.length === 0) return 0;
	const [stored] = await db.batch([
		db.insert(comments).values(values).onConflictDoNothing().returning({ id: comments.id }),
		audit(
			db,
			{
				actor,
				action: 'imported comments',
				subject: `comment ${values[0]!.id}`,
				detail: plural(values.length, 'comment'),
			},
			now,
		),
	]);
	return stored.length;
}
