/** Longest texts that are kept of an error. */
const ERROR_LIMITS = { message: 200, stack: 2000, path: 200 };
const FRAMES = 8;

/** Named values that may open something: `token=abc`, `"apiKey": "abc"`, `Bearer abc`. */
const SECRETS =
	/(\b[\w-]{0,40}(?:token|key|secret|passw(?:or)?d|code|session|signature|auth)[\w-]{0,40}["']?(?:=|:\s?(?=["']?[\w-]*\d))["']?|\bBearer )[^\s"'&;,)}\]]+/gi;

/** Takes out of a text what may be about a person: addresses, queries, long numbers, tokens, long quotations. */
function scrub(text: string): string {
	return text
		.replace(/[^\s"'<>()@“”‘’]+@[^\s"'<>()@“”‘’]+/g, '[address]')
		.replace(SECRETS, '$1…')
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
