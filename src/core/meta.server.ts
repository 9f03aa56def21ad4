import { eq } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { meta } from '#db/schema.ts';

/** Names of what is remembered about the database itself. */
export type MetaKey =
	| 'built_at'
	| 'built_issue'
	| 'built_posts'
	| 'built_until'
	| 'checked_at'
	| 'content_digest'
	| 'copied'
	| 'digest_told_until'
	| 'each_told_until'
	| 'month_told_until'
	| 'email_sent_at'
	| 'entries_digest'
	| 'erased_at'
	| 'lessons_digest'
	| 'meaning_basis'
	| 'setup'
	| 'sources_asked_at'
	| 'sources_listed_at'
	| 'visits'
	| `lesson:${number}`
	| `erased:${string}`
	| `unsaved:${string}`;

/** Returns a fact about the database itself, or undefined. */
export async function getMeta(db: Db, key: MetaKey): Promise<string | undefined> {
	const [row] = await db.select().from(meta).where(eq(meta.key, key));
	return row?.value;
}

/** Returns the statement that stores such a fact, to be awaited or put into a batch. */
export function setMeta(db: Db, key: MetaKey, value: string) {
	return db
		.insert(meta)
		.values({ key, value })
		.onConflictDoUpdate({ target: meta.key, set: { value } });
}
