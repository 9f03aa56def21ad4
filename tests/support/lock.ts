/** Another process that holds a database's lock, as a maintenance shell or a stalled disk would. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from './host.ts';

const HOLD = `import { createClient } from '@libsql/client';
	const client = createClient({ url: process.argv[1], concurrency: 1, timeout: 60_000 });
	const transaction = await client.transaction('write');
	await transaction.execute('pragma user_version = 1');
	process.stdin.on('end', () => transaction.rollback().then(() => process.exit())).resume();
	console.log('locked');`;

/** Locks an embedded database. Returns the function that releases it. */
export async function lockDatabase(url: string): Promise<() => Promise<void>> {
	const child = spawn(process.execPath, ['--input-type=module', '-e', HOLD, url], {
		cwd: ROOT,
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	await once(child.stdout, 'data');
	return async () => {
		child.stdin.end();
		await once(child, 'exit');
	};
}
