import { fstatSync, write, writeSync } from 'node:fs';
import { format } from 'node:util';
import { withoutValues } from '#db/outage.ts';
import { journalStream } from '#src/lib/env.ts';
import {
	requestContext,
	METRICS_PATH,
	READINESS_PATH,
	type RequestSummary,
} from './request-context.ts';

/** Maximum delay before buffered lines are written, and between two attempts. */
const FLUSH_MS = 1000;
/** Characters at which they are written at once, and at most kept for a reader who is behind. */
const BUFFER = { full: 4096, most: 16_000_000 };
const MAX_PATH_LENGTH = 200;

/**
 * Writes everything this process logs as JSON lines to a file descriptor, each with the id of its request.
 * Returns the function that logs a request.
 */
export function structureLogs(fd: number): (request: RequestSummary) => void {
	const append = bufferOf(fd);
	const isPrioritized = isJournal(fd);
	const log = (level: keyof typeof PRIORITIES, fields: object) => {
		const line = toJson({ level, time: new Date().toISOString(), pid: process.pid, ...fields });
		// The journal takes off the priority, so that `journalctl -p err` finds errors.
		append(`${isPrioritized ? `<${PRIORITIES[level]}>` : ''}${line}\n`);
	};
	for (const [method, level] of LEVELS) {
		console[method] = (...values: unknown[]) => {
			const { msg, ...fields } = toLogLine(values);
			if (msg) log(level, { requestId: requestContext.getStore()?.id, ...fields, msg });
		};
	}
	return ({ id, method, route, path, status, ms, bytes }) => {
		// Machines call these every few seconds.
		if (route === READINESS_PATH || route === METRICS_PATH) return;
		const request = {
			requestId: id,
			method,
			route,
			...(path && { path: withoutAddresses(path.slice(0, MAX_PATH_LENGTH)) }),
			status,
			ms: Math.round(ms * 100) / 100,
			bytes,
			msg: 'request',
		};
		log(status >= 500 ? 'error' : 'info', request);
	};
}

/**
 * Returns a function that appends text to a file descriptor, soon and in order, and at exit what is left. What cannot be
 * written, as on a full disk or where nobody reads it any more, is lost, and the process goes on.
 */
function bufferOf(fd: number): (text: string) => void {
	let waiting = '';
	let begun = Buffer.alloc(0);
	let isWriting = false;
	const flush = () => {
		if (isWriting) return;
		if (begun.length === 0) {
			begun = Buffer.from(waiting);
			waiting = '';
		}
		if (begun.length === 0) return;
		isWriting = true;
		write(fd, begun, (error, length) => {
			isWriting = false;
			// A reader who is behind takes it later.
			if (error?.code === 'EAGAIN') return;
			begun = begun.subarray(error ? begun.length : length);
			if (begun.length > 0 || waiting.length >= BUFFER.full) flush();
		});
	};
	setInterval(flush, FLUSH_MS).unref();
	process.on('exit', () => {
		let rest = Buffer.concat([isWriting ? Buffer.alloc(0) : begun, Buffer.from(waiting)]);
		try {
			while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
		} catch {}
	});
	return (text) => {
		if (waiting.length < BUFFER.most) waiting += text;
		if (waiting.length >= BUFFER.full) flush();
	};
}

/** Returns whether systemd reads a file descriptor, and its journal takes priorities. */
function isJournal(fd: number): boolean {
	const { dev, ino } = fstatSync(fd);
	return journalStream() === `${dev}:${ino}`;
}

/** Returns fields as JSON; as a text those that JSON has no words for, such as circles and big integers. */
function toJson(fields: object): string {
	try {
		return JSON.stringify(fields);
	} catch {
		const plain = Object.entries(fields).map(([name, value]) => [name, format(value)]);
		return JSON.stringify(Object.fromEntries(plain));
	}
}

/** Levels with the priorities that systemd's journal has for them. */
const PRIORITIES = { info: 6, warn: 4, error: 3 };
const LEVELS = [
	['log', 'info'],
	['info', 'info'],
	['warn', 'warn'],
	['error', 'error'],
] as const;

/** Returns logged values as one line: an error and plain objects become fields. */
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

/** Returns only those fields of an error that contain no personal data. */
function errorFields(thrown: Error): ErrorFields {
	const error = withoutValues(thrown) as Error;
	return {
		type: error.name,
		message: withoutAddresses(error.message),
		stack: withoutAddresses(error.stack ?? ''),
		...(error.cause instanceof Error && { cause: errorFields(error.cause) }),
	};
}

/** Removes email addresses from a text. */
export function withoutAddresses(text: string): string {
	return text.replace(/[^\s"'<>/]{0,64}(?:@|%40)[\w-]+\.[^\s"'<>/]*/gi, '[address]');
}
