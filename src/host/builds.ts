import { fork, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Db } from '#db/client.ts';
import { filePath } from '#db/local.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { endBuilds, takeBuilds, tellBuilds } from '#src/features/publishing/builds.server.ts';
import type { SiteFiles } from './site-files.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A build that must not be published. Its message is one sentence for a person. */
export class BuildError extends Error {
	override name = 'BuildError';
}

/** Where a database's builds and caches are, so that two databases in one checkout do not disturb each other. */
export function folderOf(databaseUrl: string): string {
	const name = basename(filePath(databaseUrl) ?? new URL(databaseUrl).host).replace(/\.db$/, '');
	const hash = createHash('sha256').update(databaseUrl).digest('hex').slice(0, 8);
	return join(ROOT, '.site', `${name.replace(/[^\w.-]/g, '-')}-${hash}`);
}

/** A finished build. */
export type Build = {
	id: string;
	/** Of everything that it was made from. */
	fingerprint: string;
	files: SiteFiles;
	pages: PageKeys;
};

/** Cache keys of pages by their files; null where a page has none and is made anew each time. */
export type PageKeys = Record<string, string | null>;

/** Where a build's pages are. */
export function dirOf(folder: string, id: string): string {
	return join(folder, 'builds', id);
}

/** The build that is served, or undefined before the first one. */
export async function currentBuild(folder: string): Promise<Build | undefined> {
	try {
		const build = JSON.parse(await readFile(join(folder, 'current'), 'utf8')) as Build;
		await stat(dirOf(folder, build.id));
		return build;
	} catch {
		return undefined;
	}
}

/** Makes a build the one that is served, in one step, and removes all but it and the one before. */
export async function publish(folder: string, build: Build): Promise<void> {
	const before = await currentBuild(folder);
	const next = join(folder, `current.${build.id}`);
	await writeFile(next, JSON.stringify(build));
	await rename(next, join(folder, 'current'));
	for (const id of await readdir(join(folder, 'builds'))) {
		if (id !== build.id && id !== before?.id) {
			await rm(dirOf(folder, id), { recursive: true, force: true });
		}
	}
}

const HEARTBEAT_MS = 5000;
const STALE_MS = 60_000;

/** Does some work while no other process does any in this folder; the lock of a dead process is taken over. */
export async function locked<T>(folder: string, work: () => Promise<T>): Promise<T> {
	const lock = join(folder, 'lock');
	await mkdir(folder, { recursive: true });
	while (
		!(await writeFile(lock, String(process.pid), { flag: 'wx' }).then(
			() => true,
			() => false,
		))
	) {
		if (await isStale(lock)) {
			// Of several that find it stale, one can move it away.
			await rename(lock, `${lock}.${process.pid}`).catch(() => {});
			await rm(`${lock}.${process.pid}`, { force: true });
		} else await sleep(100);
	}
	const heartbeat = setInterval(() => {
		const now = new Date();
		utimes(lock, now, now).catch(() => {});
	}, HEARTBEAT_MS);
	try {
		return await work();
	} finally {
		clearInterval(heartbeat);
		await rm(lock, { force: true });
	}
}

/** A process id alone proves nothing: after a restart of a container another process may have it. */
async function isStale(lock: string): Promise<boolean> {
	try {
		const [pid, { mtimeMs }] = await Promise.all([readFile(lock, 'utf8'), stat(lock)]);
		if (Date.now() - mtimeMs > STALE_MS) return true;
		if (pid === '') return false;
		return Number(pid) === process.pid || !isAlive(Number(pid));
	} catch {
		return false;
	}
}

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

/** What a build tells while it runs. */
export type Progress = { doing: string; done?: number; total?: number };

/** How the last or the running build stands. */
export type BuildStatus =
	| { state: 'live'; id: string }
	| { state: 'queued' }
	| { state: 'building'; progress: Progress }
	| { state: 'failed'; reason: string };

/** A message of the build's process. */
export type BuildMessage = { progress: Progress } | BuildOutcome;
type BuildOutcome = { live: string } | { failed: string };

