import { fork, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { outageOf, type Db } from '#db/client.ts';
import { filePath, tryLock } from '#db/local.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { endBuilds, recordProgress } from '#src/core/builds/builds.server.ts';
import { linkOrCopy, type SiteFiles } from './site-files.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A build that must not be published. Its message is one sentence for a person. */
export class BuildError extends Error {
	override name = 'BuildError';
}

/** Returns the folder of a database's builds and caches. Two databases in one checkout do not interfere. */
export function siteFolder(databaseUrl: string): string {
	const name = basename(filePath(databaseUrl) ?? new URL(databaseUrl).host).replace(/\.db$/, '');
	const hash = createHash('sha256').update(databaseUrl).digest('hex').slice(0, 8);
	return join(ROOT, '.site', `${name.replace(/[^\w.-]/g, '-')}-${hash}`);
}

/** A finished build. */
export type Build = {
	id: string;
	/** When it was served first: milliseconds. */
	madeAt: number;
	/** Changes that it was made for, as the timeline tells them. */
	cause: string;
	/** Digest of everything that it was made from. */
	fingerprint: string;
	files: SiteFiles;
	pages: PageKeys;
};

/** Cache keys of pages by file; null for a page that has none and is rendered each time. */
export type PageKeys = Record<string, string | null>;

/** Returns the folder of a build's pages. */
export function buildDir(folder: string, id: string): string {
	return join(folder, 'builds', id);
}

/** Returns the build being served, or undefined before the first one. */
export async function currentBuild(folder: string): Promise<Build | undefined> {
	try {
		const build = JSON.parse(await readFile(join(folder, 'current'), 'utf8')) as Build;
		await stat(buildDir(folder, build.id));
		return build;
	} catch {
		return undefined;
	}
}

/** Returns a value that changes whenever another build is served; undefined before the first one. */
export async function currentVersion(folder: string): Promise<string | undefined> {
	const file = await stat(join(folder, 'current')).catch(() => undefined);
	return file && `${file.ino} ${file.mtimeMs}`;
}

/** Description of a build, in its folder. Files that begin with a dot are never served. */
const DESCRIPTION = '.build.json';
/** Name of the file that says that the served build stays. */
const HELD = 'held';
/** Builds that one can go back to, the served one among them. */
const KEPT_BUILDS = 10;
/** How long other processes may take to switch to a newer build. */
const OLD_BUILD_GRACE_MS = MINUTE;

/**
 * Makes a build the served one in a single step. Throws a `BuildError` if the site was put back to an earlier build
 * meanwhile.
 */
export async function activateBuild(folder: string, build: Build): Promise<void> {
	await writeFile(join(buildDir(folder, build.id), DESCRIPTION), JSON.stringify(build));
	await withLock(folder, 'switch', async () => {
		if (await isHeld(folder)) throw new BuildError(HELD_REASON);
		await serveBuild(folder, build.id);
	});
}

/**
 * Removes builds that are no longer kept: all but the last ten, and all from before `erasedAt`, in which stands what
 * readers have erased. Those that are `inUse`, and fresh ones, stay.
 */
export async function removeOldBuilds(
	folder: string,
	inUse: string[],
	erasedAt = 0,
): Promise<void> {
	const kept = new Set((await keptBuilds(folder, erasedAt)).map(({ id }) => id));
	for (const id of await readdir(join(folder, 'builds'))) {
		if (inUse.includes(id) || kept.has(id)) continue;
		const { mtimeMs } = await stat(buildDir(folder, id));
		if (Date.now() - mtimeMs < OLD_BUILD_GRACE_MS) continue;
		await rm(buildDir(folder, id), { recursive: true, force: true });
	}
}

async function serveBuild(folder: string, id: string): Promise<void> {
	const next = join(folder, `current.${id}`);
	await rm(next, { force: true });
	await linkOrCopy(join(buildDir(folder, id), DESCRIPTION), next);
	await rename(next, join(folder, 'current'));
	// Renaming one link of a file to another leaves both.
	await rm(next, { force: true });
}

/** Returns the builds that one can go back to, newest first. */
export async function keptBuilds(folder: string, erasedAt = 0): Promise<Build[]> {
	const ids = await readdir(join(folder, 'builds')).catch(() => []);
	const found = await Promise.all(ids.map((id) => readBuild(folder, id)));
	return found
		.filter((build) => build !== undefined)
		.filter(({ madeAt }) => madeAt > erasedAt)
		.sort((a, b) => b.madeAt - a.madeAt)
		.slice(0, KEPT_BUILDS);
}

/** Returns a build, or undefined for one that was never served. */
async function readBuild(folder: string, id: string): Promise<Build | undefined> {
	try {
		return JSON.parse(await readFile(join(buildDir(folder, id), DESCRIPTION), 'utf8')) as Build;
	} catch {
		return undefined;
	}
}

/** Reason that what is saved does not appear. */
export const HELD_REASON =
	'The site was put back to an earlier build. It shows this change once somebody goes back to the newest content.';

/** Returns whether the site was put back to an earlier build: then nothing is built until `release`. */
export async function isHeld(folder: string): Promise<boolean> {
	return (await stat(join(folder, HELD)).catch(() => undefined)) !== undefined;
}

/** Puts the site back to a build that is kept, and keeps it there. Returns that build, or undefined if there is none. */
export async function rollBack(
	folder: string,
	id: string,
	erasedAt = 0,
): Promise<Build | undefined> {
	const build = (await keptBuilds(folder, erasedAt)).find((one) => one.id === id);
	if (!build) return undefined;
	await withLock(folder, 'switch', async () => {
		await writeFile(join(folder, HELD), id);
		await serveBuild(folder, id);
	});
	return build;
}

/** Lets the next build be served again. */
export async function release(folder: string): Promise<void> {
	await rm(join(folder, HELD), { force: true });
}

/** Interval between attempts to get a lock that another process holds. */
const LOCK_RETRY_MS = 100;

/** Runs `work` while no other process runs work of the same name in this folder. */
export async function withLock<T>(
	folder: string,
	name: string,
	work: () => Promise<T>,
): Promise<T> {
	const unlock = await lock(folder, name).catch((error: Error) => {
		// Node appends the call and the path after a comma.
		const [reason] = error.message.split(', ', 1);
		throw new BuildError(`${folder}, where builds are kept, cannot be written: ${reason}.`);
	});
	try {
		return await work();
	} finally {
		unlock();
	}
}

async function lock(folder: string, name: string): Promise<() => void> {
	await mkdir(folder, { recursive: true });
	for (;;) {
		const unlock = await tryLock(join(folder, `${name}.lock`));
		if (unlock) return unlock;
		await sleep(LOCK_RETRY_MS);
	}
}

/** Returns whether a process holds the lock of this name in this folder. */
export async function isLocked(folder: string, name: string): Promise<boolean> {
	const unlock = await tryLock(join(folder, `${name}.lock`));
	unlock?.();
	return !unlock;
}

/** Progress reported by a build. */
export type Progress = { doing: string; done?: number; total?: number };

/** State of the last or the current build. */
export type BuildStatus =
	| { state: 'live'; id: string }
	| { state: 'queued' }
	| { state: 'building'; progress: Progress }
	| { state: 'failed'; reason: string };

/**
 * A message from the build process: the builds it claimed, its progress, and the outcome. It then holds the
 * lock until it gets a reply, so that a build in progress always belongs to a living process.
 */
export type BuildMessage = { taken: string[] } | { progress: Progress } | BuildOutcome;
type BuildOutcome = { live: string } | { failed: string };

/** How long a prewarmed build process waits before it is ended, because it holds memory. */
const PREWARM_IDLE_MS = 10 * MINUTE;
/** Interval between updates of the timeline. */
const PROGRESS_INTERVAL_MS = 500;

type BuildHooks = {
	/** Switches the server to the current build. */
	serveCurrent: () => Promise<void>;
	onProgress: (progress: Progress) => void;
	/** Called when a build of this process has ended, with its duration in milliseconds. */
	onEnd: (isLive: boolean, ms: number) => void;
};

/** Runs builds in a child process, one at a time, and keeps the timeline up to date. */
export class BuildQueue {
	status: BuildStatus = { state: 'queued' };
	readonly #db: Db;
	readonly #hooks: BuildHooks;
	#child: ChildProcess | undefined;
	/** The prewarmed process of the next build. */
	#prewarmed: ChildProcess | undefined;
	#idleTimer: NodeJS.Timeout | undefined;
	#running: Promise<void> | undefined;
	#waiting: Promise<void> | undefined;
	#stopped = false;

	constructor(db: Db, hooks: BuildHooks) {
		this.#db = db;
		this.#hooks = hooks;
	}

	/**
	 * Requests a build of the current database; a burst of calls becomes one build. Settles when that build has
	 * ended.
	 */
	request(): Promise<void> {
		if (!this.#running) return this.#start();
		return (this.#waiting ??= this.#running
			.catch(() => {})
			.then(() => {
				this.#waiting = undefined;
				return this.#start();
			}));
	}

	/** Starts the next build's process in advance, so that it loads what it needs. It stays for a while. */
	prewarm(): void {
		if (this.#stopped || this.#running) return;
		clearTimeout(this.#idleTimer);
		this.#prewarmed ??= this.#fork();
		this.#idleTimer = setTimeout(() => this.#prewarmed?.kill(), PREWARM_IDLE_MS).unref();
	}

	/** Ends the current build and starts no more. The site stays as it is. */
	stop(): void {
		this.#stopped = true;
		clearTimeout(this.#idleTimer);
		this.#child?.kill();
		this.#prewarmed?.kill();
	}

	#start(): Promise<void> {
		if (this.#stopped) return new Promise(() => {});
		return (this.#running = this.#build().finally(() => {
			this.#running = undefined;
			// Someone who published once often does so again.
			if (!this.#waiting) this.prewarm();
		}));
	}

	async #build(): Promise<void> {
		this.status = { state: 'building', progress: { doing: 'Building the site' } };
		const started = Date.now();
		const child = (this.#child = this.#prewarmed ?? this.#fork());
		this.#prewarmed = undefined;
		const closed = new Promise((resolve) => child.once('close', resolve).once('error', resolve));
		const { ids, outcome } = await this.#run(child, closed);
		// The process is ending, so nothing may continue as if there were a build.
		if (this.#stopped) return new Promise(() => {});
		try {
			if ('failed' in outcome) throw new Error(outcome.failed);
			await this.#hooks.serveCurrent();
			this.status = { state: 'live', id: outcome.live };
		} catch (error) {
			this.status = { state: 'failed', reason: (error as Error).message };
		}
		this.#hooks.onEnd(this.status.state === 'live', Date.now() - started);
		const reason = this.status.state === 'failed' ? this.status.reason : undefined;
		try {
			await endBuilds(this.#db, ids, new Date(), reason);
		} catch (error) {
			// The timeline shows them as in progress without an owner; a later build claims them.
			console.error('How the build ended could not be recorded.', outageOf(error) ?? error);
		} finally {
			// Until then it keeps others from building.
			if (child.connected) child.send('done');
			await closed;
		}
	}

	/** Runs the build process to its end. Returns the outcome and the builds that it claimed. */
	async #run(child: ChildProcess, closed: Promise<unknown>) {
		let ids: string[] = [];
		let reportedAt = 0;
		child.send('build');
		const ended = new Promise<BuildOutcome>((resolve) => {
			child.on('message', (message: BuildMessage) => {
				if ('taken' in message) ids = message.taken;
				else if (!('progress' in message)) resolve(message);
				else {
					this.status = { state: 'building', progress: message.progress };
					this.#hooks.onProgress(message.progress);
					if (Date.now() - reportedAt < PROGRESS_INTERVAL_MS) return;
					reportedAt = Date.now();
					recordProgress(this.#db, ids, message.progress).catch(console.error);
				}
			});
		});
		const gone = closed.then(() => ({ failed: 'The build was ended before it was done.' }));
		const outcome = await Promise.race([ended, gone]);
		return { ids, outcome };
	}

	/** Starts a build process, which waits for a message before it builds. */
	#fork(): ChildProcess {
		const child = fork(new URL('build.ts', import.meta.url), {
			cwd: ROOT,
			// The server's options are for serving.
			execArgv: [],
			stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
		});
		return child.on('error', console.error).once('close', () => {
			if (this.#prewarmed === child) this.#prewarmed = undefined;
		});
	}
}
