import * as z from 'zod/mini';

/** What a link from an email shows: drawn by an island, and by the function itself where there is no JavaScript. */
export type Screen = {
	title: string;
	sections: Section[];
	/** What this browser may remember from now on: whether its reader is subscribed. */
	subscribed?: boolean;
};

type Section = {
	title?: string;
	text: string;
	/** A time whose day the text names in UTC: a browser names the day that it is for the reader. */
	when?: string | undefined;
	/** Things in their order, such as the lessons of a course. */
	steps?: Step[];
	choices: Choice[];
};

export type Step = { label: string; state: 'done' | 'next' | 'ahead'; note?: string };

/** One thing to do: a button that posts `choice`. */
export type Choice = {
	value: string;
	label: string;
	quiet?: boolean;
	/** Answered with a file, which the browser saves. */
	isFile?: boolean;
};

/** Said of a link that is not whole. */
export const BROKEN_LINK =
	'This link is not complete. Please open it from the mail again, or copy all of it.';

/** Where somebody comes without a link. */
export const OPEN_FROM_EMAIL = 'This page opens from a link in one of our mails.';
export const NEW_LINK = {
	title: 'No link at hand?',
	text: 'Enter your address, and a new link comes to it. With that you choose what you get, see how far your course is, and unsubscribe. The answer here is the same whether or not we know the address.',
};

/** The token of a link; empty where it is missing or no text, which `readerOf` refuses in words. */
export const linkToken = z.catch(z.string(), '');

/** What a button posted; none, or an empty one, only shows. */
export const choiceOf = <const Values extends readonly string[]>(values: Values) =>
	emptyAsNone(z.enum(values));
/** What a button posted whose value is not known beforehand. */
export const choiceMatching = (form: RegExp) => emptyAsNone(z.string().check(z.regex(form)));

const emptyAsNone = <Value extends z.ZodMiniType<string, string>>(value: Value) =>
	z.pipe(
		z.transform((posted) => (posted === '' ? undefined : posted)),
		z.optional(value),
	);
