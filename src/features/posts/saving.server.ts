import { and, eq, isNotNull, lte, ne, or, sql } from 'drizzle-orm';
import type { Db, Statement } from '#db/client.ts';
import { categories, posts, redirects } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import { abortUnless, retryWhenOvertaken } from '#src/core/batches.server.ts';
import { UNCATEGORIZED } from './post.ts';
import { requestBuild } from '#src/core/builds/builds.server.ts';
import { sanitizeArticle } from '#src/core/articles/sanitize.ts';
import { resolveTags } from './tags.server.ts';
import { postStateOf } from '#src/core/posts/post-state.ts';
import { runEach } from '#src/core/steps.server.ts';
import { DAY } from '#src/lib/dates.ts';
import { cutSlug } from '#src/lib/slug.ts';
import { AppError, invalid } from '#src/lib/errors.ts';
import { cut } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import type { ChangeNotice } from './changes.ts';
import type { EditedPost } from './editing.api.ts';
import {
	freeSlug,
	lengthErrors,
	MISSING,
	POST_LIMITS,
	RESTORE_DAYS,
	slugOf,
	UNTITLED,
	type PostForm,
} from './editing.ts';
import { findPost, toPostForm, getEditedPost, tagNames } from './editing.server.ts';
import { isVersion, quoteTitle, statementsOfSave, type PreviousPost } from './post-save.server.ts';

const STALE_MESSAGE = 'This post was changed elsewhere since you opened it.';
const DELETED_MESSAGE = 'This post was deleted. Restore it before you change it.';

/**
 * Stores a new post, completed by the rules of product.md section 5. An existing post with its `id` stays as it is and is
 * returned. `also` belongs to its batch.
 */
export async function createPost(
	db: Db,
	{ id: given, ...form }: PostForm & { id?: string | undefined },
	actor: Actor,
	also: (id: string) => Statement[] = () => [],
): Promise<EditedPost> {
	const id = given ?? crypto.randomUUID();
	await retryWhenOvertaken(async () => {
		if (given && (await findPost(db, id))) return;
		await savePost(db, id, form, undefined, actor, also(id));
	});
	return (await getEditedPost(db, id, actor.now))!;
}

/**
 * Begins a draft with what an article has, as its editor shows it: with an address, dates and versions of its own, and nothing
 * that readers did with the other one. Returns null if there is no such post.
 */
export async function copyPost(db: Db, id: string, actor: Actor): Promise<EditedPost | null> {
	const edited = await getEditedPost(db, id, actor.now);
	if (!edited) return null;
	const form = edited.draft?.form ?? edited.form;
	const base = form.title || edited.form.title;
	const named = (number: number) => {
		const ending = number === 1 ? ' (copy)' : ` (copy ${number})`;
		return cut(base, POST_LIMITS.title - ending.length) + ending;
	};
	const copies = await db
		.select(tolerant({ title: posts.title }))
		.from(posts)
		.where(sql`instr(${posts.title}, ' (copy') > 0`);
	const taken = new Set(copies.map(({ title }) => title));
	let number = 1;
	while (taken.has(named(number))) number++;
	return createPost(
		db,
		{
			...form,
			...{ title: named(number), slug: '', categoryId: form.categoryId || edited.form.categoryId },
			...{ published: false, publishedAt: '', featured: false },
		},
		actor,
	);
}

/** Changed fields, and the versions that the writer has seen. */
export type Change = Partial<{ [Key in keyof PostForm]: PostForm[Key] | undefined }> & {
	version?: number | undefined;
	draftVersion?: number | null | undefined;
	/** Whether readers of a public post are told; by default, they are not. */
	change?: ChangeNotice | undefined;
};

