import * as z from 'zod/mini';
import { email } from '#src/lib/email.ts';
import { siteForm, type StoredSite } from '#src/core/settings/site-form.ts';

const { name, tagline, logo, accent, accentDark, author } = siteForm.shape;
const { contactEmail, senderEmail, timeZone, inventedProof, homeTitle } = siteForm.shape;

export const setupForm = z.object({
	...{ name, tagline, accent, accentDark, contactEmail, senderEmail },
	logo: z.optional(logo),
	author: z.optional(author),
	homeTitle: z.optional(homeTitle),
	timeZone: z.optional(timeZone),
	inventedProof: z.optional(inventedProof),
	/** The address of the account; empty keeps it. */
	ownEmail: z.optional(
		z.union([z.literal(''), email()], { error: 'Please enter a valid email address' }),
	),
	/** `remove` starts empty: what is still exactly as it came with the site goes, and can be taken back for 30 days. */
	samples: z.enum(['keep', 'remove'], 'Choose one of the two'),
	version: z.coerce.number(),
});

/** The state of the set-up: whether it asks by itself, the settings, and how much sample content there is. */
export type Setup = {
	isDue: boolean;
	site: StoredSite;
	/** Its web address, from the environment. */
	address: string;
	/** The address of the account; empty while it is the one that stands in for it. */
	ownEmail: string;
	/** Sender that the environment sets, which wins over the site's. Null if there is none. */
	mailFrom: string | null;
	/** Whether emails leave this site, and whether the server lets it show invented figures. */
	sendsMail: boolean;
	letsInvent: boolean;
	/** Sample articles and states that nobody has changed. */
	samples: { posts: number; states: number };
};
