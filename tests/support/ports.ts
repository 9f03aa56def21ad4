/**
 * Ports for programs that must be told one. They are below those that the system gives to whoever asks for any, from 32768
 * on, so that nobody else gets a port after it was found free and before it is used.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';

const FIRST = 20_000;
/** Each worker of a test run has as many of its own. */
const COUNT = 128;
const WORKERS = 96;
const worker = (process.ppid * 8 + Number(process.env['VITEST_POOL_ID'] ?? 0)) % WORKERS;

let found = 0;

/** Returns a port that nobody listens on, another one each time. */
export async function freePort(): Promise<number> {
	for (;;) {
		const port = FIRST + worker * COUNT + (found++ % COUNT);
		const server = createServer().listen(port, '127.0.0.1');
		const isFree = await once(server, 'listening').then(
			() => true,
			() => false,
		);
		if (!isFree) continue;
		await once(server.close(), 'close');
		return port;
	}
}
