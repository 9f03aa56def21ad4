/** The few posts that the home of the desk shows: those to go on with, and those of which something is to be known. */
import { and, asc, desc, eq, gt, inArray, isNull, lte, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { drafts, meta, posts, programDrafts, revisions } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { isInState } from '#src/core/posts/post-state.server.ts';
import { postStateOf } from '#src/core/posts/post-state.ts';
import { wordCount } from '#src/lib/text.ts';
import type { DatedPost, EditedPost, Some } from './at-hand.ts';
import { isDue, programOf } from './editing.server.ts';

type Ref = { id: string; title: string };

const ref = tolerant({ id: posts.id, title: posts.title });

/** The condition that a post came with the site and was never saved since. A new name of the site signs it anew, which is no saving. */
const isSample = sql`${posts.published} and exists (select 1 from ${meta} where ${meta.key} = 'seed:post/' || ${posts.slug})
	and not exists (select 1 from ${revisions} where ${revisions.postId} = ${posts.id})`;

const isOwn = sql`not (${isSample})`;

/** Returns whether somebody has written or brought an article of their own. */
export async function hasOwnPosts(db: Db): Promise<boolean> {
	const rows = await db
		.select({ id: posts.id })
		.from(posts)
		.where(and(isNull(posts.deletedAt), isOwn))
		.limit(1);
	return rows.length > 0;
}

/** Returns the posts that were written in last, the newest first. Those that only came with the site are not among them. */
export async function listEdited(db: Db, limit: number, now: Date): Promise<EditedPost[]> {
	const isKept = isNull(posts.deletedAt);
	const [saved, begun] = await Promise.all([
		db
			.select({ id: posts.id })
			.from(posts)
			.where(and(isKept, isOwn))
			.orderBy(desc(posts.updatedAt))
			.limit(limit),
		// Autosave leaves the post as it is.
		db.select({ id: drafts.postId }).from(drafts).orderBy(desc(drafts.updatedAt)).limit(limit),
	]);
	const rows = await db
		.select({
			...tolerant({
				...{ id: posts.id, title: posts.title, content: posts.content, author: posts.author },
				...{ published: posts.published, publishedAt: posts.publishedAt },
				...{ deletedAt: posts.deletedAt, updatedAt: posts.updatedAt },
				...{ draft: drafts.form, draftedAt: drafts.updatedAt },
			}),
			program: programOf,
		})
		.from(posts)
		.leftJoin(drafts, eq(drafts.postId, posts.id))
		.where(and(isKept, inArray(posts.id, ['', ...[...saved, ...begun].map(({ id }) => id)])));
	return rows
		.map(({ draft, draftedAt, program, author, content, ...post }) => {
			const form = draft as { title?: unknown; content?: unknown } | null;
			const written = typeof form?.content === 'string' ? form.content : content;
			const state = postStateOf(post, now);
			const isPublic = state === 'published' || state === 'scheduled';
			const title = typeof form?.title === 'string' && form.title ? form.title : post.title;
			return {
				...{ id: post.id, title, state, hasChanges: isPublic && form !== null },
				editedAt: new Date(Math.max(+post.updatedAt, +(draftedAt ?? 0))).toISOString(),
				words: wordCount(written.replace(/<[^>]*>/g, ' ')),
				by: program ?? author,
			};
		})
		.sort((a, b) => (a.editedAt < b.editedAt ? 1 : -1))
		.slice(0, limit);
}

/** Returns the posts that wait for a review, those first that were looked at the longest time ago. */
export async function listDuePosts(
	db: Db,
	limit: number,
	now: Date,
): Promise<Some<Ref & { staleAfter: string | null }>> {
	const where = isDue(now);
	const [total, found] = await Promise.all([
		db.$count(posts, where),
		// By an index alone: the rows of a large site take long to read.
		db.select({ id: posts.id }).from(posts).where(where).orderBy(asc(posts.updatedAt)).limit(limit),
	]);
	const rows = await db
		.select({ ...ref, ...tolerant({ staleAfter: posts.staleAfter }) })
		.from(posts)
		.where(inArray(posts.id, ['', ...found.map(({ id }) => id)]))
		.orderBy(asc(posts.updatedAt));
	return { total, rows };
}

/** Returns the posts that are scheduled up to a time, the next one first. */
export const listScheduled = (db: Db, limit: number, until: Date, now: Date) =>
	listDated(db, limit, and(isInState('scheduled', now), lte(posts.publishedAt, until))!, asc);

/** Returns the posts that became public since a time, the newest first. What came with the site is no news. */
export const listPublished = (db: Db, limit: number, since: Date, now: Date) =>
	listDated(
		db,
		limit,
		and(isInState('published', now), gt(posts.publishedAt, since), isOwn)!,
		desc,
	);

async function listDated(
	db: Db,
	limit: number,
	where: SQL,
	order: typeof asc,
): Promise<Some<DatedPost>> {
	const [total, rows] = await Promise.all([
		db.$count(posts, where),
		db
			.select({ ...ref, ...tolerant({ at: posts.publishedAt }) })
			.from(posts)
			.where(where)
			.orderBy(order(posts.publishedAt))
			.limit(limit),
	]);
	return { total, rows: rows.map(({ at, ...row }) => ({ ...row, at: at!.toISOString() })) };
}

/** Returns the drafts that programs began since a time, the newest first. */
export async function listBegun(
	db: Db,
	limit: number,
	since: Date,
): Promise<Some<DatedPost & { program: string }>> {
	const { postId, program, createdAt } = programDrafts;
	const begun = await db
		.select(tolerant({ postId, program, at: createdAt }))
		.from(programDrafts)
		.where(gt(createdAt, since))
		.orderBy(desc(createdAt));
	const kept = await db
		.select(ref)
		.from(posts)
		.where(
			and(inArray(posts.id, ['', ...begun.map(({ postId: id }) => id)]), isNull(posts.deletedAt)),
		);
	const titles = new Map(kept.map(({ id, title }) => [id, title]));
	const rows = begun.flatMap(({ postId: id, program: name, at }) => {
		const title = titles.get(id);
		return title === undefined ? [] : [{ id, title, program: name, at: at.toISOString() }];
	});
	return { total: rows.length, rows: rows.slice(0, limit) };
}
