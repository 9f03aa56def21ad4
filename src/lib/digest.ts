import { createHash, createHmac } from 'node:crypto';

/**
 * Returns the SHA-256 of the parts as hex. Each part's length is hashed too, so that moving text between parts
 * changes the digest.
 */
export function digest(...parts: string[]): string {
	const hash = createHash('sha256');
	for (const part of parts) hash.update(`${part.length}:`).update(part);
	return hash.digest('hex');
}

/** Returns a keyed hash (HMAC-SHA-256, base64url), which reveals equality but not the value. */
export function keyedHash(secret: string, ...parts: string[]): string {
	return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url');
}

/** Returns the SHA-256 of bytes as hex. */
export function sha256(bytes: Uint8Array): string {
	return createHash('sha256').update(bytes).digest('hex');
}
