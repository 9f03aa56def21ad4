import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildMessage, BuildOrder } from '#src/build/build-queue.ts';
import { ROOT, siteFolder, storeOf } from '#src/build/builds.ts';

type Built = {
	live?: string;
	failed?: string;
	/** How many pages show former names still. */
	left?: number | undefined;
	/** How many pages were made. */
	pages: number;
	/** Paths of what could be served before its end, if it was the first. */
	early?: string[];
};

/** Starts a build process for a database. It waits for its first order. */
export function forkBuild(databaseUrl: string, env: Record<string, string> = {}): ChildProcess {
	return fork(join(ROOT, 'src/build/build.ts'), {
		cwd: ROOT,
		env: {
			...process.env,
			...{ DATABASE_URL: databaseUrl, SITE_URL: 'https://groundtruth.test', ...env },
		},
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
	});
}

/** Brings the site of a database up to date as the server does: by one process for as long as it is good for more. */
export class BuildProcess {
	readonly #databaseUrl: string;
	readonly #fork: () => ChildProcess;
	#child: ChildProcess | undefined;

	constructor(databaseUrl: string, env?: Record<string, string>) {
		this.#databaseUrl = databaseUrl;
		this.#fork = () => forkBuild(databaseUrl, env);
	}

	/** Builds, and gives the other orders right after the one to do so. Settles when the process is ready again, or ended. */
	build(...orders: BuildOrder[]): Promise<Built> {
		return this.#obey('build', ...orders);
	}

	/** As `build`, and learns what the next build is to follow. */
	learn(): Promise<Built> {
		return this.#obey('learn');
	}

	async #obey(...orders: BuildOrder[]): Promise<Built> {
		const child = (this.#child ??= this.#fork());
		const built: Built = { pages: 0 };
		const ended = Promise.withResolvers<void>();
		const onMessage = (message: BuildMessage) => {
			if ('progress' in message) {
				if (message.progress.doing === 'Building pages') built.pages = message.progress.done!;
			} else if ('ready' in message) ended.resolve();
			else if ('early' in message) built.early = message.early.flatMap((hash) => this.#list(hash));
			else if (!('taken' in message)) {
				Object.assign(built, message);
				// It keeps its lock until its end is written down.
				child.send('done');
			}
		};
		const onClose = () => {
			this.#child = undefined;
			ended.resolve();
		};
		child.on('message', onMessage).once('close', onClose);
		for (const order of orders) child.send(order);
		await ended.promise;
		child.off('message', onMessage).off('close', onClose);
		return built;
	}

	/** Returns the paths in a part of a listing. At the end of its build a part of what was early may be gone. */
	#list(hash: string): string[] {
		const part = storeOf(siteFolder(this.#databaseUrl)).path({ hash });
		return Object.keys(JSON.parse(readFileSync(part, 'utf8')) as object);
	}

	/** Ends the process. */
	stop(): void {
		this.#child?.kill();
		this.#child = undefined;
	}
}
