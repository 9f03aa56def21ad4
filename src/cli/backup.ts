/** Copies an embedded database while the server runs, and restores it while the server is stopped. */
import { createClient } from '@libsql/client';
import {
	access,
	chmod,
	constants,
	copyFile,
	link,
	mkdir,
	open,
	rename,
	rm,
	stat,
} from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { DatabaseError, HALF_RESTORED, migrateDb, openDb } from '#db/local.ts';
import { filePath } from '#db/file-path.ts';
import { isoDay } from '#src/lib/dates.ts';
import { plural } from '#src/lib/text.ts';
import { keepLeaversAway } from './leavers.ts';

/** Tables that a backup's summary counts, with their names in it. */
const COUNTED = {
	posts: ['post'],
	categories: ['category', 'categories'],
	comments: ['comment'],
	subscribers: ['subscriber'],
	enrollments: ['enrollment'],
	media: ['image'],
	users: ['admin'],
} as const;

/** End of the name of an unfinished copy. */
export const UNFINISHED = '.part';

/** Returns the name of a database without its folder and ending, or of its server: copies begin with it. */
export function databaseName(databaseUrl: string): string {
	const file = filePath(databaseUrl);
	return file ? basename(file).replace(/\.db$/, '') : new URL(databaseUrl).host.replace(/\W/g, '-');
}

/** Returns the file name of a copy of this database, which tells its time (UTC). */
export function copyName(databaseUrl: string, now: Date, ending: 'db' | 'zip'): string {
	const time = now.toISOString().slice(11, 19).replaceAll(':', '');
	return `${databaseName(databaseUrl)}-${isoDay(now)}-${time}.${ending}`;
}

/**
 * Copies the database into a new file of the folder, complete and consistent: it has its name when it was looked
 * through. Returns the file and what it contains.
 */
export async function backup(
	databaseUrl: string,
	folder: string,
	now: Date,
): Promise<{ file: string; counts: string }> {
	await assertThere(databaseFile(databaseUrl));
	await assertWritable(folder);
	const file = join(resolve(folder), copyName(databaseUrl, now, 'db'));
	if (await exists(file)) throw new DatabaseError(`${file} is there already.`);
	const unfinished = file + UNFINISHED;
	try {
		const db = await openDb(databaseUrl);
		try {
			await db.run(sql`vacuum into ${unfinished}`);
		} finally {
			db.$client.close();
		}
		const counts = await inspectCopy(unfinished);
		await sync(unfinished);
		await rename(unfinished, file);
		return { file, counts };
	} finally {
		await rm(unfinished, { force: true });
	}
}

async function assertWritable(folder: string): Promise<void> {
	try {
		await mkdir(folder, { recursive: true });
		await access(folder, constants.W_OK);
	} catch (error) {
		// Node appends the call and the path after a comma.
		const [reason] = (error as Error).message.split(', ', 1);
		throw new DatabaseError(`${folder} cannot be written: ${reason}.`);
	}
}

/** Throws where an embedded database is not there yet: opening it would make an empty one. */
export async function assertDatabase(databaseUrl: string): Promise<void> {
	const file = filePath(databaseUrl);
	if (file) await assertThere(file);
}

async function assertThere(file: string): Promise<void> {
	if (!(await exists(file))) throw new DatabaseError(`There is no database ${file}.`);
}

/** Contents of a restored database, the former one, and how many who left since are kept away, where that is known. */
export type Replaced = {
	counts: string;
	previousFile: string | undefined;
	away?: number | undefined;
};

/** Returns what an owner has to know of those who left after a copy was made. */
export function leaverWords(away: number | undefined): string {
	return away === undefined
		? 'Whoever unsubscribed after this copy was made gets letters again: nothing here says who that was.'
		: `${plural(away, 'subscriber')} who left after this copy was made ${away === 1 ? 'stays' : 'stay'} away.`;
}

/**
 * Replaces the database with a copy and applies migrations. Refuses if a process has the database open, or if
 * there is one and `force` is not set. The replaced database is kept beside the new one.
 */
export async function restore(
	databaseUrl: string,
	file: string,
	options: { force: boolean; now: Date },
): Promise<Replaced> {
	await inspectCopy(file);
	if (resolve(file) === resolve(databaseFile(databaseUrl))) {
		throw new DatabaseError('This file is the database itself.');
	}
	return replaceDatabase(databaseUrl, options, async (next) => {
		await copyFile(file, next);
		// A copy from elsewhere may be readable by everyone, and its own copy would be as well.
		await chmod(next, 0o600);
		await withFile(next, (db) => migrateDb(db));
	});
}

/** Has a database that is about to be closed leave its write-ahead log. */
export async function intoOneFile(db: Db): Promise<void> {
	await db.run(sql`pragma journal_mode = delete`);
}

