/** Makes the nightly copies of an embedded database. Run as a program, it is the process that does so beside the server. */
import { fork, type ChildProcess } from 'node:child_process';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Db } from '#db/client.ts';
import { openDb } from '#db/local.ts';
import { ROOT, siteFolder, withLock } from '#src/build/builds.ts';
import { expiredCopies, lastDue } from '#src/core/copies/copies.ts';
import { recordCopy, recordFailedCopy } from '#src/core/copies/copies.server.ts';
import { getEnv } from '#src/lib/env.ts';
import { backup, databaseFile, databaseName, inspectCopy, UNFINISHED } from './backup.ts';

/** Returns the folder of the nightly copies. */
export function copiesFolder(databaseUrl: string, given?: string): string {
	const beside = join(dirname(databaseFile(databaseUrl)), `${databaseName(databaseUrl)}.backups`);
	return resolve(given ?? beside);
}

type Copy = { file: string; at: Date };

/** Returns the copies of a database in a folder, newest first. Other files there are not looked at. */
export async function listCopies(databaseUrl: string, folder: string): Promise<Copy[]> {
	const names = await readdir(folder).catch(() => []);
	const start = `${databaseName(databaseUrl)}-`;
	return names
		.filter((name) => name.startsWith(start))
		.flatMap((name) => {
			const [, day, time] = /^(\d{4}-\d\d-\d\d)-(\d{6})\.db$/.exec(name.slice(start.length)) ?? [];
			if (!day || !time) return [];
			const at = new Date(`${day}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`);
			return Number.isNaN(at.getTime()) ? [] : [{ file: join(folder, name), at }];
		})
		.sort((a, b) => b.at.getTime() - a.at.getTime());
}

/** Returns the newest copy that is whole. Damaged ones are passed over and named. */
export async function latestCopy(databaseUrl: string, folder: string): Promise<string | undefined> {
	for (const { file } of await listCopies(databaseUrl, folder)) {
		try {
			await inspectCopy(file);
			return file;
		} catch (error) {
			console.error((error as Error).message);
		}
	}
	return undefined;
}

type Nightly = {
	databaseUrl: string;
	folder: string;
	/** Hour of a day, UTC. */
	hour: number;
	now: Date;
};

/**
 * Copies the database if that has not been done since the hour at which it was due, then deletes copies that are no longer
 * kept. A failure is recorded and told, and deletes nothing. Returns the new copy.
 */
export async function copyIfDue(
	db: Db,
	{ databaseUrl, folder, hour, now }: Nightly,
): Promise<string | undefined> {
	const before = await listCopies(databaseUrl, folder);
	if (before.some(({ at }) => at >= lastDue(now, hour))) return undefined;
	try {
		await mkdir(folder, { recursive: true, mode: 0o700 });
		await removeUnfinished(databaseUrl, folder);
		const { file, counts } = await backup(databaseUrl, folder, now);
		const { size: bytes } = await stat(file);
		const all = await listCopies(databaseUrl, folder);
		const expired = new Set(expiredCopies(all.map(({ at }) => at)));
		for (const copy of all) if (expired.has(copy.at)) await rm(copy.file, { force: true });
		await recordCopy(db, { at: now.toISOString(), file, bytes, counts }, all.length - expired.size);
		return file;
	} catch (error) {
		await recordFailedCopy(db, (error as Error).message, now);
		throw error;
	}
}

/** Deletes what an interrupted copy left. */
async function removeUnfinished(databaseUrl: string, folder: string): Promise<void> {
	const start = `${databaseName(databaseUrl)}-`;
	for (const name of await readdir(folder)) {
		if (name.startsWith(start) && name.includes(UNFINISHED))
			await rm(join(folder, name), { force: true });
	}
}

/** Makes copies in a child process, because SQLite keeps the thread busy that copies. */
export class NightlyCopies {
	#child: ChildProcess | undefined;

	/** Makes a copy if one is due. Failures are logged by the child process. */
	request(): Promise<void> {
		return new Promise((done) => {
			this.#child = fork(import.meta.filename, {
				cwd: ROOT,
				stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
			})
				.on('error', console.error)
				.once('close', () => done());
		});
	}

	stop(): void {
		this.#child?.kill();
	}
}

if (import.meta.main) {
	process.on('disconnect', () => process.exit(1));
	const { DATABASE_URL, BACKUP_HOUR, BACKUP_FOLDER, LOG_FORMAT } = getEnv();
	if (LOG_FORMAT === 'json') (await import('#src/core/log.server.ts')).structureLogs(2);
	if (BACKUP_HOUR !== 'off') {
		try {
			const db = await openDb(DATABASE_URL);
			// Another process of this database may have made it meanwhile.
			await withLock(siteFolder(DATABASE_URL), 'backup', () =>
				copyIfDue(db, {
					databaseUrl: DATABASE_URL,
					folder: copiesFolder(DATABASE_URL, BACKUP_FOLDER),
					hour: BACKUP_HOUR,
					now: new Date(),
				}),
			);
			db.$client.close();
		} catch (error) {
			console.error('The database could not be copied.', error);
			process.exitCode = 1;
		}
	}
	process.exit();
}
