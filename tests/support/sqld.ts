/** Real libSQL servers: processes that tests start, freeze, kill and start again. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './ports.ts';
import { ensureSqld } from './programs.mjs';

/** In memory where that is possible: no test cuts the power, and a disk would be waited for at each commit. */
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** None outlives the process that started it, nor does its folder. */
const running = new Map<ChildProcess, string>();
process.once('exit', () => {
	for (const [one, folder] of running) {
		one.kill('SIGKILL');
		rmSync(folder, { recursive: true, force: true });
	}
});
/** Ends as workers of a test run do, which would forget to exit. */
const exit = () => process.exit(143);

/** Keeps the memory that each connection takes and gives back, which is a fifth of the work of a request. */
const MEMORY = {
	MALLOC_TRIM_THRESHOLD_: '1000000000',
	MALLOC_TOP_PAD_: '64000000',
	MALLOC_MMAP_THRESHOLD_: '1000000000',
};

/** How long a server may take to start on a busy machine. */
const START_MS = 30_000;

type Options = {
	/** The server that this one is a replica of. */
	primary?: Sqld;
};

export class Sqld {
	readonly url: string;
	readonly #grpcUrl: string;
	readonly #folder: string;
	readonly #args: string[];
	#process: ChildProcess | undefined;

	private constructor(folder: string, ports: number[], { primary }: Options) {
		const [http, grpc] = ports.map((port) => `127.0.0.1:${port}`) as [string, string];
		this.url = `http://${http}`;
		this.#grpcUrl = `http://${grpc}`;
		this.#folder = folder;
		this.#args = ['--no-welcome', '--db-path', folder, '--http-listen-addr', http].concat(
			primary ? ['--primary-grpc-url', primary.#grpcUrl] : ['--grpc-listen-addr', grpc],
		);
	}

	/** Starts a server on free ports and a folder of its own; it is there when it answers. */
	static async start(options: Options = {}): Promise<Sqld> {
		const folder = await mkdtemp(join(FOLDER, 'sqld-'));
		const server = new Sqld(folder, [await freePort(), await freePort()], options);
		await server.start();
		return server;
	}

	/** Starts it again, with what it stored. */
	async start(): Promise<void> {
		const started = spawn(ensureSqld()!, this.#args, {
			stdio: 'ignore',
			env: { RUST_LOG: 'error', ...MEMORY },
		});
		this.#process = started;
		running.set(started, this.#folder);
		process.off('SIGTERM', exit).once('SIGTERM', exit);
		started.once('exit', () => running.delete(started));
		const end = Date.now() + START_MS;
		for (;;) {
			// A query, because a replica turns to its primary only when it is asked for something.
			const answer = await fetch(`${this.url}/v2/pipeline`, {
				method: 'POST',
				body: '{"requests":[{"type":"execute","stmt":{"sql":"select 1"}},{"type":"close"}]}',
			}).catch(() => undefined);
			if (answer?.ok) return;
			if (Date.now() > end) throw new Error(`${this.url} does not start.`);
			await sleep(20);
		}
	}

	/** Ends it without a warning. */
	async kill(): Promise<void> {
		if (!this.#process || !running.has(this.#process)) return;
		const ended = once(this.#process, 'exit');
		this.#process.kill('SIGKILL');
		await ended;
	}

	/** It takes connections, and answers none: as a machine that hangs. */
	freeze(): void {
		this.#process!.kill('SIGSTOP');
	}

	thaw(): void {
		this.#process!.kill('SIGCONT');
	}

	async remove(): Promise<void> {
		await this.kill();
		await rm(this.#folder, { recursive: true, force: true });
	}
}
