import * as z from 'zod/mini';

const INVALID = 'Please enter a valid email address';
/** What a mail server takes: the whole, and the part before the @ (decisions, "Settled on 2026-11-22"). */
const MAX_LENGTH = { whole: 254, local: 64 };

/** The shared email rule: a name of up to 64 characters at a domain, 254 in all, trimmed and lower-cased. */
export const email = (missing = 'Please enter your email address.') =>
	z.pipe(
		z.string({ error: missing }).check(z.trim(), z.toLowerCase(), z.minLength(1, missing)),
		z.email(INVALID).check(
			z.maxLength(MAX_LENGTH.whole, INVALID),
			z.refine((address) => address.indexOf('@') <= MAX_LENGTH.local, INVALID),
		),
	);

/** The fields that every public form has for robots: a trap, and for how long it was open. */
export const antiBotFields = {
	website: z.optional(z.string()),
	elapsedMs: z.optional(z.union([z.string(), z.number()])),
	startedAt: z.optional(z.union([z.string(), z.number()])),
};
