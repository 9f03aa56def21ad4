import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { asIs, changeOfRows } from '#src/core/undo/undo.server.ts';

/** Whether a post came with the site. */
const isSeeded = sql`exists (select 1 from meta where key = 'seed:post/' || posts.slug)`;

/**
 * Returns the consequences that give the owner's posts another byline, and those that came with the site its name: nobody signs what they
 * did not write.
 */
export function siteBylines(db: Db, from: Signed, to: Signed) {
	return [
		...bylines(db, from.author, to.author, sql`not ${isSeeded}`),
		...bylines(db, from.name, to.name, isSeeded),
	];
}
type Signed = { name: string; author: string };

/** Returns the consequences that give posts and working copies under one byline another, of those that `which` is true of. */
export function bylines(db: Db, from: string, to: string, which = sql`true`) {
	if (from === to) return [];
	const [before, after] = [{ author: sql`${from}` }, { author: sql`${to}` }];
	const isSigned = sql`author = ${from} and ${which}`;
	const isWritten = sql`form ->> '$.author' = ${from}
		and exists (select 1 from posts where posts.id = drafts.post_id and ${which})`;
	const postsWith = sql`from posts where ${isSigned}`;
	return [
		{
			change: changeOfRows('posts', asIs('id'), before, after, postsWith),
			statement: db.run(
				sql`update posts set author = ${to}, version = version + 1 where ${isSigned}`,
			),
		},
		{
			change: changeOfRows(
				'drafts',
				asIs('post_id'),
				before,
				after,
				sql`from drafts where ${isWritten}`,
			),
			statement: db.run(
				sql`update drafts set form = json_set(form, '$.author', ${to}) where ${isWritten}`,
			),
		},
	];
}
