/** Runs statements in a thread of its own, by a connection of its own. */
import { createClient, type InStatement, type Value } from '@libsql/client';
import { parentPort, workerData } from 'node:worker_threads';
import './statements.ts';

/** The use of a thread: one that reads can do nothing else. */
export type ThreadMode = 'read' | 'write';
export type Asked = { number: number; statements: InStatement[] };
/** A result as it crosses threads. */
export type Told = {
	columns: string[];
	columnTypes: string[];
	rows: Value[][];
	rowsAffected: number;
};
export type Answered = { number: number } & (
	| { results: Told[] }
	| { failure: { message: string; code: string } }
);

const { url, mode } = workerData as { url: string; mode: ThreadMode };
const client = createClient({ url, concurrency: 1, timeout: mode === 'read' ? 20 : 1000 });
const opened = client.execute(
	mode === 'read' ? 'pragma query_only = on' : 'pragma synchronous = normal',
);
if (mode === 'write') await client.execute('pragma foreign_keys = on');

async function answer({ number, statements }: Asked): Promise<Answered> {
	try {
		await opened;
		const results =
			mode === 'read' && statements.length === 1
				? [await client.execute(statements[0]!)]
				: await client.batch(statements, mode === 'read' ? 'deferred' : 'write');
		const told = results.map(({ columns, columnTypes, rows, rowsAffected }) => ({
			...{ columns, columnTypes, rowsAffected },
			rows: rows.map((row) => Array.prototype.slice.call(row) as Value[]),
		}));
		return { number, results: told };
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? String(error.code) : '';
		const message = error instanceof Error ? error.message : String(error);
		return { number, failure: { message, code } };
	}
}

let last = Promise.resolve();
parentPort!.on('message', (asked: Asked) => {
	last = last.then(async () => parentPort!.postMessage(await answer(asked)));
});
