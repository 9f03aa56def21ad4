import type { ChildProcess } from 'node:child_process';
import { type Db } from '#db/client.ts';
import { outageOf } from '#db/outage.ts';
import { endBuilds, recordProgress } from '#src/core/builds/builds.server.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { ROOT, type Progress } from './builds.ts';
import { countMemoryEnd, forkBeside, isMemoryShort, isRoomFor, wantOfMemory } from './room.ts';

/** How a build has ended. */
export type BuildResult =
	| { state: 'live'; id: string; isWhole: boolean }
	| { state: 'failed'; reason: string };

/**
 * A message from the build process: the builds it claimed, its progress, the listing of what can be served of a first build
 * before its end, and the outcome. It then holds the
 * lock until it gets a reply, so that a build in progress always belongs to a living process. Afterwards it is ready for
 * the next one, of which it has read the most already, or ends.
 */
export type BuildMessage =
	| { taken: string[] }
	| { progress: Progress }
	| { early: string[] }
	| BuildOutcome
	| { ready: true };
/**
 * The build that is served now, and how many of its pages show former names still; or why none is. With it, the most memory that the
 * process held, and whether one of its own ended for want of some.
 */
export type BuildOutcome = ({ live: string; left?: number | undefined } | { failed: string }) & {
	peak?: number;
	isMemoryEnd?: boolean;
};

/**
 * Order to a build process: to build; to build and, where nothing changed, to learn what the next build is to follow; to hurry,
 * because somebody waits for the next build, which then does what can wait; and to go on, because its outcome is recorded.
 */
export type BuildOrder = 'build' | 'learn' | 'hurry' | 'done';

/** How long a build process waits for a build before it is ended, because it holds memory. */
const IDLE_MS = 10 * MINUTE;
/** Megabytes that must be left for a process to wait. */
const IDLE_ROOM = 1000;
/** Interval between updates of the timeline. */
const PROGRESS_INTERVAL_MS = 500;

type BuildHooks = {
	/** Switches the server to the current build. */
	serveCurrent: () => Promise<void>;
	onProgress: (progress: Progress) => void;
	/** Serves a part of the first build, by the parts of its listing, until the whole is there. */
	serveEarly: (parts: string[]) => Promise<void>;
	/** Called when a build of this process has ended, with its duration in milliseconds and the most bytes of memory that it took. */
	onEnd: (isLive: boolean, ms: number, peak?: number) => void;
};

type Builder = { child: ChildProcess; closed: Promise<Ending>; hasLearned: boolean };
type Ending = [code: number | null, signal: NodeJS.Signals | null];

/** Runs builds in a child process, one at a time, and keeps the timeline up to date. */
export class BuildQueue {
	readonly #db: Db;
	readonly #hooks: BuildHooks;
	#current: Builder | undefined;
	/** The process of the next build, which waits for it. */
	#next: Builder | undefined;
	#idleTimer: NodeJS.Timeout | undefined;
	#running: Promise<BuildResult> | undefined;
	#waiting: Promise<BuildResult> | undefined;
	#stopped = false;
	#hasFailed = false;
	#isBundled = false;

	constructor(db: Db, hooks: BuildHooks) {
		this.#db = db;
		this.#hooks = hooks;
	}

