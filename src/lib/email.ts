import * as z from 'zod/mini';

const INVALID = 'Please enter a valid email address';
/** Limits of mail servers: the whole address, and the part before the @. */
const MAX_LENGTH = { whole: 254, local: 64 };

/**
 * Returns the shared schema of an email address: up to 64 characters before the @ and 254 in all, trimmed and
 * lower-cased.
 */
export const email = (missing = 'Please enter your email address.') =>
	z.pipe(
		z.string({ error: missing }).check(z.trim(), z.toLowerCase(), z.minLength(1, missing)),
		z.email(INVALID).check(
			z.maxLength(MAX_LENGTH.whole, INVALID),
			z.refine((address) => address.indexOf('@') <= MAX_LENGTH.local, INVALID),
		),
	);

/** Fields against robots in every public form: a honeypot, and how long the form was open. */
export const antiBotFields = {
	website: z.optional(z.string()),
	elapsedMs: z.optional(z.union([z.string(), z.number()])),
	startedAt: z.optional(z.union([z.string(), z.number()])),
};
