import * as z from 'zod/mini';

export const WRONG_PASSKEY = 'This passkey is not known here, or took too long. Try once more.';
/** A site at a bare IP address has no name that a passkey could belong to. */
export const NO_PASSKEYS = 'Passkeys need a site with a name, not an IP address: see SITE_URL.';

const bytes = (max: number) =>
	z
		.string({ error: WRONG_PASSKEY })
		.check(
			z.minLength(1, WRONG_PASSKEY),
			z.maxLength(max, WRONG_PASSKEY),
			z.regex(/^[\w-]+$/, WRONG_PASSKEY),
		);
const credential = {
	id: bytes(1400),
	rawId: bytes(1400),
	type: z.literal('public-key', { error: WRONG_PASSKEY }),
};

/** A signature of a passkey, as `startAuthentication` of @simplewebauthn/browser returns it. */
export const assertion = z.object({
	...credential,
	response: z.object({
		clientDataJSON: bytes(4000),
		authenticatorData: bytes(4000),
		signature: bytes(8000),
	}),
});
export type Assertion = z.infer<typeof assertion>;

/** A new passkey, as `startRegistration` of @simplewebauthn/browser returns it. */
export const newPasskey = z.object({
	name: z
		.string({ error: 'Please give it a name.' })
		.check(
			z.trim(),
			z.minLength(1, 'Please give it a name.'),
			z.maxLength(60, 'A name has up to 60 characters.'),
		),
	passkey: z.object({
		...credential,
		response: z.object({
			clientDataJSON: bytes(4000),
			attestationObject: bytes(30_000),
			transports: z._default(z.array(z.string().check(z.maxLength(30))).check(z.maxLength(10)), []),
		}),
	}),
});
export type NewPasskey = z.infer<typeof newPasskey>;

export type Passkey = { id: string; name: string; createdAt: string; lastUsedAt: string | null };
