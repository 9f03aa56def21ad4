import type { Context } from '@netlify/functions';
import { hash } from 'node:crypto';
import { outageOf, withoutValues } from '#db/client.ts';
import { DAY, MINUTE, SECOND } from '#src/lib/dates.ts';
import { parse, type Endpoint } from '#src/lib/endpoint.ts';
import { getEnv } from '#src/lib/env.ts';
import { AppError, MESSAGES, STATUS } from '#src/lib/errors.ts';
import type { FormSpec } from '#src/lib/form.ts';
import { formPage } from './form-page.ts';
import { CORS_HEADERS, SECURITY_HEADERS } from './headers.ts';

type Reply = {
	body: unknown;
	status?: number;
	headers?: Record<string, string>;
	cookies?: string[];
	thanks?: string | undefined;
};
type Handler = {
	method: string;
	maxBody: number;
	anyOrigin: boolean;
	open: boolean;
	form?: FormSpec | undefined;
	failurePage?: FailurePage | undefined;
	path: string;
	run(input: object, request: Request, context: Context): Promise<Reply | Response>;
};

/** The page that a browser gets instead of JSON where it asked for a page. */
type FailurePage = (input: Record<string, unknown>, error: AppError) => Response;

type Options = {
	/** Other sites may send it too: what counts is the token that it carries. */
	anyOrigin?: boolean;
	/** Tags under which the CDN may keep the answer. Without them the answer is about a person and never stored. */
	cache?: string[];
	/** For how long it may keep it at most; without, until a write purges a tag. */
	cacheMs?: number;
	/** How a plain form post is answered: with a thank-you page, or with this form again. */
	form?: FormSpec;
	/** How a failure is answered where the answer is a page. */
	failurePage?: FailurePage;
	maxBody?: number;
	/** Programs of any site may read the answer. What the CDN may keep, they may. */
	open?: boolean;
	/** Status of a success. Default: 201 for POST, 200 otherwise. */
	status?: number;
};

const MAX_BODY_BYTES = 64 * 1024;
/** Fields of a form or a query: ours have a dozen, and reading thousands takes the server's time. */
const MAX_FIELDS = 200;
/** A body in more pieces than this, each smaller than that on average, is read no further: each takes its own time. */
const MAX_CHUNKS = 1000;
const SMALL_CHUNK_BYTES = 64;
/** Maximum size of an admin's request body, in bytes. */
export const ADMIN_BODY_BYTES = 1024 * 1024;

/** An answer with headers of its own, such as a cookie; with a `Content-Type`, text that is no JSON. */
export class ResponseWith<Out> {
	readonly body: Out;
	readonly headers: Record<string, string>;
	/** `Set-Cookie` values. */
	readonly cookies: string[];
	/** Path of the page that a plain form post is sent to, where it is not the form's own. */
	readonly thanks: string | undefined;
	constructor(body: Out, headers: Record<string, string>, cookies: string[] = [], thanks?: string) {
		this.cookies = cookies;
		this.thanks = thanks;
		this.body = body;
		this.headers = headers;
	}
}

/** A public answer whose cache tags depend on the request. */
export function cached<Out>(body: Out, ...tags: string[]): ResponseWith<Out> {
	return new ResponseWith(body, cacheHeaders(tags));
}

/**
 * Binds an endpoint to what it does: parse the request, do the work, answer with JSON. `null` means not found;
 * a `Response` (a file, a stream) goes out with our security headers where it has none of its own.
 */
export function on<In, Out>(
	endpoint: Endpoint<In, Out>,
	work: (
		input: In,
		request: Request,
		context: Context,
	) => Promise<Out | ResponseWith<Out> | Response | null>,
	{
		anyOrigin = false,
		cache,
		cacheMs,
		form,
		failurePage,
		maxBody = MAX_BODY_BYTES,
		open = cache !== undefined,
		status = endpoint.method === 'POST' ? 201 : 200,
	}: Options = {},
): Handler {
	return {
		method: endpoint.method,
		path: endpoint.path,
		maxBody,
		anyOrigin,
		open,
		form,
		failurePage,
		async run(input, request, context) {
			const output = await work(parse(endpoint.input, input), request, context);
			if (output === null) throw new AppError('not_found', MESSAGES.not_found);
			if (output instanceof Response) return withSecurityHeaders(output);
			const { body, headers, cookies, thanks } =
				output instanceof ResponseWith ? output : new ResponseWith(output, {});
			return {
				body,
				status,
				headers: { ...(cache && cacheHeaders(cache, cacheMs)), ...headers },
				cookies,
				thanks,
			};
		},
	};
}

/** The default export of every function: answers, and lets programs of any site read what is open. */
export function serve(...handlers: Handler[]) {
	const answer = dispatch(handlers);
	if (!handlers.some(({ open }) => open)) return answer;
	return async (request: Request, context: Context): Promise<Response> => {
		if (request.method === 'OPTIONS') {
			return new Response(null, {
				status: 204,
				headers: { ...SECURITY_HEADERS, ...PREFLIGHT_HEADERS },
			});
		}
		const response = await answer(request, context);
		const isRead = request.method === 'GET' || request.method === 'HEAD';
		for (const [name, value] of isRead ? Object.entries(CORS_HEADERS) : []) {
			response.headers.set(name, value);
		}
		return response;
	};
}

