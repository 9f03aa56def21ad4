import { and, eq, inArray, isNull } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db, Statements } from '#db/client.ts';
import { categories, comments, drafts, importItems, pages, posts, redirects } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import { storeMedia } from '#src/features/media/upload.server.ts';
import {
	askedText,
	dueText,
	freeSlug,
	imageAddress,
	metaTitleOf,
	minutesOf,
	slugOf,
	tagKey,
} from '#src/features/posts/editing.ts';
import { toPostForm, textColumns } from '#src/features/posts/editing.server.ts';
import { saveRevision } from '#src/features/posts/revisions.server.ts';
import { postStateOf } from '#src/core/posts/post-state.ts';
import { requestBuild } from '#src/core/builds/builds.server.ts';
import { sanitizeArticle } from '#src/core/articles/sanitize.ts';
import { chosenSlugs, MAX_CHOSEN } from '#src/features/posts/related.ts';
import { resolveTags } from '#src/features/posts/tags.server.ts';
import { invalid } from '#src/lib/errors.ts';
import { slugify } from '#src/lib/slug.ts';
import { isFreeSlug, site } from '#src/site.ts';
import { beginImport, recordItems } from '#src/core/imports/items.server.ts';
import { IMPORTED } from '#src/core/imports/run.ts';
import {
	overLimits,
	type ImportResponse,
	type ImportedCategory,
	type ImportedComment,
	type ImportedPost,
	type ImportInput,
	type PageResult,
	type PostResult,
} from './bundle.ts';
import { oldAddress } from './old-addresses.ts';

/**
 * Stores a part of a bundle, or with `preview` tells what that would do. What was there before this import stays as it is:
 * a post with the same id, or with the same address and title, is `known`. Posts over a limit come in whole and say so. A part that is sent again is
 * stored once.
 */
export async function importPart(
	db: Db,
	input: ImportInput,
	actor: Actor,
): Promise<ImportResponse> {
	const known = await db.select(tolerant(categories)).from(categories);
	const fallback = known.find(({ id }) => id === input.categoryId);
	if (!fallback) {
		throw invalid({ categoryId: 'Please choose a category.' });
	}
	const { run } = input;
	if (!input.preview) await beginImport(db, run, { ...actor, action: IMPORTED.file });
	const added = newCategories(known, input.categories);
	const rows = added.map(({ row }) => row);
	if (!input.preview && rows.length > 0) {
		await db.batch([db.insert(categories).values(rows), recordItems(db, run.id, 'category', rows)]);
	}
	const media =
		input.media && !input.preview
			? await storeMedia(db, input.media, actor, (id) => recordItems(db, run.id, 'image', [{ id }]))
			: undefined;
	const results = await importPosts(db, input, [...known, ...rows], fallback, actor);
	const sides = await importPages(db, input, actor);
	const stored = input.preview ? 0 : await importComments(db, input.comments);
	return {
		categories: added.map(({ given }) => given),
		posts: results,
		pages: sides,
		comments: stored,
		mediaId: media?.id ?? null,
	};
}

type Category = { id: string; name: string; slug: string };

function newCategories(known: Category[], given: ImportedCategory[]) {
	const names = new Set(known.map(({ name }) => tagKey(name)));
	const slugs = new Map(known.map(({ slug, name }) => [slug, name]));
	const added: { given: string; row: typeof categories.$inferInsert & Category }[] = [];
	for (const { color, ...category } of given) {
		const name = tagKey(category.name);
		const wanted = slugOf({ slug: category.slug, title: category.name });
		const other = slugs.get(wanted);
		// With one address it is the same under another name, but where names differ in signs alone: C, C++ and C#.
		const isSame = other !== undefined && slugify(other) !== slugify(category.name);
		if (names.has(name) || isSame) continue;
		const slug = freeSlug(wanted, (one) => slugs.has(one));
		names.add(name);
		slugs.set(slug, category.name);
		const row = { id: crypto.randomUUID(), ...category, slug, ...(color && { color }) };
		added.push({ given: category.name, row });
	}
	return added;
}

