import * as z from 'zod/mini';

/** What a link from a mail shows: drawn by an island, and by the function itself where there is no JavaScript. */
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

/** What a button posted; none, or an empty one, only shows. */
export const choiceOf = <const Values extends readonly string[]>(values: Values) =>
	orNone(z.enum(values));
/** What a button posted whose value is not known beforehand. */
export const choiceMatching = (form: RegExp) => orNone(z.string().check(z.regex(form)));

const orNone = <Value extends z.ZodMiniType<string, string>>(value: Value) =>
	z.pipe(
		z.transform((posted) => (posted === '' ? undefined : posted)),
		z.optional(value),
	);
