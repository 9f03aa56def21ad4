import * as z from 'zod/mini';
import { MISSING_EMAIL } from './form.ts';

const INVALID = 'Please enter a valid email address';
/** Limits of mail servers: the whole address, and the part before the @. */
const MAX_LENGTH = { whole: 254, local: 64 };
/** The HTML standard's pattern of an address, but with a dot in the domain and labels of any length. */
const PATTERN =
	/^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
/** Characters that nobody sees: spaces of no width, marks of direction, soft hyphens. */
const INVISIBLE = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g;

/**
 * Returns the shared schema of an email address: what browsers take, up to 64 characters before the @ and 254 in all. Trimmed, in lower case, and with a domain in the letters of mail servers
 * (`info@xn--bcher-kva.example`), so that an address is one and the same however it was typed.
 */
export const email = (missing = MISSING_EMAIL, invalid = INVALID) =>
	z.pipe(
		z
			.string({ error: missing })
			.check(
				z.overwrite(withoutInvisible),
				z.minLength(1, missing),
				z.overwrite(inLettersOfServers),
			),
		z.email({ pattern: PATTERN, error: invalid }).check(
			z.maxLength(MAX_LENGTH.whole, invalid),
			z.refine((address) => address.indexOf('@') <= MAX_LENGTH.local, invalid),
		),
	);

/** Returns a text without invisible characters and the spaces around it. */
export const withoutInvisible = (text: string) => text.replace(INVISIBLE, '').trim();

/** Returns an address in lower case, its domain in the letters of mail servers where it can be one. */
function inLettersOfServers(address: string): string {
	const at = address.lastIndexOf('@') + 1;
	const domain = address.slice(at);
	return (address.slice(0, at) + asciiDomain(domain)).toLowerCase();
}

/** Returns an internationalized domain in the letters of mail servers; others as they are. */
export function asciiDomain(domain: string): string {
	// What is not of letters, figures and signs of domains is left for the pattern to refuse.
	if (/^[\0-\x7F]*$/.test(domain) || /[\0-,/:-@[-`{-\x7F\s]/.test(domain)) return domain;
	try {
		return new URL(`http://${domain}`).hostname;
	} catch {
		return domain;
	}
}

/** Fields against robots in every public form: a honeypot, and how long the form was open. */
export const antiBotFields = {
	website: z.optional(z.string()),
	elapsedMs: z.optional(z.union([z.string(), z.number()])),
	startedAt: z.optional(z.union([z.string(), z.number()])),
};