/** Reasons why a post of the file does not come in: the same one is there. */
const KNOWN = {
	there: 'It is there already, and stays as it is',
	deleted: 'It is among the deleted posts, where it can be restored',
} as const;

async function importPosts(
	db: Db,
	input: ImportInput,
	all: Category[],
	fallback: Category,
	{ now }: Actor,
): Promise<PostResult[]> {
	if (input.posts.length === 0) return [];
	const results: PostResult[] = [];
	const [there, mine, left] = await Promise.all([
		db
			.select(
				tolerant({
					id: posts.id,
					slug: posts.slug,
					title: posts.title,
					deletedAt: posts.deletedAt,
				}),
			)
			.from(posts),
		db
			.select({ key: importItems.key, id: importItems.itemId })
			.from(importItems)
			.where(and(eq(importItems.importId, input.run.id), eq(importItems.kind, 'post'))),
		db.select(tolerant({ slug: redirects.slug, postId: redirects.postId })).from(redirects),
	]);
	const came = new Map(mine.map(({ key, id }) => [key, id]));
	const ours = new Set(came.values());
	const before = there.filter(({ id }) => !ours.has(id));
	const byTitle = Map.groupBy(before, (post) => post.title);
	const ledTo = new Map<string, number>();
	for (const { postId } of left) ledTo.set(postId, (ledTo.get(postId) ?? 0) + 1);
	const byId = new Map(before.map((post) => [post.id, post]));
	const slugs = new Map(there.map(({ id, slug }) => [id, slug]));
	/** The post of this title and address, which may have got a number when it came in. A post is the same as one of the file. */
	const sameOf = (title: string, wanted: string) => {
		const found = byTitle
			.get(title)
			?.find(({ slug }) => slug === wanted || slug.replace(/-\d+$/, '') === wanted);
		if (found)
			byTitle.set(
				title,
				byTitle.get(title)!.filter((post) => post !== found),
			);
		return found;
	};
	const taken = new Set([...there, ...left].map(({ slug }) => slug));
	for (const slug of input.taken) taken.add(slug);
	for (const given of input.posts) {
		const title = given.title || 'Untitled';
		const wanted = slugOf({ slug: given.slug, title });
		const mineId = came.get(given.key);
		if (mineId) {
			const slug = slugs.get(mineId) ?? wanted;
			const led = ledTo.get(mineId) ?? 0;
			results.push({ key: given.key, id: mineId, outcome: 'added', slug, led, notes: [] });
			continue;
		}
		const same = (given.id && byId.get(given.id)) || sameOf(title, wanted);
		if (same) {
			const what = KNOWN[same.deletedAt ? 'deleted' : 'there'];
			const notes = [
				{ what, detail: same.title === title ? same.slug : `${same.slug}: “${same.title}”` },
			];
			const known = {
				key: given.key,
				id: same.id,
				outcome: 'known',
				slug: same.slug,
				led: 0,
				notes,
			};
			results.push(known as PostResult);
			continue;
		}
		const slug = freeSlug(wanted, (one) => taken.has(one));
		taken.add(slug);
		const { category, post, notes } = completePost({ ...given, title }, all, fallback);
		if (slug !== wanted) {
			const what = 'Its address is taken, and ends with a number';
			notes.push({ what, detail: `${wanted} → ${slug}` });
		} else if (given.slug && slug !== given.slug) {
			const what = 'Its address is written in letters, digits and hyphens';
			notes.push({ what, detail: `${given.slug} → ${slug}` });
		}
		const id = given.id ?? crypto.randomUUID();
		const answered = input.preview ? null : id;
		const leads = post.redirects.filter((old) => old !== slug && !taken.has(old));
		for (const old of leads) taken.add(old);
		// The one that it has here leads to it as well.
		const led = leads.length + (post.redirects.includes(slug) ? 1 : 0);
		results.push({ key: given.key, id: answered, outcome: 'added', slug, led, notes });
		if (input.preview) continue;
		const row = toRow(post, category.id, slug, input.asDrafts, now);
		const tagged = await resolveTags(db, given.tags);
		const form = toPostForm(row, tagged.names);
		const wasPublic = postStateOf({ ...row, deletedAt: null }, now) === 'published';
		const batch: Statements = [
			db.insert(posts).values({ id, ...row }),
			recordItems(db, input.run.id, 'post', [{ id, key: given.key, wasPublic }]),
			...tagged.statements(id),
			...saveRevision(db, id, form, 'import', now),
		];
		if (given.draft) {
			const form = { ...given.draft, content: sanitizeArticle(given.draft.content) };
			batch.push(
				db.insert(drafts).values({ postId: id, form, baseVersion: 1, updatedAt: row.updatedAt }),
			);
		}
		for (const old of leads)
			batch.push(db.insert(redirects).values({ slug: old, postId: id, createdAt: now }));
		// Not announced to search engines: it was public before.
		if (row.published) batch.push(...requestBuild(db, 'Imported posts', now));
		// One by one, because the next post's tags may be this one's; each with all that it needs, should the next one fail.
		await db.batch(batch);
	}
	return results;
}

