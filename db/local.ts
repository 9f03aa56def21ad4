// First, before the client is loaded.
import './base64.ts';
import './statements.ts';
import { createClient, type LibsqlError } from '@libsql/client';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/libsql';
import { migrate } from 'drizzle-orm/libsql/migrator';
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openServers, setOpener, type Db } from './client.ts';
import { openPatiently } from './patient-client.ts';
import * as schema from './schema.ts';

/** A database that cannot be opened or migrated. Its message is one sentence for a person. */
export class DatabaseError extends Error {
	override name = 'DatabaseError';
}

/** Table that a database has while an archive is restored into it. */
export const RESTORING = 'restoring_archive';
/** Query that finds a row where an archive is being restored, or where that was interrupted. */
export const HALF_RESTORED = `select 1 from sqlite_schema where name = '${RESTORING}'`;

/** Timeout for work that no visitor waits for, such as a migration or a build. */
const REQUEST_TIMEOUT_MS = 60_000;

/**
 * Opens a SQLite file, `:memory:` or a libSQL server. Never imported by a function. An embedded database gets
 * one connection, because its driver is synchronous and a pragma applies to one connection only.
 */
export async function openDb(url: string, authToken?: string): Promise<Db> {
	const path = filePath(url);
	try {
		if (!path && url !== ':memory:') {
			return openServers([[url]], { authToken: authToken ?? '', patience: REQUEST_TIMEOUT_MS });
		}
		if (path) await mkdir(dirname(path), { recursive: true });
		const db = drizzle(path ? openPatiently(url) : createClient({ url, concurrency: 1 }), {
			schema,
		});
		if (path) {
			setOpener(db, () => openPatiently(url));
			await db.run(sql`pragma journal_mode = wal`);
			await db.run(sql`pragma synchronous = normal`);
		}
		await db.run(sql`pragma foreign_keys = on`);
		return db;
	} catch (error) {
		if (path && (await stat(path).catch(() => undefined))?.isDirectory())
			throw new DatabaseError(
				`The database ${url} cannot be opened: this is a folder, and no file.`,
			);
		throw new DatabaseError(`The database ${url} cannot be opened: ${causeMessage(error)}.`);
	}
}

const MIGRATIONS = fileURLToPath(new URL('migrations', import.meta.url));

/** Applies pending migrations: all of them, or those up to one, named by the time at which it was written. */
export async function migrateDb(db: Db, last?: number): Promise<void> {
	await refuseNewer(db);
	try {
		if (last === undefined) await migrate(db, { migrationsFolder: MIGRATIONS });
		else await withMigrations(last, (migrationsFolder) => migrate(db, { migrationsFolder }));
	} catch (error) {
		const message = `The database cannot be brought up to date: ${causeMessage(error)}.`;
		throw new DatabaseError(message, { cause: error });
	}
}

/** Throws if a newer release has changed the schema: what this one asks for may be gone. */
export async function refuseNewer(db: Db): Promise<void> {
	const [table] = await db.values<[number]>(
		sql`select 1 from sqlite_schema where name = '__drizzle_migrations'`,
	);
	if (!table) return;
	const [last] = await db.values<[number]>(sql`select max(created_at) from __drizzle_migrations`);
	if (!last || Number(last[0]) <= (await readJournal()).entries.at(-1)!.when) return;
	throw new DatabaseError(
		'The database is that of a newer release, whose schema this one does not know: start that release again, or restore a backup that was made before the upgrade.',
	);
}

type Journal = { entries: { tag: string; when: number }[] };

/** Returns the list of all migrations. */
export async function readJournal(): Promise<Journal> {
	return JSON.parse(await readFile(join(MIGRATIONS, 'meta/_journal.json'), 'utf8')) as Journal;
}

/** Gives `work` a folder of the migrations up to one. */
async function withMigrations(last: number, work: (folder: string) => Promise<void>) {
	const journal = await readJournal();
	const entries = journal.entries.filter(({ when }) => when <= last);
	const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
	try {
		await mkdir(join(folder, 'meta'));
		await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }));
		for (const { tag } of entries)
			await copyFile(join(MIGRATIONS, `${tag}.sql`), join(folder, `${tag}.sql`));
		await work(folder);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/**
 * Acquires a lock that one process at a time can hold, in a file of its own. Returns the function that releases
 * it, or undefined if another process holds it. The operating system releases it when the process ends, however
 * that happens.
 */
export async function tryLock(path: string): Promise<(() => void) | undefined> {
	const client = createClient({ url: `file:${path}`, concurrency: 1, timeout: 0 });
	try {
		const transaction = await client.transaction('write');
		return () => {
			// Closing the client alone releases it only once its prepared statements are collected.
			transaction.close();
			client.close();
		};
	} catch (error) {
		client.close();
		if ((error as LibsqlError).code === 'SQLITE_BUSY') return undefined;
		throw error;
	}
}

/**
 * Returns the path of a `file:` URL, or undefined for another URL. Relative paths are relative to the working
 * directory.
 */
export function filePath(url: string): string | undefined {
	if (!url.startsWith('file:')) return undefined;
	return url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length);
}

function causeMessage(error: unknown): string {
	const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
	return (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '');
}