/** Saves changes to a post; missing fields keep their values. Returns null if there is no such post. */
export async function updatePost(
	db: Db,
	id: string,
	{ version, draftVersion = null, change = { kind: 'small' }, ...fields }: Change,
	actor: Actor,
): Promise<EditedPost | null> {
	const found = await retryWhenOvertaken(async () => {
		const row = await findPost(db, id);
		if (!row) return false;
		if (row.post.deletedAt) throw new AppError('conflict', DELETED_MESSAGE);
		if (version !== undefined && version !== row.post.version)
			throw new AppError('conflict', STALE_MESSAGE);
		const given = Object.entries(fields).filter(([, value]) => value !== undefined);
		const before = { post: row.post, form: toPostForm(row.post, tagNames(row)) };
		const form = { ...before.form, ...(Object.fromEntries(given) as Partial<PostForm>) };
		const faults = lengthErrors(form, before.form);
		if (Object.keys(faults).length > 0) {
			throw invalid(faults);
		}
		const isWhole = fields.content !== undefined;
		await savePost(db, id, form, { ...before, isWhole, draftVersion, change }, actor);
		return true;
	});
	return found ? getEditedPost(db, id, actor.now) : null;
}

/** Saves a post with everything that depends on it, in one batch. */
async function savePost(
	db: Db,
	id: string,
	given: PostForm,
	before: PreviousPost | undefined,
	{ actor, now }: Actor,
	also: readonly Statement[] = [],
): Promise<void> {
	const category = await findCategory(db, given);
	const isNew = given.published && !before?.post.published;
	const missing = {
		title: given.published && (!given.title || (isNew && given.title === UNTITLED)),
		categoryId: !category || (isNew && category.slug === UNCATEGORIZED.slug),
	};
	if (!category || missing.title || missing.categoryId) {
		const fields = {
			...(missing.title && { title: MISSING.title }),
			...(missing.categoryId && { categoryId: MISSING.categoryId }),
		};
		throw invalid(fields);
	}
	const form = { ...given, title: given.title || UNTITLED, categoryId: category.id };
	const slug = await chooseSlug(db, id, form);
	const tagged = await resolveTags(db, form.tags);
	// What is stored stays, so that an article that cannot be parsed can be unpublished.
	const content = form.content === before?.form.content ? form.content : cleanContent(form);
	const save = { db, id, actor, now, before, form, slug, content, tagged };
	const [first, ...rest] = [...category.statements, ...statementsOfSave(save), ...also];
	await db.batch([first!, ...rest]);
}

const GROWS_MESSAGE =
	'This HTML becomes several times as long once its elements are closed: close them where they end';

/** Returns the sanitized article. Refuses content that only becomes too long by sanitizing. */
export function cleanContent({ content }: Pick<PostForm, 'content'>): string {
	const clean = sanitizeArticle(content);
	if (clean.length > POST_LIMITS.content && clean.length > 2 * content.length) {
		throw invalid({ content: GROWS_MESSAGE });
	}
	return clean;
}

/**
 * Returns the category of a form; for a draft without one, the default category and the statement that creates
 * it. Returns undefined if the category does not exist.
 */
async function findCategory(db: Db, { categoryId, published }: PostForm) {
	const isOpen = categoryId === '' && !published;
	const [found] = await db
		.select(tolerant({ id: categories.id, slug: categories.slug }))
		.from(categories)
		.where(
			isOpen
				? or(eq(categories.slug, UNCATEGORIZED.slug), eq(categories.name, UNCATEGORIZED.name))
				: eq(categories.id, categoryId),
		);
	if (found || !isOpen) return found && { ...found, statements: [] };
	const made = { id: crypto.randomUUID(), ...UNCATEGORIZED };
	return { ...made, statements: [db.insert(categories).values(made)] };
}

/** Returns the slug for a post: the requested one, with a number if another post has or had it. */
async function chooseSlug(db: Db, id: string, form: PostForm): Promise<string> {
	const wanted = slugOf(form);
	const start = cutSlug(wanted, POST_LIMITS.slug - 10);
	const near = (column: typeof posts.slug | typeof redirects.slug) =>
		sql`${column} between ${start} and ${`${start}\u{10ffff}`}`;
	const [used, left] = await Promise.all([
		db
			.select(tolerant({ slug: posts.slug }))
			.from(posts)
			.where(and(near(posts.slug), ne(posts.id, id))),
		db
			.select(tolerant({ slug: redirects.slug }))
			.from(redirects)
			.where(and(near(redirects.slug), ne(redirects.postId, id))),
	]);
	const taken = new Set([...used, ...left].map(({ slug }) => slug));
	return freeSlug(wanted, (slug) => taken.has(slug));
}