/** How long a build's process that was started ahead waits: it holds memory. */
const READY_MS = 10 * MINUTE;
/** How often progress is written to the timeline. */
const TELL_MS = 500;

type Hooks = {
	/** Serves a finished build. */
	show: (id: string) => Promise<void>;
	onProgress: (progress: Progress) => void;
};

/** Builds in a process of its own, one build at a time, and keeps the timeline. */
export class BuildQueue {
	status: BuildStatus = { state: 'queued' };
	readonly #db: Db;
	readonly #hooks: Hooks;
	#child: ChildProcess | undefined;
	/** The process of the next build, started ahead. */
	#next: ChildProcess | undefined;
	#idle: NodeJS.Timeout | undefined;
	#running: Promise<void> | undefined;
	#waiting: Promise<void> | undefined;
	#stopped = false;

	constructor(db: Db, hooks: Hooks) {
		this.#db = db;
		this.#hooks = hooks;
	}

	/** Asks for a build of the database as it is now; a burst of calls becomes one. Settles when that build has ended. */
	request(): Promise<void> {
		if (!this.#running) return this.#start();
		return (this.#waiting ??= this.#running.then(() => {
			this.#waiting = undefined;
			return this.#start();
		}));
	}

	/** Starts the process of the next build ahead, which loads what it needs; it stays for a while. */
	getReady(): void {
		if (this.#stopped || this.#running) return;
		clearTimeout(this.#idle);
		this.#next ??= this.#fork();
		this.#idle = setTimeout(() => this.#next?.kill(), READY_MS).unref();
	}

	/** Ends the running build and starts no more. The site stays as it is. */
	stop(): void {
		this.#stopped = true;
		clearTimeout(this.#idle);
		this.#child?.kill();
		this.#next?.kill();
	}

	#start(): Promise<void> {
		if (this.#stopped) return new Promise(() => {});
		return (this.#running = this.#build().finally(() => {
			this.#running = undefined;
			// Who has published once often does again.
			if (!this.#waiting) this.getReady();
		}));
	}

	async #build(): Promise<void> {
		this.status = { state: 'building', progress: { doing: 'Building the site' } };
		// Before the database is read: what is asked for from here on is another build's.
		const ids = await takeBuilds(this.#db, new Date());
		const outcome = await this.#run(ids);
		// The process is ending: nobody may go on as if there were a build.
		if (this.#stopped) return new Promise(() => {});
		try {
			if ('failed' in outcome) throw new Error(outcome.failed);
			await this.#hooks.show(outcome.live);
			await endBuilds(this.#db, ids, new Date());
			this.status = { state: 'live', id: outcome.live };
		} catch (error) {
			const reason = (error as Error).message;
			await endBuilds(this.#db, ids, new Date(), reason);
			this.status = { state: 'failed', reason };
		}
	}

	/** Runs the build's process to its end. */
	async #run(ids: string[]): Promise<BuildOutcome> {
		const child = (this.#child = this.#next ?? this.#fork());
		this.#next = undefined;
		child.send('build');
		let outcome = { failed: 'The build was ended before it was done.' } as BuildOutcome;
		let told = 0;
		child.on('message', (message: BuildMessage) => {
			if (!('progress' in message)) {
				outcome = message;
				return;
			}
			this.status = { state: 'building', progress: message.progress };
			this.#hooks.onProgress(message.progress);
			if (Date.now() - told < TELL_MS) return;
			told = Date.now();
			tellBuilds(this.#db, ids, message.progress).catch(console.error);
		});
		await new Promise((resolve) => child.once('close', resolve).once('error', resolve));
		return outcome;
	}

	/** A build's process: it begins when it is told to. */
	#fork(): ChildProcess {
		const child = fork(new URL('build.ts', import.meta.url), {
			cwd: ROOT,
			stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
		});
		return child.on('error', console.error).once('close', () => {
			if (this.#next === child) this.#next = undefined;
		});
	}
}
