import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { asIs, changeOfRows } from '#src/core/undo/undo.server.ts';

/** How posts and working copies under one byline get another. */
export function bylines(db: Db, from: string, to: string) {
	if (from === to) return [];
	const [before, after] = [{ author: sql`${from}` }, { author: sql`${to}` }];
	const isWritten = sql`form ->> '$.author' = ${from}`;
	const postsWith = sql`from posts where author = ${from}`;
	return [
		{
			change: changeOfRows('posts', asIs('id'), before, after, postsWith),
			statement: db.run(
				sql`update posts set author = ${to}, version = version + 1 where author = ${from}`,
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
