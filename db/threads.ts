import {
	LibsqlError,
	type InArgs,
	type InStatement,
	type ResultSet,
	type Row,
	type Value,
} from '@libsql/client';
import { Worker } from 'node:worker_threads';
import type { Answered, Asked, ThreadMode, Told } from './statement-thread.ts';

/** How long a thread stays without a question. */
const IDLE_MS = 600_000;
/** Limits of a thread that reads, in megabytes. */
const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 };

/** The end of a thread before it answered. */
export class ThreadEnded extends Error {
	override name = 'ThreadEnded';
}

/** A thread that runs statements of a file by a connection of its own, one after the other. It starts with the first. */
export class StatementThread {
	readonly #workerData: { url: string; mode: ThreadMode };
	readonly #waiting = new Map<number, PromiseWithResolvers<Told[]>>();
	#thread: Worker | undefined;
	#asked = 0;
	#idleTimer: NodeJS.Timeout | undefined;

	constructor(url: string, mode: ThreadMode) {
		this.#workerData = { url, mode };
	}

	/** Runs statements at one state of the database; those of a thread that writes as one transaction. */
	async run(sent: readonly (InStatement | [string, InArgs?])[]): Promise<ResultSet[]> {
		const statements = sent.map((one): InStatement =>
			Array.isArray(one) ? { sql: one[0], args: one[1] ?? [] } : one,
		);
		const waiting = Promise.withResolvers<Told[]>();
		const number = ++this.#asked;
		clearTimeout(this.#idleTimer);
		this.#thread ??= this.#start();
		this.#waiting.set(number, waiting);
		this.#thread.ref();
		this.#thread.postMessage({ number, statements } satisfies Asked);
		return (await waiting.promise).map(toResultSet);
	}

	/** Ends the thread. Whoever waits for it gets `ThreadEnded`. */
	async end(): Promise<void> {
		clearTimeout(this.#idleTimer);
		await this.#thread?.terminate();
	}

	#start(): Worker {
		const { mode } = this.#workerData;
		const thread = new Worker(new URL('statement-thread.ts', import.meta.url), {
			workerData: this.#workerData,
			...(mode === 'read' && { resourceLimits: MEMORY }),
		});
		let reason: unknown;
		thread.on('message', (answered: Answered) => {
			const waiting = this.#waiting.get(answered.number)!;
			this.#waiting.delete(answered.number);
			if ('results' in answered) waiting.resolve(answered.results);
			else waiting.reject(errorOf(answered.failure));
			if (this.#waiting.size > 0) return;
			// A process that ends waits for answers, not for threads.
			thread.unref();
			this.#idleTimer = setTimeout(() => void this.end(), IDLE_MS).unref();
		});
		thread.on('error', (error: unknown) => {
			reason = error;
		});
		thread.once('exit', () => {
			this.#thread = undefined;
			const ended = new ThreadEnded('A thread of the database has ended.', { cause: reason });
			for (const waiting of this.#waiting.values()) waiting.reject(ended);
			this.#waiting.clear();
		});
		return thread;
	}
}

function errorOf({ message, code }: { message: string; code: string }): Error {
	// It puts the code before the message by itself.
	return code ? new LibsqlError(message.replace(`${code}: `, ''), code) : new Error(message);
}

function toResultSet({ rows, columns, columnTypes, rowsAffected }: Told): ResultSet {
	const result = { columns, columnTypes, rowsAffected, lastInsertRowid: undefined };
	return { ...result, rows: toRows(rows, columns), toJSON: () => ({ ...result, rows }) };
}

const VALUES = Symbol('values');

/** Returns lists of values as rows of the client: their own properties are the columns, and each can be read like a list. */
function toRows(rows: Told['rows'], columns: string[]): Row[] {
	const list = Object.create(null, {
		length: { value: columns.length },
		...Object.fromEntries(columns.map((_, at) => [at, { get: valueAt(at) }])),
	}) as object;
	return rows.map((values) => {
		const row = Object.create(list) as Row;
		Object.defineProperty(row, VALUES, { value: values });
		columns.forEach((name, at) => {
			// Two columns may have one name: the first counts.
			if (!Object.hasOwn(row, name)) row[name] = values[at]!;
		});
		return row;
	});
}

const valueAt = (at: number) =>
	function (this: { [VALUES]: Value[] }) {
		return this[VALUES][at];
	};