/** Deletes a post, which can be restored for 30 days. Returns null if there is no such post. */
export async function deletePost(
	db: Db,
	id: string,
	{ actor, now }: Actor,
): Promise<{ id: string; deletedAt: string } | null> {
	return retryWhenOvertaken(async () => {
		const row = await findPost(db, id);
		if (!row) return null;
		const { post } = row;
		if (post.deletedAt) return { id, deletedAt: post.deletedAt.toISOString() };
		const detail = quoteTitle(post.title);
		await db.batch([
			abortUnless(db, isVersion(id, post.version)),
			db
				.update(posts)
				.set({ deletedAt: now, version: post.version + 1 })
				.where(eq(posts.id, id)),
			auditStatement(db, { actor, action: 'deleted', subject: `post ${id}`, detail }, now),
			...(postStateOf(post, now) === 'published'
				? requestBuild(db, `Deleted ${detail}`, now, [paths.post(post.slug)])
				: []),
		]);
		return { id, deletedAt: now.toISOString() };
	});
}

/** Restores a deleted post to its previous state. Returns null if it does not exist anymore. */
export async function restorePost(
	db: Db,
	id: string,
	{ actor, now }: Actor,
): Promise<EditedPost | null> {
	const row = await findPost(db, id);
	if (!row || (row.post.deletedAt && row.post.deletedAt <= oldestRestorable(now))) return null;
	if (row.post.deletedAt) {
		const detail = quoteTitle(row.post.title);
		const state = postStateOf({ ...row.post, deletedAt: null }, now);
		await db.batch([
			db
				.update(posts)
				.set({ deletedAt: null, version: sql`${posts.version} + 1` })
				.where(and(eq(posts.id, id), isNotNull(posts.deletedAt))),
			auditStatement(db, { actor, action: 'restored', subject: `post ${id}`, detail }, now),
			...(state === 'published'
				? requestBuild(db, `Restored ${detail}`, now, [paths.post(row.post.slug)])
				: []),
		]);
	}
	return getEditedPost(db, id, now);
}

/** Records that a public post is still true as it is. Returns null if there is none, or it is not public. */
export async function recordReview(
	db: Db,
	id: string,
	{ actor, now }: Actor,
): Promise<{ id: string; reviewedAt: string } | null> {
	const row = await findPost(db, id);
	if (!row || postStateOf(row.post, now) !== 'published') return null;
	const { title, slug } = row.post;
	const detail = quoteTitle(title);
	await db.batch([
		db.update(posts).set({ reviewedAt: now }).where(eq(posts.id, id)),
		auditStatement(db, { actor, action: 'reviewed', subject: `post ${id}`, detail }, now),
		...requestBuild(db, `Reviewed ${detail}`, now, [paths.post(slug)]),
	]);
	return { id, reviewedAt: now.toISOString() };
}

/** Deletes posts permanently once they can no longer be restored. */
export async function purgeDeletedPosts(db: Db, now: Date): Promise<void> {
	const gone = and(isNotNull(posts.deletedAt), lte(posts.deletedAt, oldestRestorable(now)));
	const rows = await db
		.select(tolerant({ id: posts.id, title: posts.title }))
		.from(posts)
		.where(gone);
	const purge = (id: string, title: string) =>
		db.batch([
			db.delete(posts).where(and(eq(posts.id, id), gone)),
			auditStatement(
				db,
				{
					actor: 'maintenance',
					action: 'removed',
					subject: `post ${id}`,
					detail: quoteTitle(title),
				},
				now,
			),
		]);
	await runEach(rows.map(({ id, title }) => [`Removing post ${id}`, () => purge(id, title)]));
}

const oldestRestorable = (now: Date) => new Date(now.getTime() - RESTORE_DAYS * DAY);
