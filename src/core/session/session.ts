import * as z from 'zod/mini';
import { email } from '#src/lib/email.ts';
import { knownName } from '#src/site.ts';
import { isCommonPassword } from './common-passwords.ts';

export const PASSWORD_RULE =
	'Password must be at least 8 characters with uppercase, lowercase, and numbers';

export const COMMON_PASSWORD =
	'This password is among the first that are tried: choose one that is longer or less usual';

/** Rule for new passwords (product.md section 5), which also refuses common ones. */
export const newPassword = z.string({ error: PASSWORD_RULE }).check(
	z.minLength(8, PASSWORD_RULE),
	z.maxLength(128, PASSWORD_RULE),
	z.regex(/[a-z]/, PASSWORD_RULE),
	z.regex(/[A-Z]/, PASSWORD_RULE),
	z.regex(/[0-9]/, PASSWORD_RULE),
	z.refine((password) => !isCommonPassword(password, knownName()), COMMON_PASSWORD),
);

export const WRONG_PASSWORD = 'That is not your password.';

/** The password that an account has, as it is typed. */
export const password = z
	.string({ error: 'Please enter your password.' })
	.check(z.minLength(1, 'Please enter your password.'), z.maxLength(1000, WRONG_PASSWORD));

export const credentials = z.object({
	email: email(),
	password: z
		.string({ error: 'Please enter your password.' })
		.check(z.minLength(1, 'Please enter your password.'), z.maxLength(1000, 'Invalid credentials')),
	/** Code of an authenticator app, or a recovery code; asked for where an app is set up. */
	code: z.optional(z.string().check(z.maxLength(100, 'Invalid credentials'))),
});
export type Credentials = z.infer<typeof credentials>;

export const SESSION_DAYS = 30;

export const passwordChange = z.object({
	current: password,
	password: newPassword,
});
export type PasswordChange = z.infer<typeof passwordChange>;

/** A session that has not ended. */
export type OpenSession = {
	id: string;
	/** "Firefox on Linux". */
	browser: string;
	createdAt: string;
	expiresAt: string;
	/** Whether it is the session of this request. */
	isCurrent: boolean;
};
