import { and, desc, eq, sql } from 'drizzle-orm';
import type { Db, Statement, Statements } from '#db/client.ts';
import { drafts, posts, revisions } from '#db/schema.ts';
import { asText, tolerant } from '#db/tolerant.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import { sanitizeArticle } from '#src/core/articles/sanitize.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { AppError } from '#src/lib/errors.ts';
import { wordChange } from '#src/lib/word-change.ts';
import type { EditedPost, ListedRevision, Revision } from './editing.api.ts';
import { getEditedPost } from './editing.server.ts';
import { POST_LIMITS, readForm, UNTITLED, type PostForm } from './editing.ts';

type Reason = Revision['reason'];

/** A pause in writing after which the previous text is kept as a revision. */
export const PAUSE_MS = 10 * MINUTE;
/** How old the last revision may be while somebody writes without a pause. */
const STEADY_MS = 5 * MINUTE;
/** Maximum number of revisions per post; the oldest are deleted. */
const MAX_REVISIONS = 100;

const STALE_MESSAGE = 'This post is being written in another window.';

/** Returns statements that save a form as a revision, unless the post already has an identical one. */
export function saveRevision(
	db: Db,
	postId: string,
	form: PostForm,
	reason: Reason,
	at: Date,
): Statements {
	const text = JSON.stringify(form);
	return [
		db.run(sql`insert into revisions (id, post_id, reason, form, created_at)
			select ${crypto.randomUUID()}, ${postId}, ${reason}, ${text}, ${at.getTime()}
			where not exists (select 1 from revisions where post_id = ${postId} and form = ${text})`),
		pruneRevisions(db, postId),
	];
}

/**
 * Returns statements that save the working draft as a revision if it was last written before `until` or is not
 * the known version.
 */
export function saveDraftAsRevision(
	db: Db,
	postId: string,
	reason: Reason,
	until: Date,
	known: number | null,
): Statements {
	return [
		db.run(sql`insert into revisions (id, post_id, reason, form, created_at)
			select ${crypto.randomUUID()}, post_id, ${reason}, form, updated_at from drafts
			where post_id = ${postId} and (updated_at <= ${until.getTime()} or version <> ${known ?? 0})
			and not exists (select 1 from revisions r where r.post_id = drafts.post_id and r.form = drafts.form)`),
		pruneRevisions(db, postId),
	];
}

function pruneRevisions(db: Db, postId: string): Statement {
	return db.run(sql`delete from revisions where post_id = ${postId} and id not in (
		select id from revisions where post_id = ${postId} order by created_at desc, rowid desc limit ${MAX_REVISIONS})`);
}

/** Fewer words are soon written again. */
const MUCH = 20;

/** Whether a text has lost half of the words that it had. */
export function removesMuch(before: PostForm, after: PostForm): boolean {
	const had = wordsOf(before);
	if (had.length < MUCH) return false;
	const has = Map.groupBy(wordsOf(after), (word) => word);
	return had.filter((word) => has.get(word)?.pop() !== undefined).length <= had.length / 2;
}

/** The words of an article; of scripts without spaces, their letters. */
function wordsOf({ content }: PostForm): string[] {
	const text = content.replace(/<[^>]*(?:>|$)/g, ' ');
	return text.match(LETTERS) ?? [];
}
const LETTERS =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu;

type Autosave = { form: PostForm; version: number | null; baseVersion: number };

/**
 * Stores a draft; no page changes. The previous text becomes a revision after a pause, after some minutes of steady writing,
 * and where much of it goes. Throws a `conflict` if
 * the draft is not the version that the writer has seen. Returns null if there is no such post.
 */
export async function saveDraft(
	db: Db,
	id: string,
	{ form, version, baseVersion }: Autosave,
	now: Date,
): Promise<{ version: number; updatedAt: string } | null> {
	const clean = { ...form, content: sanitizeArticle(form.content) };
	const mine = and(eq(drafts.postId, id), eq(drafts.version, version ?? 0));
	const [before] = await db
		.select(tolerant({ form: drafts.form }))
		.from(drafts)
		.where(mine);
	const old = before && readForm(before.form);
	const isMuch = old !== undefined && removesMuch(old, clean);
	const isSteady = old !== undefined && wordsOf(old).length >= MUCH;
	const lastKept = sql`coalesce((select max(created_at) from revisions r where r.post_id = ${id}), (select created_at from posts where id = ${id}))`;
	const [saved] =
		version === null
			? (
					await db.batch([
						db
							.insert(drafts)
							.select(
								sql`select ${posts.id}, ${JSON.stringify(clean)}, ${baseVersion}, 1, ${now.getTime()} from ${posts}
							where ${posts.id} = ${id} and ${posts.deletedAt} is null`,
							)
							.onConflictDoNothing()
							.returning({ version: drafts.version }),
						copyDraftTitle(db, id),
					])
				)[0]
			: (
					await db.batch([
						db.run(sql`insert into revisions (id, post_id, reason, form, created_at)
							select ${crypto.randomUUID()}, post_id, 'pause', form, updated_at from drafts
							where post_id = ${id} and version = ${version} and (${isMuch ? 1 : 0}
								or updated_at <= ${now.getTime() - PAUSE_MS} or (${isSteady ? 1 : 0} and ${lastKept} <= ${now.getTime() - STEADY_MS}))
							and not exists (select 1 from revisions r where r.post_id = drafts.post_id and r.form = drafts.form)`),
						pruneRevisions(db, id),
						db
							.update(drafts)
							.set({ form: clean, baseVersion, version: version + 1, updatedAt: now })
							.where(mine)
							.returning({ version: drafts.version }),
						copyDraftTitle(db, id),
					])
				)[2];
	if (saved) return { version: saved.version, updatedAt: now.toISOString() };
	const isThere = await db.$count(posts, eq(posts.id, id));
	if (isThere === 0) return null;
	throw new AppError('conflict', STALE_MESSAGE);
}

