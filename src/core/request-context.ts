import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request while it is answered. */
export type RequestInfo = {
	/** Names it in logs, in its answer (`X-Request-Id`) and to functions (`context.requestId`). */
	id: string;
	/** The pattern of a function's path; of anything else, what it was. */
	route: string;
	/** Without query; empty where a function answers, whose path may hold a token. */
	path: string;
};

/** A request when it has been answered. Nothing in it says who asked, or what was sent. */
export type RequestSummary = RequestInfo & {
	method: string;
	/** 499 where the client left before there was an answer. */
	status: number;
	ms: number;
	/** Sent to the client, with headers. */
	bytes: number;
};

export const REQUEST_ID_HEADER = 'X-Request-Id';
/** Where whoever passes requests on asks whether this process can take them. */
export const READINESS_PATH = '/api/ready';
/** Where whoever starts processes asks whether this one lives. */
export const HEALTH_PATH = '/api/health';
export const METRICS_PATH = '/metrics';

/** The request that this code works for. */
export const requestContext = new AsyncLocalStorage<RequestInfo>();

/** Begins a request. A proxy of ours may have given it an id. */
export function startRequest({ headers }: IncomingMessage, trustProxy: boolean): RequestInfo {
	const given = trustProxy ? String(headers['x-request-id'] ?? '') : '';
	const id = /^[\w.-]{8,64}$/.test(given) ? given : randomUUID();
	return { id, route: 'none', path: '' };
}

/** Tells of a request once it has been answered. */
export function logWhenDone(
	request: RequestInfo,
	{ method = '', socket }: IncomingMessage,
	outgoing: ServerResponse,
	observe: (request: RequestSummary) => void,
): void {
	const started = performance.now();
	const before = socket.bytesWritten;
	outgoing.once('close', () =>
		observe({
			...request,
			method,
			status: outgoing.headersSent ? outgoing.statusCode : 499,
			ms: performance.now() - started,
			bytes: socket.bytesWritten - before,
		}),
	);
}

/** What an answer that no function gave was. */
export function routeLabelOf({ status, headers }: Response): string {
	if (status === 404) return 'unknown';
	if (headers.has('Location')) return 'redirect';
	return headers.get('Content-Type')?.startsWith('text/html') ? 'page' : 'file';
}
