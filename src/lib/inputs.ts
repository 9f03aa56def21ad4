import * as z from 'zod/mini';
import { formatCount, singleLine } from './text.ts';

/** The schema of no input. */
export const nothing = z.object({});

const most = (max: number) => z.maxLength(max, `Use ${formatCount(max)} characters or fewer`);

/** Returns the schema of a text in one line. */
export const line = (max: number) =>
	z.pipe(z.pipe(z.string(), z.transform(singleLine)), z.string().check(most(max)));

/** Returns the schema of a text in one line that may not be empty. */
export const needed = (max: number) => line(max).check(z.refine(isGiven, MISSING));

/** Returns the schema of a text whose lines may break. Nothing else that cannot be seen is kept. */
export const lines = (max: number) =>
	z.pipe(
		z.pipe(
			z.string(),
			z.transform((given: string) => given.split(/\r?\n/).map(singleLine).join('\n').trim()),
		),
		z.string().check(most(max)),
	);

/** Returns the schema of a text of one or more lines that may not be empty. */
export const neededLines = (max: number) => lines(max).check(z.refine(isGiven, MISSING));

const MISSING = 'Please fill this in.';
const isGiven = (text: string) => text !== '';
