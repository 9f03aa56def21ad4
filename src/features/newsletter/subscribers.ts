import * as z from 'zod/mini';
import { importRun } from '#src/core/imports/run.ts';
import { email } from '#src/lib/email.ts';
import { pagedInput, searchField } from '#src/lib/paging.ts';
import { singleLine } from '#src/lib/text.ts';
import { cadenceField } from './subscriber.ts';

/** A subscriber as the admin sees it. */
export type SubscriberRow = {
	id: string;
	email: string;
	name: string | null;
	source: string | null;
	/** When the owner brought the address in, and by which file; null for who signed up. */
	imported: { at: string; file: string | null } | null;
	state: SubscriberState;
	createdAt: string;
	pausedUntil: string | null;
	leftAt: string | null;
	labels: string[];
	/** How the address agreed to get letters; null for a signup that was not asked. */
	consent: string | null;
};

/** States of subscribers: each is in one of them. */
export const SUBSCRIBER_STATES = ['active', 'paused', 'left', 'bounced'] as const;
export type SubscriberState = (typeof SUBSCRIBER_STATES)[number];

/** Maximum number of labels of a person. */
export const MAX_LABELS = 20;
/** A label, in whose place files list several, with commas or semicolons. */
const labelText = z
	.string()
	.check(
		z.overwrite(singleLine),
		z.minLength(1, 'Type a label'),
		z.maxLength(60, 'Use 60 characters or fewer'),
		z.regex(/^[^,;"]*$/, 'Use no commas, semicolons or quotation marks'),
	);

/** Stands for an unknown source. */
export const NO_SOURCE = '-';

const day = z.union([z.literal(''), z.iso.date('Enter a date')]);
const filters = {
	q: searchField,
	source: z.optional(z.string().check(z.maxLength(100))),
	/** `inactive` is everybody who left or bounced. */
	state: z.optional(z.enum([...SUBSCRIBER_STATES, 'inactive'])),
	label: z.optional(z.string().check(z.maxLength(60))),
	/** Id of a category: those who get its letters. */
	topic: z.optional(z.string().check(z.maxLength(100))),
	/** The first and last day of signup, in UTC. */
	from: z.optional(day),
	to: z.optional(day),
};
export const subscribersFilter = z.object(filters);
export type SubscribersFilter = z.infer<typeof subscribersFilter>;
export const subscribersQuery = z.object({
	...pagedInput(['created', 'email', 'source'], '-created'),
	...filters,
});
export type SubscribersQuery = z.infer<typeof subscribersQuery>;

export const activation = z.object({
	ids: z
		.array(z.string().check(z.maxLength(100)))
		.check(z.minLength(1, 'Choose one or more'), z.maxLength(200, 'Choose 200 or fewer')),
	active: z.boolean(),
	/** Only those who were made inactive at this time, and have not left by themselves or bounced since: for an undo. */
	leftAt: z.optional(z.iso.datetime()),
});
export type Activation = z.infer<typeof activation>;

export const labeling = z.object({
	/** The people; a label is removed from everybody where nobody is named. */
	ids: z.optional(activation.shape.ids),
	label: labelText,
	on: z.boolean(),
});
export type Labeling = z.infer<typeof labeling>;

/** Somebody whom the owner adds by hand. */
export const newSubscriber = z.object({
	email: email(),
	name: z.string().check(z.overwrite(singleLine), z.maxLength(100)),
	/** How the address agreed to get letters. */
	consent: z
		.string()
		.check(
			z.overwrite(singleLine),
			z.minLength(1, 'Say how this person agreed to get your letters'),
			z.maxLength(300),
		),
});
export type NewSubscriber = z.infer<typeof newSubscriber>;

/** Maximum number of subscribers per call. The browser sends a longer file in parts. */
export const IMPORT_ROWS = 1000;
/** Maximum number of characters in an imported file: about 200,000 addresses. */
export const IMPORT_CHARACTERS = 20_000_000;

const consentField = z.string().check(z.overwrite(singleLine), z.maxLength(300));
const words = z.nullable(z.string().check(z.maxLength(100)));
export const importRow = z.object({
	email: email(),
	name: words,
	lastName: words,
	source: words,
	active: z.boolean(),
	/** Null if the file does not say; then it is the time of the import. */
	createdAt: z.nullable(z.iso.datetime()),
	leftAt: z._default(z.nullable(z.iso.datetime()), null),
	/** How the address agreed to get letters. */
	consent: z.optional(z.nullable(consentField)),
	/** Choices of the reader, which only archives of a site like this tell: the slugs of wanted categories, and the rest. */
	topics: z.optional(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(200))),
	wantsWhole: z.optional(z.boolean()),
	cadence: cadenceField,
	labels: z.optional(z.array(labelText).check(z.maxLength(MAX_LABELS))),
	pausedUntil: z.optional(z.nullable(z.iso.datetime())),
});
export type ImportRow = z.infer<typeof importRow>;

export const importInput = z.object({
	rows: z.array(importRow).check(z.maxLength(IMPORT_ROWS)),
	/** Whether former subscribers are reactivated if they are active in the file. */
	reactivate: z.boolean(),
	/** How those agreed to get letters of whom the file says nothing. Asked for if there are any, except by a preview. */
	consent: z.optional(consentField),
	/** Only report what would happen. */
	preview: z.boolean(),
	/** The file that these are a part of: one entry of the log, which can be undone as a whole. */
	run: z.optional(importRun),
	/** The import of a whole archive that these belong to: of a site like this, where who signed up has agreed. */
	importId: z.optional(z.string().check(z.maxLength(100))),
});
export type ImportInput = z.infer<typeof importInput>;

/** The result, or expected result, of an import, in numbers of addresses. */
export type ImportReport = {
	added: number;
	/** Existing subscribers that got a missing name, source or label. */
	completed: number;
	/** Existing subscribers without changes. */
	unchanged: number;
	/** Former subscribers that stay away. */
	keptAway: number;
	reactivated: number;
	/** Known subscribers that left by the file, and get no letters from now on. */
	left?: number;
	/** Those that will get letters from now on, but the file does not say how they agreed to. */
	unstated: number;
};

export const CONSENT_MISSING = 'Say how they agreed to get your letters';
