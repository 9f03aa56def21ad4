import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { sql, type SQL } from 'drizzle-orm';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { ZipFile } from 'yazl';
import { withSnapshot, type Db, type Snapshot } from '#db/client.ts';
import { seal } from '#src/lib/sealed.ts';
import {
	CONTENTS,
	FORMAT,
	MANIFEST,
	RowCounter,
	rowsFile,
	SECRET_FILE,
	VERSION,
	type Contents,
	type Manifest,
	type Progress,
} from './archive.ts';
import { ARCHIVED, type ArchivedTable } from './tables.server.ts';

/** Bytes of rows read in one go, about: an embedded database blocks its process meanwhile. */
const CHUNK_BYTES = 128 * 1024;
const MAX_ROWS = 2000;
/** Every file has this time, so that archives of the same rows are the same. */
const FILE_TIME = new Date(1980, 0, 1);

type Options = {
	now: Date;
	/** The site's secret and the passphrase that seals it, if it is to come along. */
	secret?: { value: string; passphrase: string } | undefined;
	onProgress?: ((progress: Progress) => void) | undefined;
};

/** Returns an archive of the whole database as it is at one moment, made while it is read. docs/archive.md describes it. */
export function writeArchive(db: Db, options: Options): Readable {
	const zip = new ZipFile();
	const output = zip.outputStream as Readable;
	withSnapshot(db, (snapshot) => fill(zip, snapshot, options)).catch((error: unknown) =>
		output.destroy(error as Error),
	);
	return output;
}

async function fill(
	zip: ZipFile,
	snapshot: Snapshot,
	{ now, secret, onProgress = () => {} }: Options,
): Promise<void> {
	const files: Contents['files'] = {};

	/** Adds a file and waits until it is packed. */
	async function add(
		name: string,
		parts: AsyncIterable<Uint8Array>,
		{ rows, compress = true }: { rows?: () => number; compress?: boolean } = {},
	) {
		const hash = createHash('sha256');
		let bytes = 0;
		async function* counted() {
			for await (const part of parts) {
				hash.update(part);
				bytes += part.length;
				yield part;
			}
		}
		await pack(zip, name, compress, Readable.from(counted(), { objectMode: false }));
		files[name] = { ...(rows && { rows: rows() }), bytes, sha256: hash.digest('hex') };
	}

	const text = (value: object) => only(Buffer.from(`${JSON.stringify(value, null, '\t')}\n`));
	const header: Manifest = {
		format: FORMAT,
		version: VERSION,
		madeAt: now.toISOString(),
		schema: await schemaOf(snapshot),
		tables: Object.fromEntries(
			ARCHIVED.map(({ name, columns }) => [name, columns.map((column) => column.name)]),
		),
		files: Object.fromEntries(
			ARCHIVED.flatMap(({ name, columns }) =>
				columns.filter(({ isFile }) => isFile).map((column) => [name, column.name]),
			),
		),
	};
	await add(MANIFEST, text(header));
	for (const table of ARCHIVED) {
		const total = await countRows(snapshot, table);
		let done = 0;
		const doing = `Archiving ${table.name}`;
		const rows = readRows(snapshot, table, (count) => {
			done += count;
			onProgress({ doing, done, total });
		});
		await add(rowsFile(table.name), rows, { rows: () => done });
		// Images are packed already.
		for await (const { name, bytes } of readFiles(snapshot, table))
			await add(name, only(bytes), { compress: false });
	}
	if (secret) {
		await add(SECRET_FILE, seal([Buffer.from(secret.value)], secret.passphrase));
	}
	await add(CONTENTS, text({ files: { ...files } }));
	zip.end();
}

/**
 * Packs a stream into a zip file. The zip keeps the function that gives it the stream to its end, and with it all that the
 * function can see: here, nothing of the stream.
 */
function pack(zip: ZipFile, name: string, compress: boolean, packed: Readable): Promise<void> {
	let stream: Readable | undefined = packed;
	const output = zip.outputStream as Readable;
	const options = { mtime: FILE_TIME, compress, forceDosTimestamp: true };
	zip.addReadStreamLazy(name, options, (give) => {
		give(null, stream!);
		stream = undefined;
	});
	return ended(packed, output);
}

