import { MINUTE } from '#src/lib/dates.ts';

/** At most `count` mails to one mail domain in a window; more of them wait. */
export type Pace = { name: string; count: number; windowMs: number };

type Kind = {
	/** What the admin reads. */
	label: string;
	/** For mails; any other delivery is carried as soon as it is due. */
	pace?: Pace;
};

/** For mails that answer forms, which anybody can fill in for others. */
const ANSWERS: Pace = { name: 'mail-domain', count: 120, windowMs: MINUTE };
/** For the weekly letter, which goes to many at once. */
const LETTERS: Pace = { name: 'mail-digest', count: 1000, windowMs: MINUTE };

/**
 * Every kind of delivery. Those with a pace are mails: functions/lib/letters.ts names their writers, and
 * functions/lib/deliver.ts what carries the others.
 */
export const DELIVERY_KINDS = {
	welcome: { label: 'Welcome', pace: ANSWERS },
	digest: { label: 'Weekly letter', pace: LETTERS },
	lesson: { label: 'Course lesson', pace: ANSWERS },
	download: { label: 'Download link', pace: ANSWERS },
	data: { label: 'Link to personal data', pace: ANSWERS },
	contact: { label: 'Contact form', pace: ANSWERS },
	test: { label: 'Test', pace: ANSWERS },
	mailerlite: { label: 'Copy to MailerLite' },
	build: { label: 'Build of the site' },
	indexnow: { label: 'Note to search engines' },
} as const satisfies Record<string, Kind>;

export type DeliveryKind = keyof typeof DELIVERY_KINDS;
export type MailKind = {
	[Name in DeliveryKind]: (typeof DELIVERY_KINDS)[Name] extends { pace: Pace } ? Name : never;
}[DeliveryKind];
export type JobKind = Exclude<DeliveryKind, MailKind>;

/** Returns how fast mails of a kind may leave; one of an earlier version leaves as answers do. */
export function paceOf(kind: string): Pace {
	const known: Record<string, Kind> = DELIVERY_KINDS;
	return known[kind]?.pace ?? ANSWERS;
}
