import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals a value into a text for a link: without the secret nobody can read, forge or change it. The same value
 * gives the same text, so that a repeated email is identical.
 */
export function seal(secret: string, purpose: string, value: string): string {
	const key = keyOf(secret, purpose);
	// Derived from the value, so that no two values share an initialization vector.
	const iv = createHmac('sha256', key).update(value).digest().subarray(0, IV_BYTES);
	const cipher = createCipheriv('aes-256-gcm', key, iv);
	const body = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
	return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
}

/** Returns the value that `seal` sealed for the same purpose, or null. */
export function unseal(secret: string, purpose: string, token: string): string | null {
	const bytes = Buffer.from(token, 'base64url');
	if (bytes.length < IV_BYTES + TAG_BYTES) return null;
	const decipher = createDecipheriv(
		'aes-256-gcm',
		keyOf(secret, purpose),
		bytes.subarray(0, IV_BYTES),
		{ authTagLength: TAG_BYTES },
	);
	decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
	try {
		const body = bytes.subarray(IV_BYTES + TAG_BYTES);
		return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
	} catch {
		return null;
	}
}

function keyOf(secret: string, purpose: string): Buffer {
	return createHmac('sha256', secret).update(`seal:${purpose}`).digest();
}
