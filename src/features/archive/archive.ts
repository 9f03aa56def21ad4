import * as z from 'zod/mini';
import { byteSize } from '#src/lib/text.ts';

/** Name of the format, by which an archive is told from other zip files. */
export const FORMAT = 'groundtruth archive';
/** Version of the format. Raised when an older program could not read what is written; older versions stay readable. */
export const VERSION = 1;

/** The first file of an archive. */
export const MANIFEST = 'archive.json';
/** The last file of an archive: what the others must be. */
export const CONTENTS = 'contents.json';
/** The site's secret, sealed with a passphrase. */
export const SECRET_FILE = 'secret.sealed';

/** Names that go into SQL and into the names of files. */
const name = z.string().check(z.regex(/^[a-z][a-z0-9_]*$/));

export const manifest = z.object({
	format: z.literal(FORMAT),
	version: z.int().check(z.gte(1)),
	/** When it was made. Nothing else differs between archives of the same rows. */
	madeAt: z.iso.datetime(),
	/** The last migration of the database, by the time at which it was written: `when` of db/migrations/meta/_journal.json. */
	schema: z.int(),
	/** Columns of each table. */
	tables: z.record(name, z.array(name)),
	/** By table, the column whose values are files of their own. */
	files: z.record(name, name),
});
export type Manifest = z.infer<typeof manifest>;

const file = z.object({
	/** Rows of a table's file. */
	rows: z.optional(z.int().check(z.gte(0))),
	bytes: z.int().check(z.gte(0)),
	sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});

export const contents = z.object({ files: z.record(z.string(), file) });
export type Contents = z.infer<typeof contents>;

export const rowsFile = (table: string) => `tables/${table}.jsonl`;

/**
 * Bytes of a row, which is read at once. The largest that the program makes is an imported article of 6 MB, of which JSON may
 * escape every sign.
 */
const MAX_ROW_BYTES = 16 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Counts the rows of a table's file, of which it is given part after part. Throws an `ArchiveError` at one that is too long. */
export class RowCounter {
	count = 0;
	/** Bytes of the row that has not ended. */
	#open = 0;
	readonly #file: string;

	constructor(file: string) {
		this.#file = file;
	}

	add(part: Uint8Array): void {
		for (let start = 0; start < part.length;) {
			const end = part.indexOf(NEWLINE, start);
			this.#open += (end < 0 ? part.length : end) - start;
			if (this.#open > MAX_ROW_BYTES)
				throw new ArchiveError(
					`Row ${this.count + 1} of ${this.#file} has more than ${byteSize(MAX_ROW_BYTES)}, which is more than an archive may have.`,
				);
			if (end < 0) return;
			this.count++;
			this.#open = 0;
			start = end + 1;
		}
	}
}

export type Progress = { doing: string; done?: number; total?: number };

/** A file that is no archive, or no whole one. Its message is one sentence for a person. */
export class ArchiveError extends Error {
	override name = 'ArchiveError';
}
