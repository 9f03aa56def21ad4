import { eq, lte } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { spentTokens } from '#db/schema.ts';
import { deleteInPieces } from '#src/core/batches.server.ts';
import { keyedHash } from '#src/lib/digest.ts';
import { getSecret } from '#src/lib/env.ts';

const hashOf = (token: string) => keyedHash(getSecret(), 'spent token', token);

/** Returns whether a token was used up. */
export async function isSpent(db: Db, token: string): Promise<boolean> {
	return (await db.$count(spentTokens, eq(spentTokens.hash, hashOf(token)))) > 0;
}

/** Uses up a token that works once. Returns false if it was used before, also by a simultaneous call. */
export async function spend(db: Db, token: string, expiresAt: Date): Promise<boolean> {
	const hash = hashOf(token);
	const spent = await db
		.insert(spentTokens)
		.values({ hash, expiresAt })
		.onConflictDoNothing()
		.returning({ hash: spentTokens.hash });
	return spent.length > 0;
}

/** Forgets tokens that have ended by themselves. */
export async function pruneTokens(db: Db, now: Date): Promise<void> {
	await deleteInPieces(db, spentTokens, lte(spentTokens.expiresAt, now));
}
