import { isDeepStrictEqual } from 'node:util';
import { and, eq, isNotNull, lte, ne, or, sql, type SQL } from 'drizzle-orm';
import type { Db, Statements } from '#db/client.ts';
import { categories, drafts, posts, redirects } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import { abortUnless, retryWhenOvertaken } from '#src/core/batches.server.ts';
import { UNCATEGORIZED } from './post.ts';
import { requestBuild } from '#src/core/builds/builds.server.ts';
import { clearProblem } from '#src/core/builds/problems.server.ts';
import { isReadable } from '#src/core/builds/rows.server.ts';
import { sanitizeArticle } from '#src/core/articles/sanitize.ts';
import { changedAtOf } from './posts.server.ts';
import { resolveTags } from './tags.server.ts';
import { postStateOf, type PostState } from '#src/core/posts/post-state.ts';
import { runEach } from '#src/core/steps.server.ts';
import { DAY } from '#src/lib/dates.ts';
import { cutSlug } from '#src/lib/slug.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { paths, site } from '#src/site.ts';
import { announceChange } from './changes.server.ts';
import type { ChangeNotice } from './changes.ts';
import type { EditedPost } from './editing.api.ts';
import {
	freeSlug,
	lengthErrors,
	metaTitleOf,
	minutesOf,
	MISSING,
	POST_LIMITS,
	RESTORE_DAYS,
	slugOf,
	UNTITLED,
	type PostForm,
} from './editing.ts';
import { findPost, toPostForm, getEditedPost, tagNames, textColumns } from './editing.server.ts';
import { removesMuch, saveDraftAsRevision, saveRevision, PAUSE_MS } from './revisions.server.ts';

type Row = typeof posts.$inferSelect;

/** The author and time of a change. */
export type Actor = { actor: string; now: Date };

const STALE_MESSAGE = 'This post was changed elsewhere since you opened it.';
const DELETED_MESSAGE = 'This post was deleted. Restore it before you change it.';

/**
 * Stores a new post, completed by the rules of product.md section 5. An existing post with its `id` stays as it is and is
 * returned.
 */
export async function createPost(
	db: Db,
	{ id: given, ...form }: PostForm & { id?: string | undefined },
	actor: Actor,
): Promise<EditedPost> {
	const id = given ?? crypto.randomUUID();
	await retryWhenOvertaken(async () => {
		if (given && (await findPost(db, id))) return;
		await savePost(db, id, form, undefined, actor);
	});
	return (await getEditedPost(db, id, actor.now))!;
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
			throw new AppError('validation', MESSAGES.validation, { fields: faults });
		}
		const isWhole = fields.content !== undefined;
		await savePost(db, id, form, { ...before, isWhole, draftVersion, change }, actor);
		return true;
	});
	return found ? getEditedPost(db, id, actor.now) : null;
}

/**
 * The state before a save. `isWhole`: the save includes the article's text, so it replaces the draft if it
 * knows its version.
 */
type PreviousPost = {
	post: Row;
	form: PostForm;
	isWhole: boolean;
	draftVersion: number | null;
	change: ChangeNotice;
};

