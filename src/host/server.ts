import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECURITY_HEADERS } from '#functions/lib/headers.ts';
import { errorResponse } from '#functions/lib/failure.ts';
import { isFragmented } from '#functions/lib/input.ts';
import type { Progress } from '#src/build/builds.ts';
import type { Health } from '#src/core/builds/builds.api.ts';
import { UNKNOWN_VITALS } from '#src/core/builds/health.ts';
import { SECOND } from '#src/lib/dates.ts';
import { getEnv } from '#src/lib/env.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { markdownPath } from '#src/lib/markdown-path.ts';
import {
	HEALTH_PATH,
	logWhenDone,
	METRICS_PATH,
	READINESS_PATH,
	REQUEST_ID_HEADER,
	requestContext,
	type RequestInfo,
	type RequestSummary,
	routeLabelOf,
	startRequest,
} from '#src/core/request-context.ts';
import { preparingResponse } from './preparing.ts';
import { collectAtRest } from './rest.ts';
import type { Functions } from './router.ts';
import type { Metrics } from './metrics.ts';
import type { Pass } from './pass.ts';
import { encodingFor, type Site } from './static-site.ts';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** An error that prevents the server from starting. Its message is one sentence for a person. */
export class HostError extends Error {
	override name = 'HostError';
}

/** The content of a running server. Replacing `site` swaps the whole site in one step. */
type Content = {
	functions: Pick<Functions, 'match'> & Partial<Functions>;
	site?: Site | undefined;
	/** Files that can be served already where there is no site yet. */
	early?: Site | undefined;
	/** Whether another process serves a site, and passes on what functions answer. */
	isBehind?: boolean;
};

export type Server = {
	port: number;
	/** Sets the content. Until that has a site, every page says how far the build is, with 503, and the process is not ready. */
	setContent(content: Content): void;
	/** Starts serving functions. Until then they get 503; if the process listens late, it gets nothing. */
	open: () => void;
	/**
	 * Reports not ready and ends keep-alive at once, serves requests for another `drainMs` or until called
	 * again, then accepts no more and lets requests in flight and their `waitUntil` work finish, for 10 seconds
	 * at most.
	 */
	close(drainMs?: number): Promise<void>;
};

type Vitals = Omit<Health, 'status'>;

const MAX_URL_LENGTH = 8000;
const CLOSE_TIMEOUT_MS = 10_000;
/** How long an idle connection is kept: longer than proxies do (Caddy two minutes), which would reuse it as it ends. */
const KEEP_ALIVE_TIMEOUT_MS = 130_000;
/** How long the process behind may take until readiness is told without it. */
const READY_MS = SECOND;
/** Retry-After of what is not available yet. */
const RETRY_AFTER_S = 5;

/** Turns a request for a page by somebody who prefers Markdown into one for the page's Markdown. */
function preferMarkdown(incoming: IncomingMessage): void {
	const { accept } = incoming.headers;
	if (!accept || !/markdown/i.test(accept)) return;
	const [path = '', query] = (incoming.url ?? '').split(/(?=\?)/);
	const markdown = markdownPath(path, accept);
	if (markdown !== undefined) incoming.url = markdown + (query ?? '');
}