	/**
	 * Requests a build of the current database; a burst of calls becomes one build. Resolves with how that build has
	 * ended, whatever is built since.
	 */
	request(): Promise<BuildResult> {
		if (!this.#running) return this.#start();
		this.#tell(this.#current, 'hurry');
		return (this.#waiting ??= this.#running
			.catch(() => {})
			.then(() => {
				this.#waiting = undefined;
				return this.#start();
			}));
	}

	/** Builds what the last build left; nobody waits for it, so what is being built does not hurry. Settles as `request`. */
	resume(): Promise<BuildResult> {
		return this.#running ?? this.#waiting ?? this.#start();
	}

	/** Starts the next build's process in advance, so that it loads what it needs. It stays for a while, as after a build. */
	prewarm(): void {
		if (this.#stopped || this.#running || !isRoomFor(IDLE_ROOM)) return;
		clearTimeout(this.#idleTimer);
		this.#next ??= this.#fork();
		this.#idleTimer = setTimeout(() => this.rest(), IDLE_MS).unref();
	}

	/** As `prewarm`, for somebody at the desk: that process also reads the site, before something is published. */
	async learn(): Promise<void> {
		const isKnown = this.#next?.hasLearned || this.#hasFailed;
		if (isKnown || this.#running || isMemoryShort()) return this.prewarm();
		const result = await this.#start('learn');
		if (result.state === 'live' && !result.isWhole) await this.resume();
	}

	/** Ends the process that waits for the next build. */
	rest(): void {
		const idle = this.#next;
		this.#next = undefined;
		idle?.child.kill();
	}

	/** Ends the current build and starts no more. The site stays as it is. */
	stop(): void {
		this.#stopped = true;
		clearTimeout(this.#idleTimer);
		this.#current?.child.kill();
		this.#next?.child.kill();
	}

	#start(order: 'build' | 'learn' = 'build'): Promise<BuildResult> {
		if (this.#stopped) return new Promise(() => {});
		return (this.#running = this.#build(order).finally(() => {
			this.#running = undefined;
			// Someone who published once often does so again.
			if (!this.#waiting) this.prewarm();
		}));
	}

	async #build(order: 'build' | 'learn'): Promise<BuildResult> {
		const started = Date.now();
		this.#hooks.onProgress({ doing: 'Starting the build' });
		await this.#makeRoom();
		const builder = (this.#current = this.#next ?? this.#fork());
		this.#next = undefined;
		const build = this.#follow(builder);
		this.#tell(builder, order);
		builder.hasLearned ||= order === 'learn';
		const outcome = await build.outcome;
		// The process is ending, so nothing may continue as if there were a build.
		if (this.#stopped) return new Promise(() => {});
		let result: BuildResult;
		try {
			if ('failed' in outcome) throw new Error(outcome.failed);
			await this.#hooks.serveCurrent();
			result = { state: 'live', id: outcome.live, isWhole: !outcome.left };
		} catch (error) {
			result = { state: 'failed', reason: (error as Error).message };
		}
		this.#hasFailed = result.state === 'failed';
		if (outcome.isMemoryEnd) countMemoryEnd();
		this.#hooks.onEnd(result.state === 'live', Date.now() - started, outcome.peak);
		const reason = result.state === 'failed' ? result.reason : undefined;
		try {
			await endBuilds(this.#db, build.ids, new Date(), reason);
		} catch (error) {
			// The timeline shows them as in progress without an owner; a later build claims them.
			console.error('How the build ended could not be recorded.', outageOf(error) ?? error);
		} finally {
			// Until then it keeps others from building.
			this.#tell(builder, 'done');
			if (await build.isReady) this.#next = builder;
			if (!isRoomFor(IDLE_ROOM)) this.rest();
		}
		return result;
	}

	/** Follows a build to its end. Returns the builds that the process claimed, and promises of what it will say. */
	#follow({ child, closed }: Builder) {
		const outcome = Promise.withResolvers<BuildOutcome>();
		const isReady = Promise.withResolvers<boolean>();
		const build = {
			ids: [] as string[],
			outcome: outcome.promise,
			/** Settles after the process was told that it is done: true where it waits for another build. */
			isReady: isReady.promise,
		};
		let reportedAt = 0;
		const onMessage = (message: BuildMessage) => {
			if ('taken' in message) build.ids = message.taken;
			else if ('progress' in message) {
				this.#hooks.onProgress(message.progress);
				if (Date.now() - reportedAt < PROGRESS_INTERVAL_MS) return;
				reportedAt = Date.now();
				recordProgress(this.#db, build.ids, message.progress).catch(console.error);
			} else if ('early' in message) this.#hooks.serveEarly(message.early).catch(console.error);
			else if ('ready' in message) isReady.resolve(true);
			else outcome.resolve(message);
		};
		child.on('message', onMessage);
		void closed.then(([code, signal]) => {
			const reason = wantOfMemory('The build', code, signal);
			outcome.resolve({ failed: reason ?? 'The build was ended before it was done.' });
			isReady.resolve(false);
		});
		void isReady.promise.then(() => child.off('message', onMessage));
		return build;
	}

	#tell(builder: Builder | undefined, order: BuildOrder): void {
		if (builder?.child.connected) builder.child.send(order);
	}

	/** Where memory is short, bundles before the build's process needs it too, which says what fails. */
	async #makeRoom(): Promise<void> {
		if (this.#next || this.#isBundled || !isMemoryShort()) return;
		const { bundleFirst } = await import('./bundles.ts');
		await bundleFirst(this.#hooks.onProgress).then(
			() => (this.#isBundled = true),
			(error: unknown) => console.error((error as Error).message),
		);
	}

	/** Starts a build process, which waits for a message before it builds. */
	#fork(): Builder {
		const child = forkBeside(new URL('build.ts', import.meta.url), {
			cwd: ROOT,
			// The server's options are for serving.
			execArgv: ['--expose-gc'],
			stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
		});
		const closed = new Promise<Ending>((resolve) => {
			child.once('close', (...ending: Ending) => resolve(ending));
			child.on('error', (error) => {
				console.error(error);
				resolve([null, null]);
			});
		});
		const builder = { child, closed, hasLearned: false };
		void closed.then(() => {
			if (this.#next === builder) this.#next = undefined;
		});
		return builder;
	}
}
