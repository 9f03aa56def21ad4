/** Searches beside the thread that serves, and answers repeated questions from memory (decision 142). */
import { LibsqlError } from '@libsql/client';
import { sql } from 'drizzle-orm';
import { Worker } from 'node:worker_threads';
import type { Db } from '#db/client.ts';
import { SECOND } from '#src/lib/dates.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { listState } from '#src/features/posts/whole-list.server.ts';
import { askHere, setAsk, type Asked, type Found, type SearchName } from './asking.server.ts';
import type { Answer, Question } from './search-thread.server.ts';

/** How many answers are kept. */
const KEPT = 500;
/** Questions that may wait for each thread: with 20 ms each, the last one waits four seconds. */
const MAX_WAITING = 200;
const RETRY_AFTER_S = 2;
/** How long a thread stays without a question. */
const IDLE_MS = 600 * SECOND;
/** Limits of a thread, in megabytes. */
const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 };

type Ask = typeof askHere;

/** A question until it is answered. */
type Waiting = PromiseWithResolvers<Answer> & { question: Question; isSecond?: boolean };

/** Searches in so many threads from now on, without any in this one. Returns how to end them. */
export function searchInThreads(url: string, count: number): () => Promise<void> {
	/** Each thread, and what it is asked. */
	const threads = new Map<Worker, Waiting | undefined>();
	const queue: Waiting[] = [];
	let idleTimer: NodeJS.Timeout | undefined;

	function start(): Worker {
		const thread = new Worker(new URL('search-thread.server.ts', import.meta.url), {
			workerData: url,
			resourceLimits: MEMORY,
		});
		threads.set(thread, undefined);
		thread.on('message', (answer: Answer) => {
			threads.get(thread)?.resolve(answer);
			threads.set(thread, undefined);
			proceed();
		});
		thread.on('error', (error) => console.error('A thread that searches has failed.', error));
		thread.once('exit', () => {
			const asked = threads.get(thread);
			threads.delete(thread);
			if (asked?.isSecond) asked.reject(unavailable());
			else if (asked) queue.unshift(Object.assign(asked, { isSecond: true }));
			proceed();
		});
		// A server that ends waits for answers, not for threads.
		thread.unref();
		return thread;
	}

	function proceed(): void {
		clearTimeout(idleTimer);
		while (queue.length > 0) {
			const idle = [...threads].find(([, asked]) => !asked)?.[0];
			if (!idle && threads.size >= count) return;
			const thread = idle ?? start();
			const next = queue.shift()!;
			threads.set(thread, next);
			thread.postMessage(next.question);
		}
		idleTimer = setTimeout(() => void end(), IDLE_MS).unref();
	}

	async function end(): Promise<void> {
		clearTimeout(idleTimer);
		const idle = [...threads].filter(([, asked]) => !asked);
		await Promise.all(idle.map(([thread]) => thread.terminate()));
	}

	const askThreads = async <Name extends SearchName>(
		name: Name,
		_db: Db,
		asked: Asked<Name>,
		now: Date,
	): Promise<Found<Name>> => {
		if (queue.length >= count * MAX_WAITING) throw unavailable();
		const question = { name, asked, now: now.getTime() };
		const waiting: Waiting = { ...Promise.withResolvers<Answer>(), question };
		queue.push(waiting);
		proceed();
		const answer = await waiting.promise;
		if ('found' in answer) return answer.found as Found<Name>;
		const { message, code } = answer.failure;
		throw code ? new LibsqlError(message, code) : new Error(message);
	};
	setAsk(remembering(count > 0 ? askThreads : askHere));
	return end;
}

const unavailable = () =>
	new AppError('unavailable', MESSAGES.unavailable, { retryAfter: RETRY_AFTER_S });

type Kept = { found: Promise<unknown>; of: string; until: number };

/** Keeps answers until something that may be found changes. Whoever asks the same meanwhile waits for the same answer. */
function remembering(askOthers: Ask): Ask {
	const kept = new Map<string, Kept>();
	return async (name, db, asked, now) => {
		const key = JSON.stringify([name, asked]);
		const { of, nextAt } = await searchState(db, now);
		const known = kept.get(key);
		kept.delete(key);
		const isFresh = known?.of === of && now.getTime() < known.until;
		const answer: Kept = isFresh
			? known
			: { found: askOthers(name, db, asked, now), of, until: nextAt ?? Infinity };
		kept.set(key, answer);
		for (const oldest of kept.keys()) {
			if (kept.size <= KEPT) break;
			kept.delete(oldest);
		}
		answer.found.catch(() => kept.get(key) === answer && kept.delete(key));
		return answer.found as Promise<never>;
	};
}

/** Returns what answers depend on, in a few words that change with it, and until when that holds by itself. */
async function searchState(db: Db, now: Date) {
	const { of, nextAt } = await listState(db, now);
	const [more] = await db.all<{ of: string }>(
		sql`select (select coalesce(max(updated_at), 0) from settings)
			|| ' ' || coalesce((select value from meta where key = 'built_at'), '') as of`,
	);
	return { of: `${of} ${more!.of}`, nextAt };
}
