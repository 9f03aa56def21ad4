import * as z from 'zod/mini';
import type { Passkey } from './passkeys.ts';

export const RECOVERY_CODES = 10;

export const ASK_FOR_CODE = 'Enter the code that your authenticator app shows, or a recovery code.';
export const ASK_FOR_PASSKEY = 'Use one of your passkeys, or enter a recovery code.';
export const ASK_FOR_EITHER =
	'Use one of your passkeys, or enter the code that your authenticator app shows or a recovery code.';
export const WRONG_CODE =
	'This code is not right. The app shows a new one every 30 seconds; the clocks of both devices must be right.';
export const USED_CODE = 'This code was used already. Wait for the next one.';
export const TOO_MANY_CODES = 'Too many wrong codes. Use a recovery code, or try again tomorrow.';

const code = z
	.string({ error: ASK_FOR_CODE })
	.check(z.trim(), z.minLength(1, ASK_FOR_CODE), z.maxLength(100, WRONG_CODE));

/** The key that the app was given, and a code as proof that it has it. */
export const confirmation = z.object({
	code,
	key: z.string().check(z.regex(/^[A-Z2-7]{32}$/, 'Set up the app once more.')),
});
export type Confirmation = z.infer<typeof confirmation>;

/** A key that counts once a code of the app confirms it. */
export type Offer = {
	/** Base32, to be typed. */
	key: string;
	/** The same as an `otpauth:` address, to be scanned. */
	address: string;
};

/** All that signing in takes besides the password: nothing where there is neither an app nor a passkey. */
export type SecondFactor = {
	/** Since when an authenticator app is set up. */
	appSince: string | null;
	passkeys: Passkey[];
	codesLeft: number;
};