/** Saves a post with everything that depends on it, in one batch. */
async function savePost(
	db: Db,
	id: string,
	given: PostForm,
	before: PreviousPost | undefined,
	{ actor, now }: Actor,
): Promise<void> {
	const earlier = before?.post;
	const category = await findCategory(db, given);
	const isNew = given.published && !earlier?.published;
	const missing = {
		title: given.published && (!given.title || (isNew && given.title === UNTITLED)),
		categoryId: !category || (isNew && category.slug === UNCATEGORIZED.slug),
	};
	if (!category || missing.title || missing.categoryId) {
		const fields = {
			...(missing.title && { title: MISSING.title }),
			...(missing.categoryId && { categoryId: MISSING.categoryId }),
		};
		throw new AppError('validation', MESSAGES.validation, { fields });
	}
	const form = { ...given, title: given.title || UNTITLED, categoryId: category.id };
	const slug = await chooseSlug(db, id, form);
	const tagged = await resolveTags(db, form.tags);
	// What is stored stays, so that an article that cannot be parsed can be unpublished.
	const content = form.content === before?.form.content ? form.content : cleanContent(form);
	const isTold = before !== undefined && before.change.kind !== 'small';
	// As with the title: a program sends the default back that it got.
	const isDefault =
		before?.form.metaDescription === '' && form.metaDescription === before.form.excerpt;
	const values = {
		...textColumns(form),
		...(isDefault && { metaDescription: null }),
		slug,
		content,
		metaTitle: metaTitleOf(form, before?.form) || null,
		author: form.author || site.author,
		categoryId: category.id,
		published: form.published,
		featured: form.featured,
		readTime: minutesOf({ ...form, content }),
		publishedAt: publishedAtOf(form, earlier, now),
		createdAt: earlier?.createdAt ?? now,
		updatedAt: now,
		changedAt: earlier && !isTold && hasBeenPublic(earlier, now) ? changedAtOf(earlier) : null,
	};
	const stored = { ...values, deletedAt: null };
	const previousState = earlier && postStateOf(earlier, now);
	const state = postStateOf(stored, now);
	const saved = toPostForm(values, tagged.names);

	const storing: Statements = earlier
		? [
				abortUnless(db, isVersion(id, earlier.version)),
				db
					.update(posts)
					.set({
						...(before?.isWhole ? values : changedOf(values, earlier)),
						version: earlier.version + 1,
					})
					.where(eq(posts.id, id)),
			]
		: [db.insert(posts).values({ id, ...values })];
	const [makeCategory] = category.statements;
	const statements: Statements = makeCategory ? [makeCategory, ...storing] : storing;
	if (!before || before.form.tags.join('\n') !== tagged.names.join('\n')) {
		statements.push(...tagged.statements(id));
	}
	if (earlier && earlier.slug !== slug) {
		statements.push(db.delete(redirects).where(eq(redirects.slug, slug)));
		// A post that was public once has incoming links, unless no page could be made of it. Any may have been chosen as related.
		const isNamed = hasBeenPublic(earlier, now)
			? sql`true`
			: sql`exists (select 1 from ${posts} where instr(${posts.related}, ${earlier.slug}) > 0)`;
		statements.push(
			db
				.insert(redirects)
				.select(
					sql`select ${earlier.slug}, ${id}, ${now.getTime()} where ${isReadable('post row', sql`${id}`)} and ${isNamed}`,
				)
				.onConflictDoUpdate({ target: redirects.slug, set: { postId: id, createdAt: now } }),
		);
	}
	const isOld = before && +now - +before.post.updatedAt >= PAUSE_MS;
	if (before && !before.post.published && (isOld || removesMuch(before.form, form))) {
		statements.push(...saveRevision(db, id, before.form, 'pause', before.post.updatedAt));
	}
	if (before?.isWhole) {
		statements.push(
			...saveDraftAsRevision(db, id, 'pause', new Date(+now - PAUSE_MS), before.draftVersion),
		);
		statements.push(db.delete(drafts).where(eq(drafts.postId, id)));
		statements.push(clearProblem(db, 'post row', id));
	}
	if (form.published) statements.push(...saveRevision(db, id, saved, 'publish', now));
	const { kind } = before?.change ?? { kind: 'small' };
	if (before && kind !== 'small' && previousState === 'published' && state === 'published') {
		statements.push(announceChange(db, id, { ...before.change, kind }, [before.form, saved], now));
	}
	const action = actionOf(previousState, state);
	statements.push(
		auditStatement(
			db,
			{ actor, action, subject: `post ${id}`, detail: quoteTitle(form.title) },
			now,
		),
	);
	const changed = [
		...(previousState === 'published' ? [paths.post(earlier!.slug)] : []),
		...(state === 'published' ? [paths.post(slug)] : []),
	];
	if (changed.length > 0) {
		statements.push(
			...requestBuild(db, `${capitalize(action)} ${quoteTitle(form.title)}`, now, changed),
		);
	}
	await db.batch(statements);
}

const GROWS_MESSAGE =
	'This HTML becomes several times as long once its elements are closed: close them where they end';

/** Returns the sanitized article. Refuses content that only becomes too long by sanitizing. */
export function cleanContent({ content }: Pick<PostForm, 'content'>): string {
	const clean = sanitizeArticle(content);
	if (clean.length > POST_LIMITS.content && clean.length > 2 * content.length) {
		throw new AppError('validation', MESSAGES.validation, { fields: { content: GROWS_MESSAGE } });
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

/** Returns the verb for a save in the audit log and the timeline. */
function actionOf(previousState: PostState | undefined, state: PostState): string {
	if (state === 'published') return previousState === 'published' ? 'changed' : 'published';
	if (state === 'scheduled') return previousState === 'scheduled' ? 'changed' : 'scheduled';
	if (previousState === 'published' || previousState === 'scheduled') return 'unpublished';
	return previousState ? 'saved' : 'created';
}

const hasBeenPublic = ({ publishedAt }: Row, now: Date) =>
	publishedAt !== null && publishedAt <= now;

/**
 * Returns when a post was first public. A publication without a time is now, unless the post was public before.
 * The time of a mere draft is dropped, to tell it from an unpublished post.
 */
function publishedAtOf({ published, publishedAt }: PostForm, before: Row | undefined, now: Date) {
	const known = before && hasBeenPublic(before, now) ? before.publishedAt : null;
	const given = publishedAt === '' ? known : new Date(publishedAt);
	if (published) return given ?? now;
	return known && (given && given <= now ? given : known);
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

/** Returns the values that differ from a row's. */
function changedOf<Values extends Partial<Row>>(values: Values, row: Row): Partial<Values> {
	const changed = Object.entries(values).filter(
		([name, value]) => !isDeepStrictEqual(value, row[name as keyof Row]),
	);
	return Object.fromEntries(changed) as Partial<Values>;
}

/** Returns the condition that nobody else has saved a post since this version. */
const isVersion = (id: string, version: number): SQL =>
	sql`(select ${tolerant({ version: posts.version }).version} from ${posts} where ${posts.id} = ${id}) = ${version}`;

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

/** Records that a public post is still true as it is. Returns null if there is no such post. */
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

function quoteTitle(title: string): string {
	return `“${title}”`;
}

function capitalize(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
