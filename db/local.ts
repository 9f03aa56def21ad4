// First, before the client is loaded.
import './base64.ts';
import './statements.ts';
import { createClient, type LibsqlError } from '@libsql/client';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/libsql';
import { migrate } from 'drizzle-orm/libsql/migrator';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import {
	access,
	constants,
	copyFile,
	mkdir,
	mkdtemp,
	readFile,
	rm,
	stat,
	writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openServers, setOpener, type Db } from './client.ts';
import { filePath } from './file-path.ts';
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
		const refusal = path
			? await access(dirname(path), constants.W_OK).catch(({ code }: NodeJS.ErrnoException) => code)
			: undefined;
		if (refusal === 'EROFS' || refusal === 'EACCES')
			throw new DatabaseError(
				`The database ${url} cannot be opened: SQLite writes beside it, and its folder is read-only for this process (${refusal}).`,
			);
		throw new DatabaseError(`The database ${url} cannot be opened: ${causeMessage(error)}.`);
	}
}

const MIGRATIONS = fileURLToPath(new URL('migrations', import.meta.url));

/** Applies pending migrations: all of them, or those up to one, named by the time at which it was written. */
export async function migrateDb(db: Db, last?: number): Promise<void> {
	await assertKnown(db);
	try {
		if (last === undefined) await migrate(db, { migrationsFolder: MIGRATIONS });
		else await withMigrations(last, (migrationsFolder) => migrate(db, { migrationsFolder }));
	} catch (error) {
		const message = `The database cannot be brought up to date: ${causeMessage(error)}.`;
		throw new DatabaseError(message, { cause: error });
	}
}

/**
 * Throws unless this release knows the schema of a database: that of a newer release may lack what this one asks for, and
 * the migrations from before 1.0.0 are one now. A database that they had brought to where that one leads is taken as it is.
 */
export async function assertKnown(db: Db): Promise<void> {
	const last = await lastMigration(db);
	if (last === undefined) return;
	const migrations = readMigrationFiles({ migrationsFolder: MIGRATIONS });
	if (last > migrations.at(-1)!.folderMillis) {
		throw new DatabaseError(
			'The database is that of a newer release, whose schema this one does not know: start that release again, or restore a backup that was made before the upgrade.',
		);
	}
	const first = migrations[0]!;
	const [{ earlier } = { earlier: 0 }] = await db.all<{ earlier: number }>(
		sql`select count(*) as earlier from __drizzle_migrations where created_at < ${first.folderMillis}`,
	);
	if (earlier === 0) return;
	const stored = new Set(
		(await db.all<{ sql: string }>(sql`select sql from sqlite_schema`)).map((row) => row.sql),
	);
	// SQLite keeps the text of a statement without what stands around it.
	const isSame = first.sql.every((text) => stored.has(text.replace(/^(\s|--.*)+|;\s*$/g, '')));
	if (last < first.folderMillis || !isSame) {
		throw new DatabaseError(
			'The database is from before release 1.0.0: make an archive with the program that wrote it (npm run archive FILE), then restore that with this one (npm run restore-archive FILE).',
		);
	}
	await db.batch([
		db.run(sql`delete from __drizzle_migrations where created_at <= ${first.folderMillis}`),
		db.run(
			sql`insert into __drizzle_migrations (hash, created_at) values (${first.hash}, ${first.folderMillis})`,
		),
	]);
}

/** Returns the time of the last migration that a database has had, which names it; undefined of an empty one. */
export async function lastMigration(db: Db): Promise<number | undefined> {
	const [table] = await db.values(
		sql`select 1 from sqlite_schema where name = '__drizzle_migrations'`,
	);
	if (!table) return undefined;
	const [row] = await db.values<[number | null]>(
		sql`select max(created_at) from __drizzle_migrations`,
	);
	return row?.[0] == null ? undefined : Number(row[0]);
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

function causeMessage(error: unknown): string {
	const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
	return (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '');
}