/** Listens on a port, or if `isLate` once it is opened. Throws a `HostError` if that is not possible. */
export async function listen({
	host,
	port,
	isLate = false,
	trustProxy,
	observe,
	metrics,
	socketPath,
	pass,
	progress = () => ({ doing: '' }),
}: {
	host: string;
	port: number;
	/** Where to listen instead, for the process that listens on the port and passes requests on. */
	socketPath?: string | undefined;
	/** Passes requests on to the process that answers what this one does not: functions, and all where there is no site yet. */
	pass?: Pass | undefined;
	/** Whether another process serves meanwhile. */
	isLate?: boolean;
	trustProxy: boolean;
	/** Called after every request. */
	observe?: ((request: RequestSummary) => void) | undefined;
	metrics?: Metrics | undefined;
	/** How far the preparation of the site is. */
	progress?: () => Progress;
}): Promise<Server> {
	let content: Content | undefined;
	let isOpen = false;
	const closing = new AbortController();
	let isClosing = false;
	const passesMetrics = pass !== undefined && getEnv().METRICS_TOKEN !== undefined;
	const hasSite = () => Boolean(content?.site || content?.isBehind);
	const respond = async (request: Request, incoming: IncomingMessage, info: RequestInfo) => {
		if (!isWellFormed(incoming)) {
			return errorResponse(new AppError('validation', 'This address is malformed.'), request);
		}
		if (incoming.url === READINESS_PATH) {
			info.route = READINESS_PATH;
			if (isClosing) return unavailableResponse('The server is ending.', request);
			if (!hasSite() || !isOpen) return unavailableResponse('The site is being prepared.', request);
			const { writes, refused }: Vitals = pass ? UNKNOWN_VITALS : await vitals();
			return statusResponse({ status: 'ready', writes, refused });
		}
		if (incoming.url === HEALTH_PATH && (!isOpen || pass)) {
			info.route = HEALTH_PATH;
			return statusResponse({ status: 'ok', ...UNKNOWN_VITALS } satisfies Health);
		}
		if (incoming.url === METRICS_PATH && (metrics || passesMetrics)) {
			info.route = METRICS_PATH;
			return metrics
				? metrics.respond(request)
				: unavailableResponse(MESSAGES.unavailable, request);
		}
		const preparing = () => preparingResponse(progress(), RETRY_AFTER_S, request.method === 'HEAD');
		if (!content) return preparing();
		const { site = content.early, functions } = content;
		const url = new URL(request.url);
		const isFile = site?.has(url.pathname);
		const call = functions.match(url.pathname, request.method);
		if (call && !(call.preferStatic && isFile)) {
			info.route = call.route;
			// What is no page and may be a file once there is a site is not missing yet.
			if (pass || !isOpen || (call.preferStatic && !hasSite()))
				return unavailableResponse(MESSAGES.unavailable, request);
			return compress(
				request,
				await functions.call!(call, request, addressOf(incoming, trustProxy)),
			);
		}
		info.path = url.pathname;
		if (!site || (!content.site && !isFile)) return preparing();
		const response = await site.respond(request, url);
		info.route = routeLabelOf(response);
		return response;
	};
	/** Returns whether another process answers: what no file of the site does, and everything while there is no site. */
	const isPassed = (incoming: IncomingMessage) => {
		const { url = '', method = '' } = incoming;
		if (!isWellFormed(incoming) || (isClosing && url === READINESS_PATH)) return false;
		if (!content?.site || !url.startsWith('/')) return true;
		if (url === METRICS_PATH) return passesMetrics;
		const { pathname } = new URL(`http://localhost${url}`);
		const call = content.functions.match(pathname, method);
		return call !== undefined && !(call.preferStatic && content.site.has(pathname));
	};
	const listener = getRequestListener(
		async (request, { incoming }) => {
			const info = requestContext.getStore()!;
			const response = await respond(request, incoming as HttpBindings['incoming'], info).catch(
				(error: unknown) => errorResponse(error, request, info.id),
			);
			response.headers.set(REQUEST_ID_HEADER, info.id);
			return response;
		},
		// For clients that name no host, such as the health checks of some balancers.
		{ overrideGlobalObjects: false, hostname: new URL(getEnv().SITE_URL).host },
	);
	const onRequest = collectAtRest();
	const server = createServer((incoming, outgoing) => {
		onRequest();
		const info = startRequest(incoming, trustProxy);
		preferMarkdown(incoming);
		// The client then opens another connection and is not cut off at its next request.
		if (isClosing) outgoing.shouldKeepAlive = false;
		if (observe) logWhenDone(info, incoming, outgoing, observe);
		const cached =
			hasOneHost(incoming) &&
			content?.site?.respondFromCache(incoming, outgoing, [REQUEST_ID_HEADER, info.id]);
		if (cached) return void Object.assign(info, cached);
		if (incoming.headers['transfer-encoding']) dropFragments(incoming);
		const answer = () => requestContext.run(info, () => void listener(incoming, outgoing));
		if (!pass || !isPassed(incoming)) return answer();
		info.isPassed = true;
		const from = { id: info.id, address: addressOf(incoming, trustProxy) };
		const onFailure = () => {
			info.isPassed = false;
			answer();
		};
		// A balancer goes on sending readers here while the database keeps the other process.
		pass(
			incoming,
			outgoing,
			from,
			onFailure,
			incoming.url === READINESS_PATH ? READY_MS : undefined,
		);
	});
	server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
	if (!isLate) {
		await new Promise<void>((resolve, reject) => {
			server.once('error', (error: NodeJS.ErrnoException) => {
				reject(new HostError(listenError(error, host, port)));
			});
			if (socketPath) server.listen(socketPath, resolve);
			else server.listen(port, host, resolve);
		});
	}
	return {
		port: (server.address() as AddressInfo | null)?.port ?? port,
		setContent(next) {
			content = next;
		},
		open() {
			isOpen = true;
			if (isLate) server.listen(port, host, metrics?.opened);
			else metrics?.opened();
		},
		async close(drainMs = 0) {
			if (isClosing) closing.abort();
			isClosing = true;
			await sleep(drainMs, undefined, { signal: closing.signal }).catch(() => {});
			const closed = new Promise<void>((resolve) => server.close(() => resolve()));
			// Connections stay open after their last response; none may start another request.
			const idle = setInterval(() => server.closeIdleConnections(), 20);
			const finished = closed.then(() => content?.functions.settle?.());
			await Promise.race([
				finished,
				new Promise((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS).unref()),
			]);
			clearInterval(idle);
			server.closeAllConnections();
		},
	};
}

/** Asks the database how it is. The process in front asks none, and loads no driver. */
async function vitals(): Promise<Vitals> {
	const [{ getDb }, { getHealth }] = await Promise.all([
		import('#db/client.ts'),
		import('#src/core/builds/health.server.ts'),
	]);
	return getHealth(getDb());
}

