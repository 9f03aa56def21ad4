/** Turns whatever was thrown into an answer. */
import { outageOf, withoutValues } from '#db/outage.ts';
import { AppError, MESSAGES, STATUS } from '#src/lib/errors.ts';
import { json } from './response.ts';

/** When to try again after the database was out of reach. */
const RETRY_S = 5;

/**
 * Returns a failure as its caller may read it: an `AppError` as it is, an outage of the database as `unavailable`, and anything else,
 * which is a bug, as `server`. The last two are logged, without values that people gave.
 */
export function toAppError(
	error: unknown,
	requestId?: string,
): AppError & { code: keyof typeof STATUS } {
	if (error instanceof AppError && error.code in STATUS) {
		return error as AppError & { code: keyof typeof STATUS };
	}
	const outage = outageOf(error);
	console.error(outage ?? withoutValues(error), ...(requestId ? [{ requestId }] : []));
	const failure = outage
		? new AppError('unavailable', MESSAGES.unavailable, { retryAfter: RETRY_S })
		: new AppError('server', MESSAGES.server);
	return failure as AppError & { code: 'unavailable' | 'server' };
}

/** Returns the answer to a method that an address does not take. */
export function notAllowed(request: Request, allowed: string): Response {
	const response = errorResponse(
		new AppError('method_not_allowed', MESSAGES.method_not_allowed),
		request,
	);
	response.headers.set('Allow', allowed);
	return response;
}

/** Any failure as the API's error answer, with the id under which it is logged. */
export function errorResponse(error: unknown, request: Request, requestId?: string): Response {
	const { code, message, fields, retryAfter, stored } = toAppError(error, requestId);
	const headers: Record<string, string> = {
		...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
		...(requestId && { 'X-Request-Id': requestId }),
	};
	return json(
		{ body: { error: { code, message, fields }, stored }, status: STATUS[code], headers },
		request,
	);
}