/** Waits until a stream was read, or whoever reads the archive is gone. */
function ended(stream: Readable, output: Readable): Promise<void> {
	return new Promise((done, fail) => {
		const leave = () => stream.destroy(new Error('The archive was not read to its end.'));
		output.once('close', leave);
		stream
			.once('end', () => {
				output.off('close', leave);
				done();
			})
			.once('error', fail);
	});
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}

/** Returns the rows of a table as lines of JSON, made by the database itself, in the order in which they were stored. */
async function* readRows(
	snapshot: Snapshot,
	table: ArchivedTable,
	onRows: (count: number) => void,
): AsyncGenerator<Buffer> {
	const rows = new RowCounter(`the table ${table.name}`);
	let [limit, done, last] = [20, 0, Number.MIN_SAFE_INTEGER];
	for (;;) {
		const members = table.columns.map(({ name, isFile }) => {
			const value = isFile
				? sql`json_object('file', ${fileOf(table, '')} || (cast(${done} as integer) + row_number() over (order by rowid)))`
				: jsonOf(name);
			return sql`${sql.raw(`'${name}'`)}, ${value}`;
		});
		const [row] = await query(
			snapshot,
			sql`select count(*), max(number), cast(group_concat(line, '') as blob) from (
				select rowid as number, json_object(${sql.join(members, sql`, `)}) || char(10) as line
				from ${sql.identifier(table.name)}
				where rowid > ${last} and ${table.where ?? sql`true`} order by rowid limit ${limit})`,
		);
		const count = Number(row![0]);
		if (count === 0) return;
		const part = Buffer.from(row![2] as ArrayBuffer);
		rows.add(part);
		done += count;
		onRows(count);
		yield part;
		last = Number(row![1]);
		limit = Math.ceil(Math.min(MAX_ROWS, 2 * limit, CHUNK_BYTES / (part.length / count)));
	}
}

/** Returns the files of a table's rows, named by their numbers: an id may hold what no name of a file should. */
async function* readFiles(
	snapshot: Snapshot,
	table: ArchivedTable,
): AsyncGenerator<{ name: string; bytes: Uint8Array }> {
	const column = table.columns.find(({ isFile }) => isFile);
	if (!column) return;
	let last = Number.MIN_SAFE_INTEGER;
	for (let number = 1; ; number++) {
		const [row] = await query(
			snapshot,
			sql`select rowid, cast(${sql.identifier(column.name)} as blob) from ${sql.identifier(table.name)}
				where rowid > ${last} and ${table.where ?? sql`true`} order by rowid limit 1`,
		);
		if (!row) return;
		yield { name: fileOf(table, number), bytes: new Uint8Array(row[1] as ArrayBuffer) };
		last = Number(row[0]);
	}
}

const fileOf = ({ name }: ArchivedTable, number: number | '') => `${name}/${number}`;

/** Returns a column as JSON that keeps its type: every digit of a number, and bytes where a text should be. */
function jsonOf(name: string): SQL {
	const column = sql.identifier(name);
	return sql`case typeof(${column})
		when 'real' then json(iif(abs(${column}) <= 1.7976931348623157e308, printf('%!.17g', ${column}), iif(${column} > 0, '9e999', '-9e999')))
		when 'blob' then json_object('blob', hex(${column})) else ${column} end`;
}

async function countRows(snapshot: Snapshot, { name, where }: ArchivedTable): Promise<number> {
	const [row] = await query(
		snapshot,
		sql`select count(*) from ${sql.identifier(name)} where ${where ?? sql`true`}`,
	);
	return Number(row![0]);
}

/** Returns the time of the last migration, which names it. */
async function schemaOf(snapshot: Snapshot): Promise<number> {
	const [row] = await query(snapshot, sql`select max(created_at) from __drizzle_migrations`);
	return Number(row![0]);
}

const dialect = new SQLiteSyncDialect();

async function query(snapshot: Snapshot, statement: SQL): Promise<ArrayLike<unknown>[]> {
	const { sql: text, params } = dialect.sqlToQuery(statement);
	const { rows } = await snapshot.execute({ sql: text, args: params as number[] });
	return rows;
}
