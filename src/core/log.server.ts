import { format } from 'node:util';
import pino from 'pino';
import { withoutValues } from '#db/client.ts';
import { asked, METRICS, READY, type Answered } from './request-context.ts';

/** Lines are written together, at the latest after this time. */
const FLUSH_MS = 1000;
const BUFFER_BYTES = 4096;
const LONGEST_PATH = 200;

/**
 * Turns all that this process says into lines of JSON on a file descriptor, each with the id of the request that it
 * belongs to. Answers what writes the line of a request.
 */
export function structureLogs(fd: number): (request: Answered) => void {
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
			const { msg, ...fields } = lineOf(values);
			if (msg) log[level]({ requestId: asked.getStore()?.id, ...fields }, msg);
		};
	}
	return ({ id, method, route, path, status, ms, bytes }) => {
		// Asked every few seconds by machines.
		if (route === READY || route === METRICS) return;
		const request = {
			requestId: id,
			method,
			route,
			...(path && { path: withoutPeople(path.slice(0, LONGEST_PATH)) }),
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
export function lineOf(values: unknown[]): { msg: string; err?: object } {
	const error = values.find((value) => value instanceof Error);
	const facts = values.filter((value) => value?.constructor === Object) as object[];
	const words = values.filter((value) => value !== error && !facts.includes(value as object));
	const msg = withoutPeople(format(...words).trim());
	if (!error) return Object.assign({ msg }, ...facts) as { msg: string };
	const err = fieldsOf(error);
	return Object.assign({ err, msg: msg || err.message }, ...facts) as { msg: string; err: object };
}

type ErrorFields = { type: string; message: string; stack: string; cause?: ErrorFields };

/** Only what is known to say nothing about people. */
function fieldsOf(thrown: Error): ErrorFields {
	const error = withoutValues(thrown) as Error;
	return {
		type: error.name,
		message: withoutPeople(error.message),
		stack: withoutPeople(error.stack ?? ''),
		...(error.cause instanceof Error && { cause: fieldsOf(error.cause) }),
	};
}

/** Leaves out e-mail addresses. */
export function withoutPeople(text: string): string {
	return text.replace(/[^\s"'<>/]{0,64}(?:@|%40)[\w-]+\.[^\s"'<>/]*/gi, '[address]');
}
