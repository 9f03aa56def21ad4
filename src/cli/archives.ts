/** Writes archives of the whole database as files, and restores them into an empty one. docs/archive.md describes them. */
import { rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import {
	assertKnown,
	lastMigration,
	migrateDb,
	openDb,
	readJournal,
	RESTORING,
} from '#db/local.ts';
import { filePath } from '#db/file-path.ts';
import {
	createFile,
	intoOneFile,
	replaceDatabase,
	sync,
	UNFINISHED,
	type Replaced,
} from '#src/cli/backup.ts';
import { ArchiveError, type Progress } from '#src/features/archive/archive.ts';
import { Archive } from '#src/features/archive/read.server.ts';
import { writeArchive } from '#src/features/archive/write.server.ts';
import { plural } from '#src/lib/text.ts';

type Secret = { value: string; passphrase: string };
type OnProgress = (progress: Progress) => void;

/** Tables that a summary counts, with their names in it. */
const COUNTED = {
	posts: ['post'],
	comments: ['comment'],
	subscribers: ['subscriber'],
	enrollments: ['enrollment'],
	media: ['image'],
} as const;

/** Archives a database into a new file, which has its name when it was looked through. Returns what it contains. */
export async function archiveTo(
	db: Db,
	file: string,
	options: { now: Date; secret?: Secret | undefined; onProgress?: OnProgress },
): Promise<string> {
	if (await stat(file).catch(() => undefined)) throw new ArchiveError(`${file} is there already.`);
	await assertUpToDate(db);
	const unfinished = file + UNFINISHED;
	try {
		await pipeline(writeArchive(db, options), await createFile(unfinished));
		const counts = await inspectArchive(unfinished, options.onProgress);
		await sync(unfinished);
		await rename(unfinished, file);
		return counts;
	} finally {
		await rm(unfinished, { force: true });
	}
}

/** Throws unless the database has all tables and columns that this release knows. */
async function assertUpToDate(db: Db): Promise<void> {
	await assertKnown(db);
	const { entries } = await readJournal();
	if ((await lastMigration(db)) === entries.at(-1)!.when) return;
	throw new ArchiveError(
		'The database is of an earlier release than this program, or empty: npm run db:migrate brings it up to date.',
	);
}

/** Throws unless a file is a whole archive. Returns what it contains. */
export async function inspectArchive(file: string, onProgress?: OnProgress): Promise<string> {
	const archive = await Archive.open(file, onProgress);
	archive.close();
	return countsOf(archive);
}

/** Returns what an archive contains, in words. */
export function countsOf(archive: Archive): string {
	const words = Object.entries(COUNTED).map(([table, [one]]) => plural(archive.count(table), one));
	return words.join(', ');
}

type Options = {
	databaseUrl: string;
	authToken?: string | undefined;
	/** True if an embedded database may be replaced; the old one is kept beside the new one. */
	force: boolean;
	now: Date;
	onProgress?: OnProgress;
};

/**
 * Restores an archive: into a new file, which takes the place of an embedded database in one step, or into a server's empty
 * database. If it fails, the database is as it was.
 */
export async function restoreArchive(
	archive: Archive,
	{ databaseUrl, authToken, force, now, onProgress = () => {} }: Options,
): Promise<Pick<Replaced, 'previousFile' | 'away'>> {
	const { entries } = await readJournal();
	const { schema } = archive.manifest;
	const isBeforeFirst = schema >= EARLIEST_SCHEMA && schema < entries[0]!.when;
	if (!isBeforeFirst && !entries.some(({ when }) => when === schema)) {
		throw new ArchiveError(
			'This archive is of another release of this program, newer than this one.',
		);
	}
	if (filePath(databaseUrl)) {
		return replaceDatabase(databaseUrl, { force, now }, async (next) => {
			const db = await openDb(`file:${next}`);
			try {
				// The file counts only once it is whole and on disk.
				await db.run(sql`pragma synchronous = off`);
				await fill(db, archive, onProgress);
				await intoOneFile(db);
			} finally {
				db.$client.close();
			}
		});
	}
	const db = await openDb(databaseUrl, authToken);
	try {
		await assertEmpty(db);
		await wipe(db);
		try {
			await fill(db, archive, onProgress);
		} catch (error) {
			await wipe(db).catch(() => {});
			throw error;
		}
		return { previousFile: undefined };
	} finally {
		db.$client.close();
	}
}

/** Schema of the first database that was archived. */
const EARLIEST_SCHEMA = 1_795_487_104_728;

/**
 * Fills an empty database, which is marked as half until it is whole. The rows go into the tables that they come from; migrations that were written since then
 * change them as they would have changed the site. Rows from before the first migration go into its tables: until then columns
 * were only added, which have their defaults.
 */
async function fill(db: Db, archive: Archive, onProgress: OnProgress): Promise<void> {
	const { schema, tables, files } = archive.manifest;
	await db.run(sql.raw(`create table ${RESTORING} (since text default current_timestamp)`));
	const { entries } = await readJournal();
	await migrateDb(db, Math.max(schema, entries[0]!.when));
	for (const [table, columns] of Object.entries(tables)) {
		const total = archive.count(table);
		const file = files[table];
		const insert = insertOf(table, columns, { file });
		const insertBytes = insertOf(table, columns, { file, hasBytes: true });
		const indices = total < MANY_ROWS ? [] : await listIndices(db, table);
		let done = 0;
		let sending = Promise.resolve();
		try {
			// Without foreign keys, because rows refer to later ones.
			if (indices.length > 0)
				await db.$client.migrate(indices.map(({ name }) => `drop index "${name}"`));
			for await (const { json, count } of archive.rows(table, { single: file !== undefined })) {
				const bytes = file && (await archive.fileOf(json, file));
				const statement = json.includes(BYTES) ? insertBytes : insert;
				// One at a time, in order; the next is read meanwhile.
				await sending;
				sending = db.$client
					.migrate([{ sql: statement, args: bytes ? [json, bytes] : [json] }])
					.then(() => {
						done += count;
						onProgress({ doing: `Restoring ${table}`, done, total });
					});
				// What it fails with is thrown where it is awaited.
				sending.catch(() => {});
			}
			await sending;
			if (indices.length > 0) await db.$client.migrate(indices.map((index) => index.sql));
		} catch (error) {
			await sending.catch(() => {});
			if (error instanceof ArchiveError || !isRefusal(error)) throw error;
			const reason = (error as Error).message;
			throw new ArchiveError(`Rows of ${table} do not fit into the database: ${reason}.`, {
				cause: error,
			});
		}
		if ((await db.$count(sql.identifier(table) as never)) !== total) {
			throw new ArchiveError(`Not all rows of ${table} could be restored.`);
		}
	}
	await migrateDb(db);
	await db.run(sql.raw(`drop table ${RESTORING}`));
}

/** Rows from which on an index is made faster after them than with them: each piece of rows writes most of its pages anew. */
const MANY_ROWS = 1000;

/** Returns the indices of a table in the order in which they were made, but for those of its keys. */
function listIndices(db: Db, table: string): Promise<{ name: string; sql: string }[]> {
	return db.all(sql`select name, sql from sqlite_schema
		where type = 'index' and tbl_name = ${table} and sql is not null order by rowid`);
}

/** Returns whether the database refused its input, rather than being unreachable. */
const isRefusal = (error: unknown) =>
	error instanceof Error &&
	'code' in error &&
	/^SQLITE_(CONSTRAINT|ERROR|MISMATCH)/.test(String(error.code));

/** Part of rows with bytes where a text or number should be. */
const BYTES = '{"blob":';

/** Returns the statement that stores a list of rows: every value with the type and the digits that it has in JSON. */
function insertOf(
	table: string,
	columns: string[],
	{ file, hasBytes = false }: { file: string | undefined; hasBytes?: boolean },
): string {
	const values = columns.map((column) => {
		const value = `value ->> '$.${column}'`;
		if (column === file) return '?2';
		if (!hasBytes) return value;
		return `iif(json_type(value, '$.${column}') = 'object', unhex(value ->> '$.${column}.blob'), ${value})`;
	});
	return `insert into "${table}" (${columns.map((column) => `"${column}"`).join(', ')})
		select ${values.join(', ')} from json_each(cast(?1 as text))`;
}

/** Throws if anything is stored in a server's database, unless it is what an interrupted restore left. */
async function assertEmpty(db: Db): Promise<void> {
	const tables = await listTables(db);
	if (tables.some(({ name }) => name === RESTORING)) return;
	for (const { name, isVirtual } of tables) {
		if (isVirtual || name.startsWith('__drizzle')) continue;
		const [row] = await db.values(sql`select 1 from ${sql.identifier(name)} limit 1`);
		if (row) {
			throw new ArchiveError(
				`This database is not empty: there are rows in ${name}. An archive is restored into an empty one.`,
			);
		}
	}
}

/** Deletes all tables: there are no rows in them, or those of a restore that did not end. What was begun stays marked to the last. */
async function wipe(db: Db): Promise<void> {
	for (const isVirtual of [true, false]) {
		const tables = (await listTables(db)).filter((table) => table.isVirtual === isVirtual);
		tables.sort((one, other) => Number(one.name === RESTORING) - Number(other.name === RESTORING));
		if (tables.length > 0)
			await db.$client.migrate(
				tables.map(({ name }) => `drop table "${name.replaceAll('"', '""')}"`),
			);
	}
}

/** Returns the tables of a database, without those that belong to its indices and to the server. */
async function listTables(db: Db): Promise<{ name: string; isVirtual: boolean }[]> {
	const rows = await db.all<{ name: string; sql: string }>(
		sql`select name, sql from sqlite_schema where type = 'table' and name not glob 'sqlite_*' and name not glob 'libsql_*'`,
	);
	const virtual = rows.filter((row) => /^create virtual/i.test(row.sql)).map(({ name }) => name);
	return rows
		.filter(({ name }) => !virtual.some((index) => name.startsWith(`${index}_`)))
		.map(({ name }) => ({ name, isVirtual: virtual.includes(name) }));
}