/** Stores pages. One that the site has already, of the same title and address, stays as it is. */
async function importPages(db: Db, input: ImportInput, { now }: Actor): Promise<PageResult[]> {
	if (input.pages.length === 0) return [];
	const [there, mine] = await Promise.all([
		db.select(tolerant({ id: pages.id, slug: pages.slug, title: pages.title })).from(pages),
		db
			.select({ key: importItems.key, id: importItems.itemId })
			.from(importItems)
			.where(and(eq(importItems.importId, input.run.id), eq(importItems.kind, 'page'))),
	]);
	const came = new Set(mine.map(({ key }) => key));
	const before = there.filter(({ id }) => mine.every((item) => item.id !== id));
	const taken = new Set(there.map(({ slug }) => slug));
	const results: PageResult[] = [];
	for (const given of input.pages) {
		const { key } = given;
		const title = given.title || 'Untitled';
		const wanted = slugOf({ slug: given.slug, title });
		const notes: PageResult['notes'] = [];
		if (came.has(key)) {
			results.push({ key, outcome: 'added', notes });
			continue;
		}
		const same = before.find(
			(page) => page.title === title && page.slug.replace(/-\d+$/, '') === wanted,
		);
		if (same) {
			const note = { what: KNOWN.there, detail: same.slug };
			results.push({ key, outcome: 'known', notes: [note] });
			continue;
		}
		const slug = freeSlug(wanted, (one) => taken.has(one) || !isFreeSlug(one));
		taken.add(slug);
		if (slug !== wanted) {
			const what =
				'Something here has its address: it comes in under another one and is not public';
			notes.push({ what, detail: `${wanted} → ${slug}` });
		}
		results.push({ key, outcome: 'added', notes });
		if (input.preview) continue;
		const id = crypto.randomUUID();
		const published = given.published && !input.asDrafts && slug === wanted;
		const createdAt = date(given.createdAt) ?? now;
		const updatedAt = date(given.updatedAt) ?? createdAt;
		const content = sanitizeArticle(given.content);
		await db.batch([
			db.insert(pages).values({ id, slug, title, content, published, createdAt, updatedAt }),
			recordItems(db, input.run.id, 'page', [{ id, key }]),
			...(published ? requestBuild(db, 'Imported pages', now) : []),
		]);
	}
	return results;
}

