import { format } from 'node:util';
import pino from 'pino';
import { withoutValues } from '#db/client.ts';
import {
	requestContext,
	METRICS_PATH,
	READINESS_PATH,
	type RequestSummary,
} from './request-context.ts';

/** Lines are written together, at the latest after this time. */
const FLUSH_MS = 1000;
const BUFFER_BYTES = 4096;
const MAX_PATH_LENGTH = 200;

/**
 * Turns all that this process says into lines of JSON on a file descriptor, each with the id of the request that it
 * belongs to. Returns what writes the line of a request.
 */
export function structureLogs(fd: number): (request: RequestSummary) => void {
	const destination = pino.destination({
		fd,
		sync: false,
		minLength: BUFFER_BYTES,
		periodicFlush: FLUSH_MS,
	});
	process.on('exit', () => destination.flushSync());
	const log = pino(
		{
			base: { pid: process.pid },
			timestamp: pino.stdTimeFunctions.isoTime,
			formatters: { level: (level) => ({ level }) },
		},
		destination,
	);
	for (const [method, level] of LEVELS) {
		console[method] = (...values: unknown[]) => {
			const { msg, ...fields } = toLogLine(values);
			if (msg) log[level]({ requestId: requestContext.getStore()?.id, ...fields }, msg);
		};
	}
	return ({ id, method, route, path, status, ms, bytes }) => {
		// Asked every few seconds by machines.
		if (route === READINESS_PATH || route === METRICS_PATH) return;
		const request = {
			requestId: id,
			method,
			route,
			...(path && { path: withoutAddresses(path.slice(0, MAX_PATH_LENGTH)) }),
			status,
			ms: Math.round(ms * 100) / 100,
			bytes,
		};
		log[status >= 500 ? 'error' : 'info'](request, 'request');
	};
}

const LEVELS = [
	['log', 'info'],
	['info', 'info'],
	['warn', 'warn'],
	['error', 'error'],
] as const;

/** What was said as one line: an error and named facts become fields. */
export function toLogLine(values: unknown[]): { msg: string; err?: object } {
	const error = values.find((value) => value instanceof Error);
	const facts = values.filter((value) => value?.constructor === Object) as object[];
	const words = values.filter((value) => value !== error && !facts.includes(value as object));
	const msg = withoutAddresses(format(...words).trim());
	if (!error) return Object.assign({ msg }, ...facts) as { msg: string };
	const err = errorFields(error);
	return Object.assign({ err, msg: msg || err.message }, ...facts) as { msg: string; err: object };
}

type ErrorFields = { type: string; message: string; stack: string; cause?: ErrorFields };

/** Only what is known to say nothing about people. */
function errorFields(thrown: Error): ErrorFields {
	const error = withoutValues(thrown) as Error;
	return {
		type: error.name,
		message: withoutAddresses(error.message),
		stack: withoutAddresses(error.stack ?? ''),
		...(error.cause instanceof Error && { cause: errorFields(error.cause) }),
	};
}

/** Leaves out email addresses. */
export function withoutAddresses(text: string): string {
	return text.replace(/[^\s"'<>/]{0,64}(?:@|%40)[\w-]+\.[^\s"'<>/]*/gi, '[address]');
}
