import { inArray } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { meta } from '#db/schema.ts';
import { among } from './batches.server.ts';
import { keyedHash } from '#src/lib/digest.ts';
import { getSecret } from '#src/lib/env.ts';
import { setMeta } from './meta.server.ts';

const keyOf = (email: string) => `erased:${keyedHash(getSecret(), 'erased', email)}` as const;

/** Returns a statement that remembers, as a hash, that a subscriber had everything erased: no file brings the address back. */
export const markErased = (db: Db, email: string, now: Date) =>
	setMeta(db, keyOf(email), String(now.getTime()));

/** Returns those of some addresses whose owners had everything erased, and when, in milliseconds. */
export async function erasedAmong(db: Db, emails: string[]): Promise<Map<string, number>> {
	const keys = new Map(emails.map((email) => [keyOf(email) as string, email]));
	const rows = await db
		.select()
		.from(meta)
		.where(inArray(meta.key, among([...keys.keys()])));
	return new Map(rows.map(({ key, value }) => [keys.get(key)!, Number(value)]));
}
