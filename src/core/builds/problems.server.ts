import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { contentProblems, media, posts } from '#db/schema.ts';

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

/** Returns one sentence for each public article and each image that a build left as it was, or null. */
export async function describeProblems(db: Db): Promise<string | null> {
	const rows = await db
		.select({
			kind: contentProblems.kind,
			reason: contentProblems.reason,
			title: posts.title,
			name: media.name,
		})
		.from(contentProblems)
		.leftJoin(
			posts,
			and(
				eq(contentProblems.kind, 'post'),
				eq(posts.id, contentProblems.subjectId),
				isNull(posts.deletedAt),
			),
		)
		.leftJoin(
			media,
			and(eq(contentProblems.kind, 'image'), eq(media.id, contentProblems.subjectId)),
		)
		.where(sql`${posts.id} is not null or ${media.id} is not null`)
		.orderBy(desc(contentProblems.kind), contentProblems.createdAt);
	const sentences = rows
		.slice(0, MAX_NAMED)
		.map(({ kind, reason, title, name }) =>
			kind === 'post'
				? `“${title}” keeps the text it had: ${reason}`
				: `The image “${name}” is left out: ${reason}`,
		);
	if (rows.length > MAX_NAMED) sentences.push(`And ${rows.length - MAX_NAMED} more.`);
	return sentences.join(' ') || null;
}
