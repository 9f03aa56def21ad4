/** Makes the downloads. Run as a program, it is the process that does so beside the server or the build. */
import type { ChildProcess } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { openDb } from '#db/local.ts';
import type { Upgrade } from '#src/features/downloads/download.ts';
import { downloadsFolder } from '#src/features/downloads/downloads.server.ts';
import { readSiteSettings } from '#src/core/settings/site.server.ts';
import { startLog } from '#src/core/start-log.server.ts';
import { getEnv } from '#src/lib/env.ts';
import { digest } from '#src/lib/digest.ts';
import { siteFolder, withLock, ROOT } from './builds.ts';
import { forkBeside, isRoomFor, wantOfMemory } from './room.ts';

/** Megabytes that Typst takes for a book of as many articles as a download can have. */
const BOOK_ROOM = 1000;

/** Makes downloads in a child process of the lowest priority. */
export class DownloadQueue {
	#child: ChildProcess | undefined;
	#running: Promise<boolean> | undefined;
	#waiting: Promise<boolean> | undefined;
	#stopped = false;

	/**
	 * Requests the downloads of the current database; a burst of calls becomes one run. Returns whether they
	 * exist afterwards. Failures are logged.
	 */
	request(): Promise<boolean> {
		if (this.#stopped) return Promise.resolve(false);
		if (!this.#running) {
			return (this.#running = this.#make().finally(() => (this.#running = undefined)));
		}
		return (this.#waiting ??= this.#running.then(() => {
			this.#waiting = undefined;
			return this.request();
		}));
	}

	stop(): void {
		this.#stopped = true;
		this.pause();
	}

	/** Ends what is being made, which a later request makes. */
	pause(): void {
		this.#child?.kill();
	}

	#make(): Promise<boolean> {
		return new Promise((resolve) => {
			this.#child = forkBeside(import.meta.filename, {
				cwd: ROOT,
				stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
			})
				.on('error', console.error)
				.once('close', (code, signal) => {
					const reason = wantOfMemory('Making the downloads', code, signal);
					if (reason) console.error(`${reason} They are tried again after the next build.`);
					resolve(code === 0);
				});
		});
	}
}

if (import.meta.main) {
	process.on('disconnect', () => process.exit(1));
	try {
		setPriority(constants.priority.PRIORITY_LOW);
	} catch {
		// Not every system allows a process to lower its priority.
	}
	try {
		// Typesetting, which servers do not do, is half of what they would load.
		const { makeDownloads, sourcesDigest } = await import('#src/features/downloads/make.server.ts');
		const { DATABASE_URL, DATABASE_AUTH_TOKEN, SITE_URL } = getEnv();
		await startLog(2);
		const db = await openDb(DATABASE_URL, DATABASE_AUTH_TOKEN);
		const sources = digest(await sourcesDigest(), JSON.stringify(await readSiteSettings(db)));
		const hindrance = (kind: Upgrade) =>
			kind === 'pdf' && !isRoomFor(BOOK_ROOM)
				? `Making it takes ${BOOK_ROOM} MB of free memory. It is tried again each hour.`
				: undefined;
		const options = { siteUrl: SITE_URL, now: new Date(), sources, hindrance };
		await withLock(siteFolder(DATABASE_URL), 'downloads', () =>
			makeDownloads(db, downloadsFolder(DATABASE_URL), options),
		);
		db.$client.close();
	} catch (error) {
		console.error('The downloads stay as they were, because they cannot be made.', error);
		process.exitCode = 1;
	}
	process.exit();
}
