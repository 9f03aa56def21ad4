import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request that is being handled. */
export type RequestInfo = {
	/** Identifies it in logs, in its response (`X-Request-Id`) and in functions (`context.requestId`). */
	id: string;
	/** The path pattern of a function, or the kind of any other response. */
	route: string;
	/** Path without query; empty if a function responds, because its path may contain a token. */
	path: string;
	/** Set where another process answers, which also tells the observers. */
	isPassed?: boolean;
};

/** A request that has been handled, without anything about who sent it or what was sent. */
export type RequestSummary = RequestInfo & {
	method: string;
	/** 499 if the client left before there was a response. */
	status: number;
	ms: number;
	/** Bytes sent to the client, headers included. */
	bytes: number;
};

export const REQUEST_ID_HEADER = 'X-Request-Id';
/** A load balancer asks here whether this process can take requests. */
export const READINESS_PATH = '/api/ready';
/** A process manager asks here whether this process is alive. */
export const HEALTH_PATH = '/api/health';
export const METRICS_PATH = '/metrics';

/** The request that the current code works for. */
export const requestContext = new AsyncLocalStorage<RequestInfo>();

/** Starts a request. Keeps the id given by a trusted proxy. */
export function startRequest({ headers }: IncomingMessage, trustProxy: boolean): RequestInfo {
	const given = trustProxy ? String(headers['x-request-id'] ?? '') : '';
	const id = /^[\w.-]{8,64}$/.test(given) ? given : randomUUID();
	return { id, route: 'none', path: '' };
}

/** Gives `observe` a summary of a request once its response was sent or given up. */
export function logWhenDone(
	request: RequestInfo,
	{ method = '', socket }: IncomingMessage,
	outgoing: ServerResponse,
	observe: (request: RequestSummary) => void,
): void {
	const started = performance.now();
	const before = socket.bytesWritten;
	outgoing.once('close', () => {
		if (request.isPassed) return;
		observe({
			...request,
			method,
			status: outgoing.headersSent ? outgoing.statusCode : 499,
			ms: performance.now() - started,
			bytes: socket.bytesWritten - before,
		});
	});
}

/** Returns the route label of a response that no function gave. */
export function routeLabelOf({ status, headers }: Response): string {
	if (status === 404) return 'unknown';
	if (headers.has('Location')) return 'redirect';
	return headers.get('Content-Type')?.startsWith('text/html') ? 'page' : 'file';
}