/** Response headers to a CORS preflight request. */
const PREFLIGHT_HEADERS = {
	...CORS_HEADERS,
	'Access-Control-Allow-Methods': 'GET, HEAD',
	'Access-Control-Allow-Headers': '*',
	'Access-Control-Max-Age': String(DAY / SECOND),
};

/** Picks the handler by method and turns errors into responses. */
function dispatch(handlers: Handler[]) {
	return async (request: Request, context: Context): Promise<Response> => {
		const method = request.method === 'HEAD' ? 'GET' : request.method;
		const handler = handlers.find((candidate) => candidate.method === method);
		if (handlers.length === 0) {
			return errorResponse(new AppError('not_found', MESSAGES.not_found), request);
		}
		if (!handler) {
			const methods = handlers.map((candidate) => candidate.method);
			const Allow = methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])).join(', ');
			return new Response(null, { status: 405, headers: { ...SECURITY_HEADERS, Allow } });
		}
		let input: Record<string, unknown> = {};
		const plain = isPlainForm(request) ? handler.form : undefined;
		try {
			if (method !== 'GET' && !handler.anyOrigin) refuseOtherSites(request);
			input = await readInput(request, context, handler);
			const reply = await handler.run(input, request, context);
			if (reply instanceof Response) return reply;
			if (plain) return seeOther(reply.thanks ?? plain.thanks, reply.cookies);
			return json(reply, request);
		} catch (error) {
			if (plain) return formPage(plain, handler.path, input, toAppError(error, context.requestId));
			return handler.failurePage
				? handler.failurePage(input, toAppError(error, context.requestId))
				: errorResponse(error, request, context.requestId);
		}
	};
}

function seeOther(path: string, cookies: string[] = []): Response {
	const headers = new Headers({ ...SECURITY_HEADERS, Location: path });
	for (const cookie of cookies) headers.append('Set-Cookie', cookie);
	return new Response(null, { status: 303, headers });
}

/** Refuses a change that another site's page asked for. Programs send neither header and pass. */
function refuseOtherSites({ url, headers }: Request): void {
	const origin = headers.get('Origin');
	const isForeign =
		origin !== null && !isOwnOrigin(origin, [new URL(url).host, headers.get('Host')]);
	if (isForeign || headers.get('Sec-Fetch-Site') === 'cross-site') {
		throw new AppError('forbidden', 'This form can only be sent from our own pages.');
	}
}

/** Whether an origin is the site's or that of a host that was asked, which may be encrypted before it reaches us. */
function isOwnOrigin(origin: string, hosts: (string | null)[]): boolean {
	if (!URL.canParse(origin)) return false;
	const { protocol, host } = new URL(origin);
	const site = new URL(getEnv().SITE_URL);
	// Where the site is encrypted, a page of its name that is not may be from anybody on the way.
	if (host === site.host) return protocol === 'https:' || protocol === site.protocol;
	return /^https?:$/.test(protocol) && hosts.includes(host);
}

/** A form sent by a browser without JavaScript: it wants a page, not JSON. */
function isPlainForm({ headers }: Request): boolean {
	return (
		(headers.get('Content-Type') ?? '').startsWith(URLENCODED) &&
		(headers.get('Accept') ?? '').includes('text/html')
	);
}
const URLENCODED = 'application/x-www-form-urlencoded';

/** Query, body and path parameters as one object; path parameters win, repeated keys become lists. */
async function readInput(
	request: Request,
	context: Context,
	{ maxBody }: Handler,
): Promise<Record<string, unknown>> {
	const query = parseFields(new URL(request.url).search.slice(1));
	const body = await readBody(request, maxBody);
	return { ...query, ...body, ...context.params };
}

async function readBody(request: Request, maxBody: number): Promise<object> {
	if (request.method === 'GET' || request.method === 'HEAD') return {};
	const text = await readText(request, maxBody).catch(rethrowIncomplete);
	if (text === '') return {};
	const type = request.headers.get('Content-Type') ?? '';
	if (type.startsWith(URLENCODED)) return parseFields(text);
	// A mail client's one click, which says nothing that the address does not.
	if (type.startsWith('multipart/form-data')) return {};
	const body = parseJson(text);
	if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
	throw new AppError('validation', 'The request body must be a JSON object.');
}

/** Rethrows an `AppError`; throws a validation error if the body broke off, because the client or connection is gone. */
function rethrowIncomplete(error: unknown): never {
	if (error instanceof AppError) throw error;
	throw new AppError('validation', 'The request did not arrive whole.');
}

/** Reads no more of a body than may be sent. */
async function readText(request: Request, maxBytes: number): Promise<string> {
	const contentLength = Number(request.headers.get('Content-Length') ?? NaN);
	// HTTP itself ends a body at the length it tells, and reading it whole is several times faster.
	if (contentLength <= maxBytes) return request.text();
	return Buffer.from(await readBytes(request, maxBytes)).toString('utf8');
}