/** Opens a database file for some work, and closes it in one file. */
async function withFile<Out>(file: string, work: (db: Db) => Promise<Out>): Promise<Out> {
	const db = await openDb(`file:${file}`);
	try {
		const done = await work(db);
		await intoOneFile(db);
		return done;
	} finally {
		db.$client.close();
	}
}

/**
 * Makes a new database in a file of its own, looks it through, and puts it in the place of the one that is there in a single
 * step: whenever this ends, there is the one or the other. Refuses as `restore` does.
 */
export async function replaceDatabase(
	databaseUrl: string,
	{ force, now }: { force: boolean; now: Date },
	make: (next: string) => Promise<void>,
): Promise<Replaced> {
	const target = databaseFile(databaseUrl);
	const isThere = await exists(target);
	if (isThere) {
		await assertClosed(target);
		if (!force) {
			throw new DatabaseError(
				`There is a database at ${target}: run the command again with --force to replace it. It is kept beside the new one.`,
			);
		}
	}
	const next = `${target}.restoring`;
	await mkdir(dirname(target), { recursive: true });
	await removeDatabase(next);
	try {
		await make(next);
		const away = isThere ? await withFile(next, (db) => keepLeaversAway(db, target)) : undefined;
		const counts = await inspectCopy(next);
		await sync(next);
		let previousFile: string | undefined;
		if (isThere) {
			await assertClosed(target);
			previousFile = `${target}.${now.toISOString().replace(/\D/g, '').slice(0, 14)}.before`;
			// A second name, so that there is no moment without a database.
			await link(target, previousFile).catch(() =>
				copyFile(target, previousFile!, constants.COPYFILE_EXCL),
			);
		}
		await rename(next, target);
		return { counts, previousFile, away };
	} finally {
		await removeDatabase(next);
	}
}

/** Deletes a database and what belongs to it. */
async function removeDatabase(file: string): Promise<void> {
	for (const ending of ['', '-wal', '-shm', '-journal']) await rm(file + ending, { force: true });
}

/**
 * Returns a stream into a new file that its owner alone may read. The file is there at once: a stream that opens its own
 * makes it even after it failed and the file was removed.
 */
export async function createFile(file: string): Promise<Writable> {
	return (await open(file, 'w', 0o600)).createWriteStream();
}

/** Waits until the disk has a file. */
export async function sync(file: string): Promise<void> {
	const handle = await open(file);
	await handle.sync();
	await handle.close();
}

/** Throws unless a file is an intact database of this site. Returns what it contains. */
export async function inspectCopy(file: string): Promise<string> {
	if (!(await exists(file))) throw new DatabaseError(`There is no file ${file}.`);
	const client = createClient({ url: `file:${resolve(file)}` });
	try {
		const { rows: states } = await client.execute('pragma integrity_check');
		if (states[0]?.[0] !== 'ok') throw new DatabaseError(`${file} is damaged.`);
		const { rows: marks } = await client.execute(HALF_RESTORED);
		if (marks.length > 0) {
			throw new DatabaseError(`${file} is what an interrupted restore of an archive left.`);
		}
		await client.execute('select count(*) from __drizzle_migrations');
		const counts = [];
		for (const [table, words] of Object.entries(COUNTED)) {
			const { rows } = await client.execute(`select count(*) from ${table}`);
			const [one, many] = words as readonly [string, string?];
			counts.push(plural(Number(rows[0]![0]), one, many));
		}
		return counts.join(', ');
	} catch (error) {
		if (error instanceof DatabaseError) throw error;
		throw new DatabaseError(`${file} is no database of this site.`);
	} finally {
		client.close();
	}
}

/** Resolves a path relative to the shell's folder; npm runs commands in the project's folder. */
export function resolveFromShell(path: string): string {
	return resolve(process.env['INIT_CWD'] ?? '.', path);
}

/** Throws if a process has the database open: only then does SQLite keep its write-ahead log. */
async function assertClosed(file: string): Promise<void> {
	const client = createClient({ url: `file:${resolve(file)}`, timeout: 0 });
	try {
		const { rows } = await client.execute('pragma journal_mode = delete');
		if (rows[0]?.[0] === 'delete') return;
	} catch {
		// It is locked.
	} finally {
		client.close();
	}
	throw new DatabaseError('A server has this database open: stop it first.');
}

function databaseFile(databaseUrl: string): string {
	const file = filePath(databaseUrl);
	if (file) return file;
	throw new DatabaseError(
		'Only an embedded database is copied as a file: of one on a server npm run archive makes an archive.',
	);
}

function exists(file: string): Promise<boolean> {
	return stat(file).then(
		(found) => found.isFile(),
		() => false,
	);
}
