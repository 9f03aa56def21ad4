import { and, eq, like, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { contentProblems } from '#db/schema.ts';
import { isScheduledOrPublished } from '#src/core/posts/post-state.server.ts';
import { isReadable } from './rows.server.ts';

type Kind = typeof contentProblems.$inferSelect.kind;

/** Statement that records why an article or an image cannot be shown as it is. The site goes on without it. */
export function recordProblem(db: Db, kind: Kind, subjectId: string, reason: string, now: Date) {
	const row = { kind, subjectId, reason: reason.slice(0, 300), createdAt: now };
	return db
		.insert(contentProblems)
		.values(row)
		.onConflictDoUpdate({
			target: [contentProblems.kind, contentProblems.subjectId],
			set: { reason: row.reason },
		});
}

/** Statement that forgets what was wrong: the article was rendered again, or the image is gone. */
export function clearProblem(db: Db, kind: Kind, subjectId: string) {
	return db
		.delete(contentProblems)
		.where(and(eq(contentProblems.kind, kind), eq(contentProblems.subjectId, subjectId)));
}

/** Maximum number of posts that `describeProblems` names. */
const MAX_NAMED = 3;

/** Condition that a problem is one of a post's picture. */
const isOfPicture = sql`p.kind in ('image', 'image row') and posts.featured_image = '/api/media/' || p.subject_id`;
const isOfText = sql`p.kind in ('post', 'post row') and posts.id = p.subject_id`;

/** SQL for what is wrong with a row of `posts` and its picture, in sentences, or null. */
export const problemsOfPost = sql<string | null>`(select group_concat(case p.kind
	when 'post' then 'Keeps the text it had: ' when 'image' then 'Its picture is left out: ' else '' end || p.reason, ' ')
	from content_problems p where (${isOfText}) or (${isOfPicture}))`;

/**
 * Returns one sentence for each thing that a build left as it was or left out, or null: articles that are published, the
 * pictures of such articles, and rows that no page can be made of.
 */
export async function describeProblems(db: Db): Promise<string | null> {
	// A name that cannot be read is told of with its row.
	const isTold = sql`case p.kind when 'post' then ${isReadable('post row', sql`p.subject_id`)}
		when 'image' then ${isReadable('image row', sql`p.subject_id`)} else 1 end
		and (p.kind not in ('post', 'post row', 'image', 'image row') or exists (select 1 from posts
			where ${isScheduledOrPublished} and ((${isOfText}) or (${isOfPicture}))))`;
	const rows = await db.all<{ sentence: string }>(sql`select case p.kind
		when 'post' then (select '“' || title || '” keeps the text it had: ' from posts where id = p.subject_id)
		when 'image' then (select 'The image “' || name || '” is left out: ' from media where id = p.subject_id)
		else '' end || p.reason as sentence
		from content_problems p where ${isTold} order by p.kind desc, p.created_at`);
	const sentences = rows.slice(0, MAX_NAMED).map(({ sentence }) => sentence);
	if (rows.length > MAX_NAMED) sentences.push(`And ${rows.length - MAX_NAMED} more.`);
	return sentences.join(' ') || null;
}

/** One sentence for each row that the last build left out. */
export async function listRowProblems(db: Db): Promise<string[]> {
	const rows = await db
		.select({ reason: contentProblems.reason })
		.from(contentProblems)
		.where(like(contentProblems.kind, '% row'));
	return rows.map(({ reason }) => reason);
}