/** The body as it is, or `too_large` as soon as it is longer, and a refusal where it comes in crumbs. */
async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of request.body ?? []) {
		size += chunk.byteLength;
		if (size > maxBytes) throw new AppError('too_large', 'That is too long to send.');
		chunks.push(chunk);
		if (chunks.length > MAX_CHUNKS && size < SMALL_CHUNK_BYTES * chunks.length) {
			throw new AppError('validation', 'Send the body in larger pieces.');
		}
	}
	return Buffer.concat(chunks);
}

/** SQLite ends a text at its first NUL: with a space instead, nothing behind one is lost. */
const withoutNul = (text: string) => text.replaceAll('\0', ' ');

function parseJson(text: string): unknown {
	const clean = (_key: string, value: unknown) =>
		typeof value === 'string' ? withoutNul(value) : value;
	try {
		return JSON.parse(text, text.includes('\\u0000') ? clean : undefined);
	} catch {
		return undefined;
	}
}

/** The fields of an encoded form or query, counted before they are read. */
function parseFields(encoded: string): Record<string, unknown> {
	if (encoded.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) {
		throw new AppError('validation', `Send ${MAX_FIELDS} fields or fewer.`);
	}
	const lists = Map.groupBy(new URLSearchParams(encoded), ([name]) => name);
	return Object.fromEntries(
		Array.from(lists, ([name, pairs]) => {
			const values = pairs.map(([, value]) => withoutNul(value));
			return [name, values.length > 1 ? values : values[0]];
		}),
	);
}

const YEAR = 365 * DAY;
/**
 * Browsers ask each time; the CDN keeps the answer until a write purges one of its tags. An answer that is fetched right
 * after that may come from a replica that has not heard of the write: with replicas nothing is kept for long.
 */
function cacheHeaders(tags: string[], maxAgeMs = YEAR): Record<string, string> {
	const ms = getEnv().DATABASE_READ_URL ? Math.min(maxAgeMs, MINUTE) : maxAgeMs;
	return {
		'Cache-Control': 'public, max-age=0, must-revalidate',
		'Netlify-CDN-Cache-Control': `public, durable, s-maxage=${ms / SECOND}`,
		// What comes from an address may hold what no header can.
		'Netlify-Cache-Tag': tags.map(encodeURIComponent).join(','),
		'Netlify-Vary': 'query',
	};
}

function withSecurityHeaders(response: Response): Response {
	const headers = new Headers({ 'Cache-Control': 'no-store', ...SECURITY_HEADERS });
	for (const [name, value] of response.headers) headers.set(name, value);
	return new Response(response.body, { status: response.status, headers });
}

function json(
	{ body, status = 200, headers = {}, cookies = [] }: Reply,
	request: Request,
): Response {
	// What has a type of its own is text already.
	const text = 'Content-Type' in headers ? String(body) : JSON.stringify(body ?? null);
	const all = new Headers({
		'Content-Type': 'application/json',
		'Cache-Control': 'no-store',
		...SECURITY_HEADERS,
		...headers,
	});
	for (const cookie of cookies) all.append('Set-Cookie', cookie);
	if (headers['Cache-Control'] && status === 200) {
		const etag = `W/"${hash('sha1', text, 'base64url')}"`;
		all.set('ETag', etag);
		if (matchesEtag(etag, request)) {
			return new Response(null, { status: 304, headers: all });
		}
	}
	return new Response(request.method === 'HEAD' ? null : text, { status, headers: all });
}

/** Whether the caller has this answer already. Proxies may have made its tag a strong one, or one of several. */
function matchesEtag(etag: string, { headers }: Request): boolean {
	const known = (headers.get('If-None-Match') ?? '').split(',').map((one) => one.trim());
	return known.includes('*') || known.some((one) => `W/${one.replace(/^W\//, '')}` === etag);
}

/** When to try again after the database was out of reach. */
const RETRY_AFTER_S = 5;

/** An expected failure as it is. Anything else is a bug: logged whole, answered with nothing in it. */
function toAppError(error: unknown, requestId?: string): AppError & { code: keyof typeof STATUS } {
	if (error instanceof AppError && error.code in STATUS) {
		return error as AppError & { code: keyof typeof STATUS };
	}
	const outage = outageOf(error);
	console.error(outage ?? withoutValues(error), ...(requestId ? [{ requestId }] : []));
	const failure = outage
		? new AppError('unavailable', MESSAGES.unavailable, { retryAfter: RETRY_AFTER_S })
		: new AppError('server', MESSAGES.server);
	return failure as AppError & { code: 'unavailable' | 'server' };
}

/** Any failure as the API's error answer, with the id under which it is logged. */
export function errorResponse(error: unknown, request: Request, requestId?: string): Response {
	const { code, message, fields, retryAfter } = toAppError(error, requestId);
	const headers: Record<string, string> = {
		...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
		...(requestId && { 'X-Request-Id': requestId }),
	};
	return json(
		{ body: { error: { code, message, fields } }, status: STATUS[code], headers },
		request,
	);
}
