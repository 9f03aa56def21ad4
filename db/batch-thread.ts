/** Runs a batch in a thread of its own, by a connection of its own. */
import { createClient, type InStatement } from '@libsql/client';
import { parentPort, workerData } from 'node:worker_threads';
import './statements.ts';

export type LongBatch = { url: string; statements: InStatement[] };
export type LongBatchResult =
	| { rowsAffected: number[] }
	| { failure: { message: string; code: string } };

const { url, statements } = workerData as LongBatch;

async function run(): Promise<LongBatchResult> {
	const client = createClient({ url, concurrency: 1, timeout: 1000 });
	try {
		await client.execute('pragma synchronous = normal');
		await client.execute('pragma foreign_keys = on');
		const results = await client.batch(statements, 'write');
		return { rowsAffected: results.map((result) => result.rowsAffected) };
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? String(error.code) : '';
		return { failure: { message: error instanceof Error ? error.message : String(error), code } };
	} finally {
		client.close();
	}
}

parentPort!.postMessage(await run());
