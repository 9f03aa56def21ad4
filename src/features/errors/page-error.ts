import * as z from 'zod/mini';

const text = (max: number) => z.string().check(z.maxLength(max));

/** All that a page sends of an uncaught error. It is scrubbed before it leaves, and once more as it arrives. */
export const pageErrorReport = z.object({
	message: text(1000),
	stack: text(10_000),
	/** Path of the page, without query. */
	path: text(2000),
});
export type PageErrorReport = z.infer<typeof pageErrorReport>;

/** One place in the code at which pages failed. */
export type PageError = PageErrorReport & {
	id: string;
	/** "Firefox on Linux". */
	browser: string;
	/** Scripts in which it happened first and last, by the mark that a build gives each version of one. */
	firstVersion: string;
	lastVersion: string;
	count: number;
	firstAt: string;
	lastAt: string;
};