/** Returns the client's address: the socket's, or the one that a trusted proxy saw and appended last. */
export function addressOf({ socket, headers }: IncomingMessage, trustProxy: boolean): string {
	const forwarded = trustProxy ? [headers['x-forwarded-for'] ?? []].flat().join() : '';
	const address = forwarded.split(',').at(-1)?.trim() || (socket.remoteAddress ?? '');
	return canonicalAddress(address);
}

/** Returns the one way to write an address: proxies pass on several, and each would count as another visitor. */
function canonicalAddress(address: string): string {
	if (/^[\d.]+$/.test(address)) return address.replace(/(?<!\d)0+(?=\d)/g, '');
	if (!isIPv6(address)) return address.replace(/^::ffff:(?=[\d.]+$)/i, '');
	const { hostname } = new URL(`http://[${address.replace(/%.*/, '')}]`);
	const mapped = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(hostname);
	if (!mapped) return hostname.slice(1, -1);
	const [high, low] = mapped.slice(1).map((group) => parseInt(group, 16)) as [number, number];
	return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/**
 * Drops what follows once a body is in too many pieces, which its reader then refuses. Node parses 64 KB before anybody can
 * read or refuse: 11,000 chunks kept for the reader cost twice the time of those dropped.
 */
function dropFragments(incoming: IncomingMessage): void {
	const push = incoming.push.bind(incoming);
	let count = 0;
	let size = 0;
	let dropping = false;
	incoming.push = (chunk: Buffer | null) => {
		if (chunk && dropping) return true;
		size += chunk?.length ?? 0;
		dropping = isFragmented(++count, size);
		return push(chunk);
	};
}

function isWellFormed(incoming: IncomingMessage): boolean {
	const { url = '' } = incoming;
	if (url.length > MAX_URL_LENGTH || !hasOneHost(incoming)) return false;
	try {
		return !decodeURIComponent(url.split('?', 1)[0]!).includes('\0');
	} catch {
		return false;
	}
}

/** Returns whether the request names one host, or none. Node takes the first of two, and a proxy in front may take the other. */
function hasOneHost({ rawHeaders, headers }: IncomingMessage): boolean {
	if (!/^[\w.:[\]-]*$/.test(headers.host ?? '')) return false;
	let hosts = 0;
	for (let index = 0; index < rawHeaders.length; index += 2) {
		const name = rawHeaders[index]!;
		if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
	}
	return hosts < 2;
}

function statusResponse(state: object): Response {
	return Response.json(state, { headers: { ...SECURITY_HEADERS, 'Cache-Control': 'no-store' } });
}

function unavailableResponse(why: string, request: Request): Response {
	return errorResponse(new AppError('unavailable', why, { retryAfter: RETRY_AFTER_S }), request);
}

function listenError({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
	if (code === 'EADDRINUSE') {
		return `Port ${port} on ${host} is taken: stop what listens there, or set PORT to another number.`;
	}
	if (code === 'EACCES') return `Port ${port} may not be used: set PORT to a number above 1023.`;
	if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
		return `HOST ${host} is not an address of this machine.`;
	}
	return `The server cannot listen on ${host}:${port}: ${message}.`;
}

/** Compression gains nothing for smaller answers. */
const MIN_BYTES = 1024;
const TEXT =
	/^(?:text\/|application\/(?:json|feed\+json|xml|rss\+xml|atom\+xml|javascript)|image\/svg)/;
const PARAMS = { [constants.BROTLI_PARAM_QUALITY]: 4 };

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/**
 * Compresses a function's answer that anybody may have: text that caches may keep, as the CDN does on Netlify. What is about
 * one person is left as it is, because the length of a compressed answer tells of a secret beside what a stranger chose. Tags of
 * functions are weak, so they stay.
 */
async function compress(request: Request, response: Response): Promise<Response> {
	const { headers } = response;
	const isPublic =
		/\bpublic\b/.test(headers.get('Cache-Control') ?? '') && !headers.has('Set-Cookie');
	if (!isPublic || !TEXT.test(headers.get('Content-Type') ?? '')) return response;
	if (headers.has('Content-Encoding') || headers.has('Content-Range')) return response;
	headers.append('Vary', 'Accept-Encoding');
	const encoding = encodingFor(request, { br: true, gz: true });
	if (encoding === 'identity' || response.status !== 200 || !response.body) return response;
	const bytes = Buffer.from(await response.arrayBuffer());
	const isWorthIt = bytes.length >= MIN_BYTES;
	if (isWorthIt) headers.set('Content-Encoding', encoding);
	headers.delete('Content-Length');
	const packed = { br: () => brotli(bytes, { params: PARAMS }), gzip: () => gzipped(bytes) }[
		encoding
	];
	return new Response(isWorthIt ? new Uint8Array(await packed()) : new Uint8Array(bytes), {
		status: 200,
		headers,
	});
}
