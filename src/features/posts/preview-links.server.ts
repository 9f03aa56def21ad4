import { timingSafeEqual } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { posts } from '#db/schema.ts';
import { DAY } from '#src/lib/dates.ts';
import { keyedHash } from '#src/lib/digest.ts';

const PREVIEW_DAYS = 7;

/**
 * Creates a link that shows one post's draft to anyone who has it, for seven days. Returns null if there is no
 * such post.
 */
export async function createPreviewLink(
	db: Db,
	postId: string,
	{ secret, site, now }: { secret: string; site: string; now: Date },
): Promise<{ url: string; expiresAt: string } | null> {
	const there = await db.$count(posts, and(eq(posts.id, postId), isNull(posts.deletedAt)));
	if (there === 0) return null;
	const { token, expiresAt } = previewToken(postId, secret, now);
	return { url: `${site}/preview?token=${token}`, expiresAt: expiresAt.toISOString() };
}

/** Returns a token of post, expiry and signature. */
export function previewToken(postId: string, secret: string, now: Date) {
	const expiresAt = new Date(now.getTime() + PREVIEW_DAYS * DAY);
	const expires = expiresAt.getTime().toString(36);
	return { token: `${postId}.${expires}.${sign(secret, postId, expires)}`, expiresAt };
}

/** Returns the content of a link's token, expired or not, or null if we did not sign it. */
export function readPreviewToken(
	token: string,
	secret: string,
): { postId: string; expiresAt: Date } | null {
	const [postId = '', expires = '', signature = '', ...more] = token.split('.');
	const given = Buffer.from(signature);
	const right = Buffer.from(sign(secret, postId, expires));
	const isOurs = given.length === right.length && timingSafeEqual(given, right);
	return isOurs && more.length === 0
		? { postId, expiresAt: new Date(parseInt(expires, 36)) }
		: null;
}

const sign = (secret: string, postId: string, expires: string) =>
	keyedHash(secret, 'preview', postId, expires);
