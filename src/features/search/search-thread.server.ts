/** Searches in a thread of its own, by a connection of its own. */
import { sql } from 'drizzle-orm';
import { parentPort, workerData } from 'node:worker_threads';
import type { Db } from '#db/client.ts';
import { openDb } from '#db/local.ts';
import { askHere, type Asked, type Found, type SearchName } from './asking.server.ts';

export type Question<Name extends SearchName = SearchName> = {
	name: Name;
	asked: Asked<Name>;
	now: number;
};
/** Findings, or the reason of a failure: errors lose their code on the way to another thread. */
export type Answer<Name extends SearchName = SearchName> =
	| { found: Found<Name> }
	| { failure: { message: string; code: string } };

let opened: Db | undefined;

async function openToRead(): Promise<Db> {
	const db = await openDb(workerData as string);
	await db.run(sql`pragma query_only = on`);
	return db;
}

async function answer({ name, asked, now }: Question): Promise<Answer> {
	try {
		opened ??= await openToRead();
		return { found: await askHere(name, opened, asked, new Date(now)) };
	} catch (error) {
		const { message, code = '' } = rootOf(error);
		return { failure: { message, code } };
	}
}

/** Returns the error of the driver, if there is one. */
function rootOf(error: unknown): { message: string; code?: string } {
	const { message, cause, ...more } = error as Error & { code?: string };
	return cause instanceof Error ? rootOf(cause) : { ...more, message };
}

// One at a time.
parentPort!.on('message', (question: Question) => {
	void answer(question).then((answered) => parentPort!.postMessage(answered));
});