/** Returns a statement that copies title and category of the draft to a post that was never public, for the lists. */
function copyDraftTitle(db: Db, id: string): Statement {
	return db.run(sql`update posts set title = written.title, category_id = coalesce(written.category, category_id)
		from (select coalesce(nullif(substr(trim(form ->> 'title'), 1, ${POST_LIMITS.title}), ''), ${UNTITLED}) as title,
			(select id from categories where id = form ->> 'categoryId') as category
			from drafts where post_id = ${id}) as written
		where id = ${id} and published = 0 and published_at is null
		and (posts.title <> written.title or category_id <> coalesce(written.category, category_id))`);
}

/** Discards the working draft, after saving it as a revision. */
export async function discardDraft(db: Db, id: string, now: Date): Promise<{ id: string }> {
	await db.batch([
		...saveDraftAsRevision(db, id, 'pause', now, null),
		db.delete(drafts).where(eq(drafts.postId, id)),
	]);
	return { id };
}

const columns = {
	...tolerant({ id: revisions.id, reason: revisions.reason, createdAt: revisions.createdAt }),
	title: asText(sql`${revisions.form} ->> 'title'`),
};

/** Returns the revisions of a post, newest first, each with how it differs from the one before it, or null if there is no such post. */
export async function listRevisions(db: Db, postId: string): Promise<ListedRevision[] | null> {
	const rows = await db
		.select({ ...columns, content: asText(sql`coalesce(${revisions.form} ->> 'content', '')`) })
		.from(revisions)
		.where(eq(revisions.postId, postId))
		.orderBy(desc(revisions.createdAt), desc(sql`rowid`));
	if (rows.length === 0 && (await db.$count(posts, eq(posts.id, postId))) === 0) return null;
	return rows.map(({ content, ...row }, index) => ({
		...row,
		...wordChange(rows[index + 1]?.content ?? '', content),
		createdAt: row.createdAt.toISOString(),
	}));
}

/** Returns a revision with its form, or null. */
export async function getRevision(
	db: Db,
	postId: string,
	id: string,
): Promise<(Revision & { form: PostForm }) | null> {
	const [row] = await db
		.select({ ...columns, ...tolerant({ form: revisions.form }) })
		.from(revisions)
		.where(and(eq(revisions.postId, postId), eq(revisions.id, id)));
	return row ? { ...row, form: readForm(row.form), createdAt: row.createdAt.toISOString() } : null;
}

/**
 * Makes a revision the working draft of a post, whose address and publication do not change. The previous draft
 * becomes a revision itself. Returns null if the post or the revision does not exist.
 */
export async function restoreRevision(
	db: Db,
	postId: string,
	id: string,
	{ actor, now }: Actor,
): Promise<EditedPost | null> {
	const [post, revision] = await Promise.all([
		getEditedPost(db, postId, now),
		getRevision(db, postId, id),
	]);
	if (!post || !revision) return null;
	const { published, publishedAt, slug } = post.form;
	const form = { ...revision.form, published, publishedAt, slug };
	await db.batch([
		...saveRevision(db, postId, post.draft?.form ?? post.form, 'restore', now),
		db
			.insert(drafts)
			.values({ postId, form, baseVersion: post.version, updatedAt: now })
			.onConflictDoUpdate({
				target: drafts.postId,
				set: {
					form,
					baseVersion: post.version,
					version: sql`${drafts.version} + 1`,
					updatedAt: now,
				},
			}),
		auditStatement(
			db,
			{
				actor,
				action: 'restored a revision',
				subject: `post ${postId}`,
				detail: `“${revision.title}” of ${revision.createdAt}`,
			},
			now,
		),
	]);
	return getEditedPost(db, postId, now);
}
