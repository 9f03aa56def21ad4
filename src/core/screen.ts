import * as z from 'zod/mini';

/** Content of a page that a link in an email opens. An island shows it, or the function itself without JavaScript. */
export type Screen = {
	title: string;
	sections: Section[];
	/** Whether the reader is subscribed, for this browser to remember. */
	subscribed?: boolean;
};

type Section = {
	title?: string;
	text: string;
	/** Somebody's words before it, with their line breaks and fenced code. Only a page without a script shows them. */
	quote?: string;
	/** A time whose day the text gives in UTC. A browser shows the reader's local day instead. */
	when?: string | undefined;
	/** Ordered items, such as the lessons of a course. */
	steps?: Step[];
	choices: Choice[];
};

export type Step = { label: string; state: 'done' | 'next' | 'ahead'; note?: string };

/** An action: a button that posts `choice`. */
export type Choice = {
	value: string;
	label: string;
	quiet?: boolean;
	/** The response is a file, which the browser saves. */
	isFile?: boolean;
};

/** Shown for an incomplete link. */
export const BROKEN_LINK =
	'This link is not complete. Please open it from the email again, or copy all of it.';

/** Shown to visitors who come without a link. */
export const OPEN_FROM_EMAIL = 'This page opens from a link in one of our emails.';
export const NEW_LINK = {
	title: 'No link at hand?',
	text: 'Enter your address to get a new link, with which you choose your emails, see your progress in the course, and unsubscribe. The response is the same whether or not we know the address.',
};

/** Token of a link. A missing or invalid one becomes '', which `readerOfToken` refuses with a message. */
export const linkToken = z.catch(z.string(), '');

/** The value of the button that was clicked. Without one, or with an empty one, the page only shows. */
export const choiceOf = <const Values extends readonly string[]>(values: Values) =>
	emptyAsNone(z.enum(values));
/** The value of the button that was clicked, if it is not known in advance. */
export const choiceMatching = (form: RegExp) => emptyAsNone(z.string().check(z.regex(form)));

const emptyAsNone = <Value extends z.ZodMiniType<string, string>>(value: Value) =>
	z.pipe(
		z.transform((posted) => (posted === '' ? undefined : posted)),
		z.optional(value),
	);
