/** Reads the input of a request: query, body and path as one object, within limits. */
import { isUtf8 } from 'node:buffer';
import { AppError } from '#src/lib/errors.ts';

/** Maximum fields of a form or query. Ours have a dozen; parsing thousands is slow. */
const MAX_FIELDS = 200;
/** A body of more chunks than this, smaller on average than the size below, is refused: each chunk costs time. */
const MAX_CHUNKS = 1000;
const SMALL_CHUNK_BYTES = 64;

/** Returns whether a body of which `size` bytes came in `count` chunks is in too many pieces to be read on. */
export function isFragmented(count: number, size: number): boolean {
	return count > MAX_CHUNKS && size < SMALL_CHUNK_BYTES * count;
}

/** Returns whether a browser without JavaScript sent a form, which expects a page rather than JSON. */
export function isPlainForm({ headers }: Request): boolean {
	return typeOf(headers) === URLENCODED && (headers.get('Accept') ?? '').includes('text/html');
}

const JSON_TYPE = 'application/json';
const URLENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

/** Returns the media type of a body without its parameters, or an empty text where it names none. */
function typeOf(headers: Headers): string {
	return (headers.get('Content-Type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

/** Limits of a body: its bytes, and whether it may be a form. */
type Accepted = { maxBody: number; forms: boolean };

/** Returns query, body and path parameters as one object. Path parameters win; repeated keys become lists. */
export async function inputOf(
	request: Request,
	params: Record<string, string>,
	accepted: Accepted,
): Promise<Record<string, unknown>> {
	const query = fieldsOf(new URL(request.url).search.slice(1));
	const body = await bodyOf(request, accepted);
	const input = { ...query, ...body, ...params };
	const [sentQuery, sentBody] = [asSent(query), asSent(body)];
	if (sentQuery ?? sentBody)
		sent.set(input, { ...(sentQuery ?? query), ...(sentBody ?? body), ...params });
	return input;
}

const sent = new WeakMap<object, object>();

/** Returns an input with the control characters that were removed from it, whose lengths count; undefined where there were none. */
export const asSent = (input: object): object | undefined => sent.get(input);

/**
 * Returns the request with its body read, so that a copy can be read as well. A copy of one that is refused halfway waits
 * for ever, because a stream ends only once both of its readers let it go.
 */
export async function buffered(request: Request, maxBody: number): Promise<Request> {
	const { url, method, headers } = request;
	const body = await textOf(request, maxBody).catch(rethrowIncomplete);
	return new Request(url, { method, headers, body });
}

async function bodyOf(request: Request, { maxBody, forms }: Accepted): Promise<object> {
	if (request.method === 'GET' || request.method === 'HEAD') return {};
	const text = await textOf(request, maxBody).catch(rethrowIncomplete);
	// Nothing is of no type.
	if (text === '') return {};
	const type = typeOf(request.headers);
	if (forms && type === URLENCODED) {
		const fields = fieldsOf(text);
		if (!REPLACED.test(text) && Object.values(fields).flat().some(isReplaced))
			throw new AppError('validation', NOT_UTF8);
		return fields;
	}
	// A mail client's one click, which says nothing that the address does not.
	if (forms && type === MULTIPART) return {};
	if (type !== JSON_TYPE) {
		const types = forms ? `${JSON_TYPE} or ${URLENCODED}` : JSON_TYPE;
		throw new AppError('unsupported_type', `Send the body as ${types}.`);
	}
	const body = parseJson(text);
	if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
	throw new AppError('validation', 'The request body must be a JSON object.');
}

/** Rethrows an `AppError`; throws a validation error if the body broke off, because the client or connection is gone. */
function rethrowIncomplete(error: unknown): never {
	if (error instanceof AppError) throw error;
	throw new AppError('validation', 'The request did not arrive whole.');
}

/** Other encodings would be stored with signs in the place of their letters. */
const NOT_UTF8 = 'Send the body in UTF-8.';
/** A sign that stands for a byte that is not UTF-8, as a form may hold it itself. */
const REPLACED = /\ufffd|%EF%BF%BD/i;

const isReplaced = (value: unknown) => String(value).includes('\ufffd');

/** Reads a body as text, up to `maxBytes`. */
async function textOf(request: Request, maxBytes: number): Promise<string> {
	const told = Number(request.headers.get('Content-Length') ?? NaN);
	// HTTP itself ends a body at the length it tells, and reading it whole is several times faster.
	const bytes =
		told <= maxBytes
			? new Uint8Array(await request.arrayBuffer())
			: await bytesOf(request, maxBytes);
	if (!isUtf8(bytes)) throw new AppError('validation', NOT_UTF8);
	return new TextDecoder().decode(bytes);
}

/** Reads a body as bytes. Throws `too_large` as soon as it is longer than `maxBytes`, and refuses many tiny chunks. */
async function bytesOf(request: Request, maxBytes: number): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of request.body ?? []) {
		size += chunk.byteLength;
		if (size > maxBytes) throw new AppError('too_large', 'That is too long to send.');
		chunks.push(chunk);
		if (isFragmented(chunks.length, size)) {
			throw new AppError('validation', 'Send the body in larger pieces.');
		}
	}
	return Buffer.concat(chunks);
}

/**
 * Removes what cannot be seen and is no space: control characters, and those that are none. NUL becomes a space, and what
 * breaks lines elsewhere a line break.
 */
const withoutControls = (text: string) =>
	text
		.replaceAll('\0', ' ')
		.replace(/[\v\f\u0085]/g, '\n')
		.replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '');

/** Such a character, as JSON may write it. */
const HAS_CONTROLS = /\\u(?:00[0189]|007f|fff[ef])|\\[bf]|[\u007f-\u009f\ufffe\uffff]/i;

function parseJson(text: string): unknown {
	const clean = (_key: string, value: unknown) =>
		typeof value === 'string' ? withoutControls(value) : value;
	try {
		if (!HAS_CONTROLS.test(text)) return JSON.parse(text);
		const value: unknown = JSON.parse(text, clean);
		if (typeof value === 'object' && value !== null)
			sent.set(value, Object(JSON.parse(text)) as object);
		return value;
	} catch {
		return undefined;
	}
}

/** Parses an encoded form or query, whose fields are counted first. */
function fieldsOf(encoded: string): Record<string, unknown> {
	if (encoded.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) {
		throw new AppError('validation', `Send ${MAX_FIELDS} fields or fewer.`);
	}
	const lists = Map.groupBy(new URLSearchParams(encoded), ([name]) => name);
	const fieldsBy = (valueOf: (value: string) => string) =>
		Object.fromEntries(
			Array.from(lists, ([name, pairs]) => {
				const values = pairs.map(([, value]) => valueOf(value));
				return [name, values.length > 1 ? values : values[0]];
			}),
		);
	const isClean = lists
		.values()
		.every((pairs) => pairs.every(([, value]) => value === withoutControls(value)));
	if (isClean) return fieldsBy((value) => value);
	const fields = fieldsBy(withoutControls);
	sent.set(
		fields,
		fieldsBy((value) => value),
	);
	return fields;
}
