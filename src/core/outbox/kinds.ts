import { MINUTE } from '#src/lib/dates.ts';

/** At most `count` emails to one domain within a window; further ones wait. */
export type Pace = { name: string; count: number; windowMs: number };

type Kind = {
	/** Label in the dashboard. */
	label: string;
	/** Pace of an email; any other delivery leaves as soon as it is due. */
	pace?: Pace;
};

/** For emails that respond to forms, which anyone can fill in for others. */
const ANSWERS: Pace = { name: 'mail-domain', count: 120, windowMs: MINUTE };
/** For what the owner must hear of at once, whatever else goes to the same domain. */
const OWNER: Pace = { name: 'mail-owner', count: 60, windowMs: MINUTE };
/** For the weekly letter, which goes to many readers at once. */
const LETTERS: Pace = { name: 'mail-digest', count: 1000, windowMs: MINUTE };

/**
 * Every kind of delivery. Those with a pace are emails, whose writers are in functions/lib/email-writers.ts; the couriers of
 * the others are in functions/lib/deliver.ts.
 */
export const DELIVERY_KINDS = {
	confirm: { label: 'Request to confirm', pace: ANSWERS },
	welcome: { label: 'Welcome', pace: ANSWERS },
	digest: { label: 'Newsletter', pace: LETTERS },
	letter: { label: 'Letter', pace: LETTERS },
	approval: { label: 'Issue to approve', pace: OWNER },
	lesson: { label: 'Course lesson', pace: ANSWERS },
	download: { label: 'Download link', pace: ANSWERS },
	data: { label: 'Link to personal data', pace: ANSWERS },
	contact: { label: 'Contact form', pace: ANSWERS },
	reply: { label: 'Answer to a message', pace: ANSWERS },
	comment: { label: 'New comment', pace: OWNER },
	approved: { label: 'Comment approved', pace: ANSWERS },
	answer: { label: 'Comment answered', pace: ANSWERS },
	copy: { label: 'Failed copy of the database', pace: ANSWERS },
	'sign-in': { label: 'Sign-in from a new browser', pace: OWNER },
	account: { label: 'Change of how you sign in', pace: OWNER },
	reset: { label: 'Link to a new password', pace: OWNER },
	test: { label: 'Test', pace: ANSWERS },
	mailerlite: { label: 'Copy to MailerLite' },
	build: { label: 'Build of the site' },
	indexnow: { label: 'Note to search engines' },
	bluesky: { label: 'Post on Bluesky' },
	mastodon: { label: 'Post on Mastodon' },
	websub: { label: 'Note to the feeds’ hub' },
} as const satisfies Record<string, Kind>;

export type DeliveryKind = keyof typeof DELIVERY_KINDS;
export type MailKind = {
	[Name in DeliveryKind]: (typeof DELIVERY_KINDS)[Name] extends { pace: Pace } ? Name : never;
}[DeliveryKind];
export type JobKind = Exclude<DeliveryKind, MailKind>;

/** Returns whether a kind is an email, also one of an earlier version. */
export function isMail(kind: string): boolean {
	const known: Record<string, Kind> = DELIVERY_KINDS;
	return !known[kind] || known[kind].pace !== undefined;
}

/** Returns the pace of a kind of email. A kind of an earlier version has the pace of responses to forms. */
export function paceOf(kind: string): Pace {
	const known: Record<string, Kind> = DELIVERY_KINDS;
	return known[kind]?.pace ?? ANSWERS;
}
