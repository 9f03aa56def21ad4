import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { imageOf, type Change } from '#src/core/undo/undo.server.ts';

/** How posts and working copies under one byline get another. */
export function bylines(db: Db, from: string, to: string) {
	if (from === to) return [];
	const [before, after] = [{ author: sql`${from}` }, { author: sql`${to}` }];
	const isWritten = sql`form ->> '$.author' = ${from}`;
	const ofPosts: Change = {
		table: 'posts',
		images: sql`select ${imageOf({ id: sql`id` }, before, after)} as image from posts where author = ${from}`,
	};
	const ofDrafts: Change = {
		table: 'drafts',
		images: sql`select ${imageOf({ post_id: sql`post_id` }, before, after)} as image from drafts where ${isWritten}`,
	};
	return [
		{
			change: ofPosts,
			statement: db.run(
				sql`update posts set author = ${to}, version = version + 1 where author = ${from}`,
			),
		},
		{
			change: ofDrafts,
			statement: db.run(
				sql`update drafts set form = json_set(form, '$.author', ${to}) where ${isWritten}`,
			),
		},
	];
}
