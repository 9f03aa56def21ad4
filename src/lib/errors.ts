/** Error codes in responses of functions, with their HTTP status. */
export const STATUS = {
	validation: 400,
	unauthorized: 401,
	/** The password is right, and a code is asked for besides. */
	second_factor: 401,
	/** Somebody is signed in, but not recently enough for what is asked. */
	sign_in_again: 401,
	forbidden: 403,
	not_found: 404,
	method_not_allowed: 405,
	conflict: 409,
	too_large: 413,
	unsupported_type: 415,
	rate_limited: 429,
	server: 500,
	upstream: 502,
	unavailable: 503,
} as const;

/** Server codes, plus those that only occur in a browser. */
export type ErrorCode = keyof typeof STATUS | 'network' | 'timeout' | 'unknown';

/** Separate, so that a page can include it without the others. */
export const NETWORK_ERROR =
	'Unable to connect to the server. Please check your internet connection and try again.';

/** Generic messages (product.md section 8) for failures without one of their own. */
export const MESSAGES = {
	network: NETWORK_ERROR,
	unauthorized: "You don't have permission to access this resource. Please log in and try again.",
	validation: 'Please check your input and try again.',
	rate_limited: 'Too many requests. Please wait a moment before trying again.',
	not_found: "We couldn't find what you were looking for.",
	method_not_allowed: 'This address does not take this method.',
	server: 'Something went wrong on our side. Please try again in a moment.',
	unavailable: 'We cannot reach our records just now. Please try again in a few seconds.',
	timeout: 'The server took too long to answer. Please try again.',
	unknown: 'Something unexpected happened. Please try again.',
} as const;

type Details = {
	/** One message per input field. */
	fields?: Record<string, string> | undefined;
	/** Seconds until a retry makes sense. */
	retryAfter?: number | undefined;
	/** The stored thing, where a form was made from an earlier version. */
	stored?: unknown;
};

/** An expected failure, whose message is safe to show. The same class in the browser and on the server. */
export class AppError extends Error {
	override name = 'AppError';
	readonly code: ErrorCode;
	readonly fields: Details['fields'];
	readonly retryAfter: Details['retryAfter'];
	readonly stored: unknown;

	constructor(code: ErrorCode, message: string, { fields, retryAfter, stored }: Details = {}) {
		super(message);
		this.code = code;
		this.fields = fields;
		this.retryAfter = retryAfter;
		this.stored = stored;
	}
}

/** Returns the error about fields of an input, with a message for each. */
export const invalid = (fields: Record<string, string>) =>
	new AppError('validation', MESSAGES.validation, { fields });

/** Returns the message that a form shows: the first field's, or else the error's own. */
export function messageOf(error: unknown): string {
	if (!(error instanceof AppError)) return MESSAGES.unknown;
	return Object.values(error.fields ?? {})[0] ?? error.message;
}

/** Returns the reason of an expected failure, or undefined for an unexpected one. */
export function knownReason(error: unknown): string | undefined {
	const unforeseen: ErrorCode[] = ['server', 'upstream', 'unknown'];
	return error instanceof AppError && !unforeseen.includes(error.code)
		? messageOf(error)
		: undefined;
}
