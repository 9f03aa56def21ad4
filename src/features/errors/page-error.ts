import * as z from 'zod/mini';

/** Longest texts that are kept of an error. */
export const ERROR_LIMITS = { message: 200, stack: 2000, path: 200 };
const FRAMES = 8;

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

/** Takes out of a text what may be about a person: addresses, queries, long numbers, tokens, long quotations. */
export function scrub(text: string): string {
	return text
		.replace(/[^\s"'<>()@“”‘’]+@[^\s"'<>()@“”‘’]+/g, '[address]')
		.replace(/[?#][^\s)'"]*/g, '')
		.replace(/(["'“‘`])(?:(?!\1)[^\n]){41,}?(["'”’`])/g, '$1…$2')
		.replace(/\b(?=[\w-]*\d)[\w-]{24,}\b/g, '…')
		.replace(/\d{6,}/g, '…');
}

/** Returns a report of an error without anything about the reader. Pure, so that page and server do the same. */
export function reportOf(error: { name?: string; message?: string; stack?: string }, path: string) {
	const name = error.name && error.name !== 'Error' ? `${error.name}: ` : '';
	const frames = (error.stack ?? '')
		.split('\n')
		.filter((line) => /:\d+:\d+/.test(line))
		.slice(0, FRAMES);
	return {
		message: scrub(name + (error.message ?? '')).slice(0, ERROR_LIMITS.message),
		stack: frames
			// Names of scripts look like tokens, so that only hosts and queries go.
			.map((line) => line.replace(/https?:\/\/[^/\s)]+|[?#][^\s)]*/g, '').trim())
			.join('\n')
			.slice(0, ERROR_LIMITS.stack),
		path: scrub(path).slice(0, ERROR_LIMITS.path),
	};
}
