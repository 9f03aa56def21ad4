import * as z from 'zod/mini';

/** Length of a passphrase that guards a secret. */
const PASSPHRASE = { least: 12, most: 200 };
export const passphrase = z
	.string()
	.check(
		z.minLength(PASSPHRASE.least, `A passphrase has at least ${PASSPHRASE.least} characters.`),
		z.maxLength(PASSPHRASE.most, `A passphrase has at most ${PASSPHRASE.most} characters.`),
	);
