import * as z from 'zod/mini';
import { email } from '#src/lib/email.ts';

export const PASSWORD_RULE =
	'Password must be at least 8 characters with uppercase, lowercase, and numbers';

/** The password rule for new passwords (specification section 5). */
export const newPassword = z
	.string({ error: PASSWORD_RULE })
	.check(
		z.minLength(8, PASSWORD_RULE),
		z.maxLength(128, PASSWORD_RULE),
		z.regex(/[a-z]/, PASSWORD_RULE),
		z.regex(/[A-Z]/, PASSWORD_RULE),
		z.regex(/[0-9]/, PASSWORD_RULE),
	);

export const credentials = z.object({
	email: email(),
	password: z
		.string({ error: 'Please enter your password.' })
		.check(z.minLength(1, 'Please enter your password.'), z.maxLength(1000, 'Invalid credentials')),
});
export type Credentials = z.infer<typeof credentials>;

export const SESSION_DAYS = 30;
