import { SECOND } from '#src/lib/dates.ts';
import { OutageError, PermanentError } from './outbox.ts';

const TIMEOUT_MS = 10 * SECOND;
/** Statuses that are about the content, so that sending it again changes nothing. */
const FINAL_STATUSES = [400, 404, 409, 413, 422];

/** Returns whether a status refuses who asks or what, whatever it is, so that asking again changes nothing. */
export function isRefusal(status: number): boolean {
	return status >= 400 && status < 500 && status !== 429;
}

/** Posts to a third party. Returns its response, whatever the status; throws an `OutageError` where none comes in time. */
export async function post(
	address: string,
	body: string | URLSearchParams | null,
	headers: Record<string, string> = {},
): Promise<Response> {
	const signal = AbortSignal.timeout(TIMEOUT_MS);
	return fetch(address, { method: 'POST', headers, body, signal }).catch((error: unknown) => {
		throw new OutageError(`${new URL(address).host} cannot be reached: ${String(error)}`);
	});
}

/**
 * Posts JSON to a third party. Throws errors that the outbox understands, with the party's message; a final
 * status is not retried.
 */
export async function postJson(
	address: string,
	body: object,
	headers: Record<string, string> = {},
	isFinal = (status: number) => FINAL_STATUSES.includes(status),
): Promise<void> {
	const types = { 'Content-Type': 'application/json', Accept: 'application/json' };
	const response = await post(address, JSON.stringify(body), { ...types, ...headers });
	const text = await response.text();
	if (response.ok) return;
	const message = `${response.status}: ${errorText(text) || response.statusText}`;
	throw isFinal(response.status) ? new PermanentError(message) : new Error(message);
}

/** Returns the `message` of a JSON response, or the response's text. */
function errorText(text: string): string {
	try {
		const { message } = JSON.parse(text) as { message?: unknown };
		return typeof message === 'string' ? message : text;
	} catch {
		return text;
	}
}
