import { eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { postOffers } from '#db/schema.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import { asIs, changeOfRows, recordUndoable } from '#src/core/undo/undo.server.ts';
import { findPost } from './editing.server.ts';

/** Records that the newer file of a post has been looked at: it is offered no longer. Returns null if there is no such post. */
export async function settleOffer(
	db: Db,
	id: string,
	{ actor, now }: Actor,
): Promise<{ undo: string | null } | null> {
	const row = await findPost(db, id);
	if (!row) return null;
	if (!row.offer) return { undo: null };
	const token = crypto.randomUUID();
	const detail = `“${row.post.title}”: the newer file is settled`;
	const which = sql`from post_offers where post_id = ${id}`;
	const change = changeOfRows('post_offers', asIs('post_id'), asIs('form'), null, which);
	await db.batch([
		...recordUndoable(
			db,
			{
				token,
				event: { actor, action: 'kept', subject: `post ${id}`, detail },
				changes: [change],
				builds: false,
			},
			now,
		),
		db.delete(postOffers).where(eq(postOffers.postId, id)),
	]);
	return { undo: token };
}
