import * as z from 'zod/mini';

/** The shared e-mail rule: up to 255 characters, trimmed and lower-cased (specification section 5). */
export const email = (missing = 'Please enter your email address.') =>
	z.pipe(
		z.string({ error: missing }).check(z.trim(), z.toLowerCase(), z.minLength(1, missing)),
		z
			.email('Please enter a valid email address')
			.check(z.maxLength(255, 'Please enter a valid email address')),
	);

/** The fields that every public form has for robots; see `isRobot`. */
export const robotFields = {
	website: z.optional(z.string()),
	elapsedMs: z.optional(z.union([z.string(), z.number()])),
	startedAt: z.optional(z.union([z.string(), z.number()])),
};
