/** Makes the nightly copies of a database: of an embedded one the file, of one on a server an archive. Run as a program, it is the process that does so beside the server. */
import { fork, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Db } from '#db/client.ts';
import { DatabaseError, openDb } from '#db/local.ts';
import { filePath } from '#db/file-path.ts';
import { ROOT, siteFolder, withLock } from '#src/build/builds.ts';
import { expiredCopies, lastDue } from '#src/core/copies/copies.ts';
import { getCopyReport, recordCopies, recordFailedCopy } from '#src/core/copies/copies.server.ts';
import { startLog } from '#src/core/start-log.server.ts';
import { getEnv } from '#src/lib/env.ts';
import { archiveTo, inspectArchive } from './archives.ts';
import { backup, copyName, databaseName, inspectCopy, UNFINISHED } from './backup.ts';
import { bucketOf, type Bucket } from './bucket.ts';

/** Returns the folder of the nightly copies. */
export function copiesFolder(databaseUrl: string, given?: string): string {
	const file = filePath(databaseUrl);
	const beside = join(file ? dirname(file) : 'db', `${databaseName(databaseUrl)}.backups`);
	return resolve(given ?? beside);
}

type Copy = { file: string; at: Date };

/** Returns when the copy of this name was made, or undefined if it is none of this database. */
function timeOf(databaseUrl: string, name: string): Date | undefined {
	const start = `${databaseName(databaseUrl)}-`;
	if (!name.startsWith(start)) return undefined;
	const [, day, time] =
		/^(\d{4}-\d\d-\d\d)-(\d{6})\.(?:db|zip)$/.exec(name.slice(start.length)) ?? [];
	if (!day || !time) return undefined;
	const at = new Date(`${day}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`);
	return Number.isNaN(at.getTime()) ? undefined : at;
}

/** Returns the copies of a database in a folder, newest first. Other files there are not looked at. */
export async function listCopies(databaseUrl: string, folder: string): Promise<Copy[]> {
	const names = await readdir(folder).catch(() => []);
	return names
		.map((name) => ({ file: join(folder, name), at: timeOf(databaseUrl, name) }))
		.filter((copy): copy is Copy => copy.at !== undefined)
		.sort((a, b) => b.at.getTime() - a.at.getTime());
}

/** Returns the newest copy that is whole. Damaged ones are passed over and named. */
export async function latestCopy(databaseUrl: string, folder: string): Promise<string | undefined> {
	for (const { file } of await listCopies(databaseUrl, folder)) {
		try {
			await proveCopy(file);
			return file;
		} catch (error) {
			console.error((error as Error).message);
		}
	}
	return undefined;
}

