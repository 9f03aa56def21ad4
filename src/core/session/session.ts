import * as z from 'zod/mini';
import { email } from '#src/lib/email.ts';
import { assertion } from './passkeys.ts';

export const PASSWORD_RULE =
	'Password must be at least 8 characters with uppercase, lowercase, and numbers';

export const COMMON_PASSWORD =
	'This password is among the first that are tried: choose one that is longer or less usual';

/** Rule for new passwords (product.md section 5). Common ones are refused besides. */
export const newPassword = z
	.string({ error: PASSWORD_RULE })
	.check(
		z.minLength(8, PASSWORD_RULE),
		z.maxLength(128, PASSWORD_RULE),
		z.regex(/[a-z]/, PASSWORD_RULE),
		z.regex(/[A-Z]/, PASSWORD_RULE),
		z.regex(/[0-9]/, PASSWORD_RULE),
	);

/** Stands in for the address of the account until its owner gives one. Nobody reads it, so nothing is mailed about signing in. */
export const DEFAULT_EMAIL = 'admin@groundtruth.example';

export const WRONG_PASSWORD = 'That is not your password.';

/** The password that an account has, as it is typed. */
const password = z
	.string({ error: 'Please enter your password.' })
	.check(z.minLength(1, 'Please enter your password.'), z.maxLength(1000, WRONG_PASSWORD));

export const credentials = z.object({
	email: email(),
	password: z
		.string({ error: 'Please enter your password.' })
		.check(z.minLength(1, 'Please enter your password.'), z.maxLength(1000, 'Invalid credentials')),
	/** Code of an authenticator app, or a recovery code; asked for where an app is set up. */
	code: z.optional(z.string().check(z.maxLength(100, 'Invalid credentials'))),
	/** Signature of a passkey, instead of a code. */
	passkey: z.optional(assertion),
});
export type Credentials = z.infer<typeof credentials>;

export const SESSION_DAYS = 30;
/** Age up to which a sign-in is recent enough for what is sensitive. */
export const RECENT_MINUTES = 15;
/** The same for what weakens signing in itself. The desk asks for a sign-in each time. */
export const REMOVAL_MINUTES = 2;
export const SIGN_IN_AGAIN = 'This takes a new sign-in: sign in again to do it.';

export const passwordChange = z.object({
	current: password,
	password: newPassword,
});
export type PasswordChange = z.infer<typeof passwordChange>;

export const addressChange = z.object({ email: email(), current: password });
export type AddressChange = z.infer<typeof addressChange>;

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

/** Minutes for which a link to a new password works. */
export const RESET_MINUTES = 30;

export const NO_RESET =
	'This site sends no mail, so no link can be sent: “npm run admin” on the server sets a new password.';
export const ENDED_LINK = 'This link has been used or has ended. Ask for a new one.';

export const resetRequest = z.object({ email: email() });

export const reset = z.object({
	token: z
		.string({ error: ENDED_LINK })
		.check(z.minLength(1, ENDED_LINK), z.maxLength(1000, ENDED_LINK)),
	password: newPassword,
});
export type Reset = z.infer<typeof reset>;
