/** A save of a post: its row as it becomes, and the statements that follow from how it was and how it becomes. */
import { isDeepStrictEqual } from 'node:util';
import { eq, sql, type SQL } from 'drizzle-orm';
import type { Db, Statement } from '#db/client.ts';
import { drafts, posts, redirects } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import { abortUnless } from '#src/core/batches.server.ts';
import { requestBuild } from '#src/core/builds/builds.server.ts';
import { clearProblem } from '#src/core/builds/problems.server.ts';
import { isReadable } from '#src/core/builds/rows.server.ts';
import { postStateOf, type PostState } from '#src/core/posts/post-state.ts';
import { paths, site } from '#src/site.ts';
import { announceChange } from './changes.server.ts';
import type { ChangeNotice } from './changes.ts';
import { metaTitleOf, minutesOf, type PostForm } from './editing.ts';
import { textColumns, toPostForm } from './editing.server.ts';
import { changedAtOf } from './posts.server.ts';
import { PAUSE_MS, removesMuch, saveDraftAsRevision, saveRevision } from './revisions.server.ts';
import type { resolveTags } from './tags.server.ts';

type Row = typeof posts.$inferSelect;

/**
 * The state before a save. `isWhole`: the save includes the article's text, so it replaces the draft if it
 * knows its version.
 */
export type PreviousPost = {
	post: Row;
	form: PostForm;
	isWhole: boolean;
	draftVersion: number | null;
	change: ChangeNotice;
};

/** A save as it is asked for, completed: its slug is free, its content clean, its category there. */
type Request = {
	db: Db;
	id: string;
	actor: string;
	now: Date;
	before: PreviousPost | undefined;
	form: PostForm;
	slug: string;
	content: string;
	tagged: Awaited<ReturnType<typeof resolveTags>>;
};
type Save = Request & {
	values: ReturnType<typeof valuesOf>;
	/** The form as it is stored. */
	saved: PostForm;
	previousState: PostState | undefined;
	state: PostState;
	/** The verb in the log and on the timeline. */
	action: string;
};

/** Parts of a save, in the order of their statements. */
const PARTS: ((save: Save) => Statement[])[] = [
	row,
	tags,
	formerAddress,
	earlierDraft,
	draft,
	publishedVersion,
	announcement,
	log,
	build,
];

/** Returns all that a save writes. */
export function statementsOfSave(request: Request): Statement[] {
	const { before, now, tagged } = request;
	const values = valuesOf(request);
	const previousState = before && postStateOf(before.post, now);
	const state = postStateOf({ ...values, deletedAt: null }, now);
	const save: Save = {
		...request,
		...{ values, previousState, state },
		saved: toPostForm(values, tagged.names),
		action: actionOf(previousState, state),
	};
	return PARTS.flatMap((part) => part(save));
}

/** Returns the row of a post, completed by the rules of product.md section 5. */
function valuesOf({ before, form, slug, content, now }: Request) {
	const earlier = before?.post;
	const isTold = before !== undefined && before.change.kind !== 'small';
	// As with the title: a program sends the default back that it got.
	const isDefault =
		before?.form.metaDescription === '' && form.metaDescription === before.form.excerpt;
	return {
		...textColumns(form),
		...(isDefault && { metaDescription: null }),
		slug,
		content,
		metaTitle: metaTitleOf(form, before?.form) || null,
		author: form.author || site.author,
		categoryId: form.categoryId,
		published: form.published,
		featured: form.featured,
		readTime: minutesOf({ ...form, content }),
		publishedAt: publishedAtOf(form, earlier, now),
		createdAt: earlier?.createdAt ?? now,
		updatedAt: now,
		changedAt: earlier && !isTold && hasBeenPublic(earlier, now) ? changedAtOf(earlier) : null,
	};
}