/** Downloads the newest whole copy from storage into the folder. Damaged ones are passed over and named. */
export async function fetchLatestCopy(
	databaseUrl: string,
	folder: string,
	bucket: Bucket,
): Promise<string | undefined> {
	const names = await bucket.list(`${databaseName(databaseUrl)}-`);
	const copies = names.filter((name) => timeOf(databaseUrl, name)).sort();
	await mkdir(folder, { recursive: true, mode: 0o700 });
	for (const name of copies.reverse()) {
		const file = join(folder, name);
		try {
			await rm(file + DIGEST, { force: true });
			await bucket.download(name, file);
			await proveCopy(file);
			await writeDigest(file);
			return file;
		} catch (error) {
			console.error(`${name}: ${(error as Error).message}`);
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
	/** Storage elsewhere, to which each copy goes as well. */
	bucket?: Bucket | undefined;
};

/**
 * Copies the database if that has not been done since the hour at which it was due, then deletes copies that are no longer
 * kept, and uploads the newest if storage does not have it. A failure is recorded and told, and deletes nothing. Returns the new copy.
 */
export async function copyIfDue(db: Db, nightly: Nightly): Promise<string | undefined> {
	const { databaseUrl, folder, hour, now } = nightly;
	const before = await listCopies(databaseUrl, folder);
	const isDue = !before.some(({ at }) => at >= lastDue(now, hour));
	let file: string | undefined;
	if (isDue) {
		try {
			file = await copyNow(db, nightly);
		} catch (error) {
			await recordFailedCopy(db, (error as Error).message, now);
			throw error;
		}
	}
	await uploadIfMissing(db, nightly);
	return file;
}

async function copyNow(db: Db, { databaseUrl, folder, now }: Nightly): Promise<string> {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	await removeUnfinished(databaseUrl, folder);
	const { file, counts } = filePath(databaseUrl)
		? await backup(databaseUrl, folder, now)
		: await archiveIn(db, databaseUrl, folder, now);
	await writeDigest(file);
	const { size: bytes } = await stat(file);
	const damaged = await setDamagedAside(databaseUrl, folder);
	const all = await listCopies(databaseUrl, folder);
	const expired = new Set(expiredCopies(all.map(({ at }) => at)));
	for (const copy of all) {
		if (!expired.has(copy.at)) continue;
		await rm(copy.file, { force: true });
		await rm(copy.file + DIGEST, { force: true });
	}
	const last = { at: now.toISOString(), file, bytes, counts };
	await recordCopies(db, { last, kept: all.length - expired.size, failure: null });
	if (damaged.length > 0) {
		const reason = `A copy is made, but older ones are damaged and were put aside: ${damaged.join(', ')}.`;
		await recordFailedCopy(db, reason, now);
	}
	return file;
}

/** Archives a database on a server into a file of the folder. */
async function archiveIn(db: Db, databaseUrl: string, folder: string, now: Date) {
	const file = join(folder, copyName(databaseUrl, now, 'zip'));
	return { file, counts: await archiveTo(db, file, { now }) };
}

/** Uploads the newest copy if it is not in storage, and deletes there what is no longer kept. */
async function uploadIfMissing(
	db: Db,
	{ databaseUrl, folder, now, bucket }: Nightly,
): Promise<void> {
	if (!bucket) return;
	const [newest] = await listCopies(databaseUrl, folder);
	const { uploaded, uploadFailure } = await getCopyReport(db);
	if (!newest || (uploaded?.file === newest.file && !uploadFailure)) return;
	try {
		const bytes = await bucket.upload(newest.file);
		const names = await bucket.list(`${databaseName(databaseUrl)}-`);
		const times = new Map(names.map((name) => [timeOf(databaseUrl, name), name]));
		times.delete(undefined);
		const all = [...times.keys()] as Date[];
		const expired = expiredCopies(all);
		for (const time of expired) await bucket.remove(times.get(time)!);
		const kept = all.length - expired.length;
		await recordCopies(db, {
			uploaded: { at: now.toISOString(), file: newest.file, bytes, place: bucket.place, kept },
			uploadFailure: null,
		});
	} catch (error) {
		await recordFailedCopy(db, (error as Error).message, now, 'uploadFailure');
		throw error;
	}
}

/** Ending of the file beside a copy that has its SHA-256, as `sha256sum` writes it. */
const DIGEST = '.sha256';

async function writeDigest(file: string): Promise<void> {
	const unfinished = file + DIGEST + UNFINISHED;
	const text = `${await digestOf(file)}  ${basename(file)}\n`;
	await writeFile(unfinished, text, { mode: 0o600, flush: true });
	await rename(unfinished, file + DIGEST);
}

async function digestOf(file: string): Promise<string> {
	const hash = createHash('sha256');
	await pipeline(createReadStream(file), hash);
	return hash.digest('hex');
}

/** Throws unless a copy is whole: bit by bit what was looked through when it was made, or else a whole database or archive of this program. */
export async function proveCopy(file: string): Promise<void> {
	const known = await readFile(file + DIGEST, 'utf8').catch(() => undefined);
	if (known) {
		if (known.slice(0, 64) === (await digestOf(file))) return;
		throw new DatabaseError(`${file} is damaged: it is not what was written.`);
	}
	if (file.endsWith('.zip')) await inspectArchive(file);
	else await inspectCopy(file);
}

/** Gives damaged copies another name, by which nothing restores them. Returns their names. */
async function setDamagedAside(databaseUrl: string, folder: string): Promise<string[]> {
	const damaged: string[] = [];
	for (const { file } of await listCopies(databaseUrl, folder)) {
		try {
			await proveCopy(file);
		} catch {
			await rename(file, `${file}.damaged`);
			damaged.push(basename(file));
		}
	}
	return damaged;
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
	const { DATABASE_URL, DATABASE_AUTH_TOKEN, BACKUP_HOUR, BACKUP_FOLDER } = getEnv();
	await startLog(2);
	if (BACKUP_HOUR !== 'off') {
		try {
			const db = await openDb(DATABASE_URL, DATABASE_AUTH_TOKEN);
			// Another process of this database may have made it meanwhile.
			await withLock(siteFolder(DATABASE_URL), 'backup', () =>
				copyIfDue(db, {
					databaseUrl: DATABASE_URL,
					folder: copiesFolder(DATABASE_URL, BACKUP_FOLDER),
					hour: BACKUP_HOUR,
					now: new Date(),
					bucket: bucketOf(getEnv()),
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