/** A post as it can be stored, with what had to be changed of it. */
function completePost(given: ImportedPost, all: Category[], fallback: Category) {
	const notes = overLimits(given);
	const post = { ...given };
	const wanted = tagKey(given.category);
	const category =
		all.find(({ name }) => tagKey(name) === wanted) ??
		all.find(({ slug }) => slug === given.category) ??
		// By its address alone where the names do not differ in signs: C is not C++.
		all.find(({ name, slug }) => slug === slugify(given.category) && slugify(name) !== slug);
	// A category that the post keeps as a tag is not lost.
	const isTag = given.tags.some((tag) => tagKey(tag) === wanted);
	if (!category && given.category && !isTag) {
		const detail = `“${given.category}”`;
		notes.push({ what: 'There is no category of its name: it comes into the chosen one', detail });
	}
	if (!IMAGE_ADDRESS.safeParse(given.featuredImage).success) {
		notes.push({ what: 'Its featured image has no usable address', detail: given.featuredImage });
		post.featuredImage = '';
	}
	const related = chosenSlugs(given.related);
	if (related.length > MAX_CHOSEN) {
		const what = `It names more than ${MAX_CHOSEN} related articles: the first of them stay`;
		notes.push({ what, detail: String(related.length) });
	}
	post.related = related.slice(0, MAX_CHOSEN).join(', ');
	for (const [name, what] of OPTIONAL_TEXTS) {
		if (WHOLE_TEXTS[name].safeParse(given[name]).success) continue;
		notes.push({ what, detail: given[name] });
		post[name] = '';
	}
	const old = given.redirects.map(oldAddress);
	post.redirects = [...new Set(old)].filter(Boolean);
	if (given.redirects.some((one, at) => !old[at] && slugify(one)))
		notes.push({ what: 'An earlier address of it is too long to be kept' });
	if (given.published && !given.publishedAt && !given.createdAt) {
		notes.push({ what: 'It has no date: it comes in as a draft' });
		post.published = false;
	}
	return { post, notes, category: category ?? fallback };
}

const WHOLE_TEXTS = { questions: askedText, staleAfter: dueText };
const OPTIONAL_TEXTS = [
	['questions', 'Its questions are not one on each line with their answers'],
	['staleAfter', 'What it says of when it is stale begins with no day'],
] as const;

const IMAGE_ADDRESS = z.string().check(imageAddress);

function toRow(post: ImportedPost, categoryId: string, slug: string, asDrafts: boolean, now: Date) {
	const content = sanitizeArticle(post.content);
	const createdAt = date(post.createdAt) ?? date(post.publishedAt) ?? now;
	const isPublished = post.published && !asDrafts;
	return {
		...textColumns(post),
		slug,
		content,
		metaTitle: metaTitleOf(post) || null,
		author: post.author || site.author,
		categoryId,
		published: isPublished,
		featured: post.featured,
		readTime: minutesOf({ ...post, content, categoryId, publishedAt: '' }),
		publishedAt: asDrafts ? null : isPublished ? (date(post.publishedAt) ?? createdAt) : keptTime(),
		createdAt,
		updatedAt: date(post.updatedAt) ?? createdAt,
	};

	/**
	 * Returns the date of an unpublished post of our own; in other sources, a draft's date is not a publication date.
	 */
	function keptTime(): Date | null {
		return post.id ? date(post.publishedAt) : null;
	}
}

const date = (time: string | null | undefined) => (time ? new Date(time) : null);

async function importComments(db: Db, given: ImportedComment[]): Promise<number> {
	if (given.length === 0) return 0;
	const wanted = [...new Set(given.map(({ post }) => post))];
	const found = await db.select({ id: posts.id }).from(posts).where(inArray(posts.id, wanted));
	const ids = new Set(found.map(({ id }) => id));
	const answered = given.flatMap(({ parentId }) => parentId ?? []);
	const there = await db
		.select({ id: comments.id })
		.from(comments)
		.where(and(inArray(comments.id, answered), isNull(comments.parentId)));
	const parents = new Set(there.map(({ id }) => id));
	const values = given
		.filter(({ post }) => ids.has(post))
		.map(({ post, id, parentId, createdAt, reviewedAt, pinnedAt, editedAt, ...comment }) => ({
			...comment,
			id: id ?? crypto.randomUUID(),
			postId: post,
			parentId: parentId && parents.has(parentId) ? parentId : null,
			pinnedAt: date(pinnedAt),
			editedAt: date(editedAt),
			reviewedAt: date(reviewedAt),
			createdAt: new Date(createdAt),
			updatedAt: new Date(createdAt),
		}));
	if (values.length === 0) return 0;
	const stored = await db
		.insert(comments)
		.values(values)
		.onConflictDoNothing()
		.returning({ id: comments.id });
	return stored.length;
}
