import { and, desc, eq, inArray, isNotNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db, Statement } from '#db/client.ts';
import { postChanges, posts } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { isScheduledOrPublished } from '#src/core/posts/post-state.server.ts';
import type { ArticleChange, ChangedPassage, ChangeNotice } from './changes.ts';
import type { PostForm } from './fields.ts';
import { passagesBetween, passagesOf } from './passages.ts';
import { isPublic } from './posts.server.ts';

const passages = z.array(z.object({ old: z.nullable(z.string()), new: z.nullable(z.string()) }));

type Version = Pick<PostForm, 'title' | 'excerpt' | 'content'>;

/** Returns the statement that announces a change, with the article as readers had it before. */
export function announceChange(
	db: Db,
	postId: string,
	{ kind, note = '' }: ChangeNotice & { kind: ArticleChange['kind'] },
	[before, after]: [Version, Version],
	now: Date,
): Statement {
	const passages = passagesBetween(textOf(before), textOf(after));
	return db.run(sql`insert into post_changes (id, post_id, kind, note, passages, title, html, created_at)
		values (${crypto.randomUUID()}, ${postId}, ${kind}, ${note}, ${JSON.stringify(passages)}, ${before.title},
			(select html from rendered_posts where post_id = ${postId}), ${now.getTime()})`);
}

const textOf = ({ title, excerpt, content }: Version) => [
	title,
	...(excerpt ? [excerpt] : []),
	...passagesOf(content),
];

const columns = tolerant({
	at: postChanges.createdAt,
	kind: postChanges.kind,
	note: postChanges.note,
});
const kinds: readonly string[] = ['update', 'correction'] satisfies ArticleChange['kind'][];

/** Returns the changes of posts that readers were told of, newest first. */
function selectChanges(db: Db, which?: SQL) {
	return (
		db
			.select({ postId: postChanges.postId, ...columns })
			.from(postChanges)
			// SQLite takes the tables in this order: of all posts few have changes.
			.crossJoin(posts)
			.where(and(eq(posts.id, postChanges.postId), which))
			.orderBy(desc(postChanges.createdAt), desc(postChanges.id))
	);
}

type Row = Awaited<ReturnType<typeof selectChanges>>[number];
const viewOf = ({ at, kind, note }: Row): ArticleChange[] =>
	kinds.includes(kind) ? [{ at: at.toISOString(), kind, note }] : [];

/** Returns the changes of every public or scheduled post by its id, or of those that `among` tells, newest first. */
export async function listAllChanges(
	db: Db,
	among: (id: SQLWrapper) => SQL | undefined = () => undefined,
): Promise<Map<string, ArticleChange[]>> {
	const which = and(isScheduledOrPublished, among(postChanges.postId));
	const byPost = Map.groupBy(await selectChanges(db, which), ({ postId }) => postId);
	return new Map([...byPost].map(([id, rows]) => [id, rows.flatMap(viewOf)]));
}

/** Returns the changes of a public post, newest first, or null if there is no such post. */
export async function listChanges(
	db: Db,
	slug: string,
	now: Date,
): Promise<ArticleChange[] | null> {
	const isIt = and(eq(posts.slug, slug), isPublic(now))!;
	const it = db.select({ id: posts.id }).from(posts).where(isIt);
	const rows = await selectChanges(db, inArray(postChanges.postId, it));
	if (rows.length === 0 && (await db.$count(posts, isIt)) === 0) return null;
	return rows.flatMap(viewOf);
}

/** A correction of an article, for lists of several. */
export type Correction = ArticleChange & { id: string; slug: string; title: string };

/** Returns the updates and corrections of all public articles, newest first. */
export async function listCorrections(db: Db, now: Date): Promise<Correction[]> {
	const rows = await db
		.select({
			...columns,
			id: postChanges.id,
			postId: posts.id,
			slug: posts.slug,
			title: posts.title,
		})
		.from(postChanges)
		.crossJoin(posts)
		.where(and(eq(posts.id, postChanges.postId), isPublic(now)))
		.orderBy(desc(postChanges.createdAt), desc(postChanges.id));
	return rows.flatMap((row) =>
		viewOf(row).map((change) => ({
			...change,
			id: row.id,
			slug: row.slug,
			title: row.title,
		})),
	);
}

/** Returns the passages that these changes changed, by their ids. */
export async function readPassages(
	db: Db,
	ids: readonly string[],
): Promise<Map<string, ChangedPassage[]>> {
	const rows = await db
		.select({ id: postChanges.id, ...tolerant({ passages: postChanges.passages }) })
		.from(postChanges)
		.where(inArray(postChanges.id, ['', ...ids]));
	return new Map(rows.map((row) => [row.id, passages.safeParse(row.passages).data ?? []]));
}

/** A change with the article before it, as readers had it. */
export type EarlierVersion = ArticleChange & {
	passages: ChangedPassage[];
	title: string;
	/** Null if no build had rendered it by then. */
	html: string | null;
};

/** Returns which changes have the HTML that readers had until then, by their post's id and their time. */
export async function listKept(db: Db): Promise<(postId: string, at: string) => boolean> {
	const rows = await db
		.select({ postId: postChanges.postId, ...tolerant({ at: postChanges.createdAt }) })
		.from(postChanges)
		.where(isNotNull(postChanges.html));
	const kept = new Set(rows.map(({ postId, at }) => `${postId} ${at.toISOString()}`));
	return (postId, at) => kept.has(`${postId} ${at}`);
}

/** Returns the changes of a post with the versions before them, newest first: as many as `listChanges`. */
export async function listVersions(db: Db, postId: string): Promise<EarlierVersion[]> {
	const rows = await db
		.select({
			...columns,
			...tolerant({
				passages: postChanges.passages,
				title: postChanges.title,
				html: postChanges.html,
			}),
		})
		.from(postChanges)
		.where(eq(postChanges.postId, postId))
		.orderBy(desc(postChanges.createdAt), desc(postChanges.id));
	return rows.flatMap((row) =>
		viewOf({ ...row, postId }).map((change) => ({
			...change,
			passages: passages.safeParse(row.passages).data ?? [],
			title: row.title,
			html: row.html,
		})),
	);
}
