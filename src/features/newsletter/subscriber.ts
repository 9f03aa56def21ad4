import * as z from 'zod/mini';
import { email, antiBotFields } from '#src/lib/email.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { emailField, failureWith, type FormSpec, type Sent } from '#src/lib/form.ts';
import { singleLine } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';

/** The form of a signup: the labels of product.md section 7, and one for the popup that has none there. */
export type Source =
	| 'Newsletter Signup Form'
	| 'Newsletter Button'
	| 'Newsletter Modal'
	| 'Floating Newsletter'
	| 'Exit Popup';

/** How often a reader wants to hear: of each article, by the letter as the site sends it, or once a month. */
export const CADENCES = ['each', 'weekly', 'monthly'] as const;
export type Cadence = (typeof CADENCES)[number];
export const CADENCE_LABELS: Record<Cadence, string> = {
	each: 'Each article, one letter a day at most',
	weekly: 'The letter with all that is new',
	monthly: 'Once a month',
};
export const cadenceField = z.optional(z.enum(CADENCES, { error: 'Choose how often' }));

/** A name or a source, on one line. */
export const label = () => z.optional(z.string().check(z.maxLength(100), z.overwrite(singleLine)));

/** Ids of categories. A form sends one as a text, several as a list. */
const topics = z.pipe(
	z.transform((value) => (typeof value === 'string' ? [value] : value)),
	z.array(z.string().check(z.maxLength(100))).check(z.maxLength(50)),
);

export const subscriberInput = z.object({
	email: email(),
	source: label(),
	topics: z.optional(topics),
	cadence: cadenceField,
	...antiBotFields,
});

/** A signup, whichever form it came from. */
export type Signup = {
	email: string;
	/** One of the labels of product.md section 7, or what a program sends. */
	source?: string | undefined;
	name?: string | undefined;
	lastName?: string | undefined;
	/** Ids of the only categories whose articles and letters are wanted; none for all. */
	topics?: string[] | undefined;
	/** How often letters are wanted; as the site sends its issues without it. */
	cadence?: Cadence | undefined;
	/** How its owner confirmed it, where the site asks. */
	consent?: string | undefined;
};

/** Splits a full name into the first word and the rest (product.md section 5). */
export function splitName(fullName: string): { name: string; lastName: string } {
	const [name = '', ...rest] = fullName.trim().split(/\s+/);
	return { name, lastName: rest.join(' ') };
}

/** The same for a new and for a known address, so that nobody can find out who reads us. */
export type SubscribeResponse = Sent;

/** Readers below which their number is not said. */
export const MIN_READERS = 500;

export const SUBSCRIBED = 'Successfully subscribed to newsletter!';

/** Returns the message of a failure, unless it is made of an answer that is not ours. */
function serverMessage(error: unknown): string | undefined {
	const isForeign = !(error instanceof AppError) || /^\d{3}: /.test(error.message);
	return isForeign || error.code === 'unknown' ? undefined : messageOf(error);
}

/** Ends the sentence that stands in the place of the form after a signup. */
export const SIGNUP_DONE = 'Check your inbox for AI insights.';

/** The toasts of the signup form (product.md section 8). */
export const signupSuccess = {
	title: 'Successfully subscribed!',
	description: 'Welcome! The latest AI insights are on their way to your inbox.',
};
export const signupFailure = failureWith(
	'Subscription failed',
	'Please try again later.',
	serverMessage,
);

/** The toasts of most other newsletter forms, the button's among them (product.md section 8). */
export const subscribeSuccess = {
	title: 'Success!',
	description: "You've been subscribed to our newsletter.",
};
export const subscribeFailure = failureWith(
	'Error',
	'Failed to subscribe. Please try again.',
	serverMessage,
);

const listFallback = failureWith('Error', 'Failed to subscribe to newsletter', serverMessage);
/** The toast of the mail list's signup in the floating widget (product.md section 8). */
export const listFailure = (error: unknown) =>
	error instanceof AppError && error.code === 'network'
		? { title: 'Error', description: 'Network error. Please try again.' }
		: listFallback(error);

/** The toast of the article's modal (product.md section 8). */
export const modalFailure = failureWith(
	'Subscription failed',
	"We couldn't subscribe you at this time. Please try again.",
	serverMessage,
);

export const signupForm: FormSpec = {
	title: 'Subscribe to the newsletter',
	submit: 'Subscribe',
	thanks: paths.thanks('subscribe'),
	fields: [
		{ ...emailField, label: 'Email address' },
		{ name: 'source', label: '', type: 'hidden' },
		{ name: 'topics', label: '', type: 'hidden' },
		{ name: 'cadence', label: '', type: 'hidden' },
	],
};