function row({ db, id, before, values }: Save): Statement[] {
	if (!before) return [db.insert(posts).values({ id, ...values })];
	const { post, isWhole } = before;
	const set = { ...(isWhole ? values : changedOf(values, post)), version: post.version + 1 };
	return [
		abortUnless(db, isVersion(id, post.version)),
		db.update(posts).set(set).where(eq(posts.id, id)),
	];
}

function tags({ id, before, tagged }: Save): Statement[] {
	const isSame = before?.form.tags.join('\n') === tagged.names.join('\n');
	return before && isSame ? [] : tagged.statements(id);
}

function formerAddress({ db, id, before, slug, now }: Save): Statement[] {
	const earlier = before?.post;
	if (!earlier || earlier.slug === slug) return [];
	// A post that was public once has incoming links, unless no page could be made of it. Any may have been chosen as related.
	const isNamed = hasBeenPublic(earlier, now)
		? sql`true`
		: sql`exists (select 1 from ${posts} where instr(${posts.related}, ${earlier.slug}) > 0)`;
	return [
		db.delete(redirects).where(eq(redirects.slug, slug)),
		db
			.insert(redirects)
			.select(
				sql`select ${earlier.slug}, ${id}, ${now.getTime()} where ${isReadable('post row', sql`${id}`)} and ${isNamed}`,
			)
			.onConflictDoUpdate({ target: redirects.slug, set: { postId: id, createdAt: now } }),
	];
}

/** Returns a draft that is kept as a version: after a pause, or where much of it goes. */
function earlierDraft({ db, id, before, form, now }: Save): Statement[] {
	if (!before || before.post.published) return [];
	const isOld = +now - +before.post.updatedAt >= PAUSE_MS;
	if (!isOld && !removesMuch(before.form, form)) return [];
	return saveRevision(db, id, before.form, 'pause', before.post.updatedAt);
}

function draft({ db, id, before, now }: Save): Statement[] {
	if (!before?.isWhole) return [];
	return [
		...saveDraftAsRevision(db, id, 'pause', new Date(+now - PAUSE_MS), before.draftVersion),
		db.delete(drafts).where(eq(drafts.postId, id)),
		clearProblem(db, 'post row', id),
	];
}

function publishedVersion({ db, id, form, saved, now }: Save): Statement[] {
	return form.published ? saveRevision(db, id, saved, 'publish', now) : [];
}

function announcement({ db, id, before, saved, previousState, state, now }: Save): Statement[] {
	const kind = before?.change.kind ?? 'small';
	if (!before || kind === 'small') return [];
	if (previousState !== 'published' || state !== 'published') return [];
	return [announceChange(db, id, { ...before.change, kind }, [before.form, saved], now)];
}

function log({ db, id, actor, action, form, now }: Save): Statement[] {
	const detail = quoteTitle(form.title);
	return [auditStatement(db, { actor, action, subject: `post ${id}`, detail }, now)];
}

function build({ db, before, previousState, state, slug, action, form, now }: Save): Statement[] {
	const changed = [
		...(before && previousState === 'published' ? [paths.post(before.post.slug)] : []),
		...(state === 'published' ? [paths.post(slug)] : []),
	];
	if (changed.length === 0) return [];
	return requestBuild(db, `${capitalize(action)} ${quoteTitle(form.title)}`, now, changed);
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

/** Returns the values that differ from a row's. */
function changedOf<Values extends Partial<Row>>(values: Values, row: Row): Partial<Values> {
	const changed = Object.entries(values).filter(
		([name, value]) => !isDeepStrictEqual(value, row[name as keyof Row]),
	);
	return Object.fromEntries(changed) as Partial<Values>;
}

/** Returns the condition that nobody else has saved a post since this version. */
export const isVersion = (id: string, version: number): SQL =>
	sql`(select ${tolerant({ version: posts.version }).version} from ${posts} where ${posts.id} = ${id}) = ${version}`;

export function quoteTitle(title: string): string {
	return `“${title}”`;
}

function capitalize(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
