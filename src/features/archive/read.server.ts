import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { unseal } from '#src/lib/sealed.ts';
import {
	ArchiveError,
	CONTENTS,
	contents as contentsSchema,
	MANIFEST,
	manifest as manifestSchema,
	RowCounter,
	rowsFile,
	SECRET_FILE,
	VERSION,
	type Contents,
	type Manifest,
	type Progress,
} from './archive.ts';

/** Bytes of rows given on in one go, about. */
const CHUNK_BYTES = 1024 * 1024;
/** Largest file that is read into memory at once. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 0x0a;
const COMMA = 0x2c;

/** Some rows of a table: a list in JSON, exactly as they are in the archive. */
export type Rows = { json: Buffer; count: number };

/** An archive that was looked through from its first byte to its last. */
export class Archive {
	readonly manifest: Manifest;
	readonly contents: Contents;
	readonly #path: string;
	readonly #zip: ZipFile;
	readonly #entries: ReadonlyMap<string, Entry>;

	private constructor(
		path: string,
		zip: ZipFile,
		entries: ReadonlyMap<string, Entry>,
		head: { manifest: Manifest; contents: Contents },
	) {
		this.#path = path;
		this.#zip = zip;
		this.#entries = entries;
		this.manifest = head.manifest;
		this.contents = head.contents;
	}

	/** Opens a file. Throws an `ArchiveError` unless it is an archive of this program and every byte is as it was written. */
	static async open(
		path: string,
		onProgress: (progress: Progress) => void = () => {},
	): Promise<Archive> {
		const zip = await openZip(path);
		try {
			const entries = await readDirectory(zip, path);
			const archive = new Archive(path, zip, entries, await readHead(zip, entries, path));
			await archive.#check(onProgress);
			return archive;
		} catch (error) {
			zip.close();
			throw error instanceof ArchiveError ? error : damaged(path, error);
		}
	}

	close(): void {
		this.#zip.close();
	}

	/** Returns how many rows the archive has of a table. */
	count(table: string): number {
		return this.contents.files[rowsFile(table)]!.rows ?? 0;
	}

	/** Returns the rows of a table, in order; one at a time if `single`. */
	async *rows(table: string, { single = false } = {}): AsyncGenerator<Rows> {
		const least = single ? 1 : CHUNK_BYTES;
		let parts: Buffer[] = [];
		let [size, wanted] = [0, least];
		for await (const part of await this.#stream(rowsFile(table))) {
			parts.push(part as Buffer);
			size += (part as Buffer).length;
			if (size < wanted) continue;
			const held = Buffer.concat(parts);
			const end = held.lastIndexOf(NEWLINE) + 1;
			yield* listsOf(held.subarray(0, end), single);
			parts = [held.subarray(end)];
			size = held.length - end;
			// A row that is longer is put together from ever more, or each part would copy it again.
			wanted = Math.max(least, 2 * size);
		}
		// Every row ends with a line break.
		yield* listsOf(Buffer.concat(parts), single);
	}

	/** Returns the file of a single row. */
	async fileOf(row: Buffer, column: string): Promise<Buffer> {
		const [value] = JSON.parse(row.toString()) as Record<string, { file?: unknown }>[];
		return this.#whole(String(value?.[column]?.file));
	}

	async #whole(name: string): Promise<Buffer> {
		return readWhole(this.#zip, this.#entries.get(name), this.#path);
	}

	/** Returns the site's secret, or undefined if it did not come along. */
	async secret(passphrase: string): Promise<string | undefined> {
		if (!this.hasSecret) return undefined;
		const parts = await Array.fromAsync(unseal([await this.#whole(SECRET_FILE)], passphrase));
		return Buffer.concat(parts).toString();
	}

	get hasSecret(): boolean {
		return this.#entries.has(SECRET_FILE);
	}

	/** Throws unless the files are those that the last one names, each with its length and digest. */
	async #check(onProgress: (progress: Progress) => void): Promise<void> {
		const listed = Object.entries(this.contents.files);
		const expected = [...Object.keys(this.contents.files), CONTENTS].sort();
		const tables = Object.keys(this.manifest.tables).map(rowsFile);
		if (
			expected.join('\n') !== [...this.#entries.keys()].sort().join('\n') ||
			tables.some((name) => this.contents.files[name]?.rows === undefined)
		) {
			throw new ArchiveError(`${this.#path} is damaged: files are missing, or too many.`);
		}
		for (const [index, [name, { bytes, sha256, rows }]] of listed.entries()) {
			onProgress({ doing: 'Looking through the archive', done: index + 1, total: listed.length });
			const hash = createHash('sha256');
			const lines = new RowCounter(`${name} in ${this.#path}`);
			let size = 0;
			for await (const part of await this.#stream(name)) {
				hash.update(part as Buffer);
				size += (part as Buffer).length;
				if (rows !== undefined) lines.add(part as Buffer);
			}
			if (size !== bytes || hash.digest('hex') !== sha256 || lines.count !== (rows ?? 0)) {
				throw new ArchiveError(`${this.#path} is damaged: ${name} is not what was written.`);
			}
		}
	}

	#stream(name: string) {
		return openEntry(this.#zip, this.#entries.get(name), this.#path);
	}
}

async function openZip(path: string): Promise<ZipFile> {
	try {
		return await openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true });
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === 'ENOENT') throw new ArchiveError(`There is no file ${path}.`);
		if (code) throw new ArchiveError(`${path} cannot be read: ${(error as Error).message}.`);
		throw new ArchiveError(`${path} is no archive of this program, or cut off before its end.`);
	}
}

async function readDirectory(zip: ZipFile, path: string): Promise<Map<string, Entry>> {
	const entries = new Map<string, Entry>();
	for await (const entry of zip.eachEntry()) {
		if (entries.has(entry.fileName)) {
			throw new ArchiveError(`${path} is damaged: it has ${entry.fileName} twice.`);
		}
		entries.set(entry.fileName, entry);
	}
	return entries;
}

/** Reads what the first and the last file say. */
async function readHead(zip: ZipFile, entries: ReadonlyMap<string, Entry>, path: string) {
	if (!entries.has(MANIFEST)) {
		throw new ArchiveError(
			`${path} is a zip file, but no whole archive of this program. What “Export everything” made is imported under Settings.`,
		);
	}
	const said = parse((await readWhole(zip, entries.get(MANIFEST), path)).toString());
	const version = (said as { version?: unknown } | undefined)?.version;
	if (typeof version === 'number' && version > VERSION) {
		throw new ArchiveError(
			`${path} has version ${version} of the format: a newer release of this program reads it.`,
		);
	}
	const manifest = manifestSchema.safeParse(said);
	const last = await readWhole(zip, entries.get(CONTENTS), path);
	const contents = contentsSchema.safeParse(parse(last.toString()));
	if (!manifest.success || !contents.success) {
		throw new ArchiveError(`${path} is no archive of this program, or damaged.`);
	}
	// All others are checked by what this one says.
	if (crc32(last) !== entries.get(CONTENTS)!.crc32) throw damaged(path);
	return { manifest: manifest.data, contents: contents.data };
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

async function readWhole(zip: ZipFile, entry: Entry | undefined, path: string): Promise<Buffer> {
	if (entry && entry.uncompressedSize > MAX_FILE_BYTES) throw damaged(path);
	const parts = [];
	for await (const part of await openEntry(zip, entry, path)) parts.push(part as Buffer);
	return Buffer.concat(parts);
}

async function openEntry(zip: ZipFile, entry: Entry | undefined, path: string) {
	if (!entry) throw damaged(path);
	return zip.openReadStreamPromise(entry);
}

const damaged = (path: string, cause?: unknown) =>
	new ArchiveError(`${path} is damaged or cut off.`, { cause });

/** Returns lines as one list, or as a list each. */
function* listsOf(lines: Buffer, single: boolean): Generator<Rows> {
	for (let start = 0; start < lines.length;) {
		const end = single ? lines.indexOf(NEWLINE, start) : lines.length - 1;
		yield asList(lines.subarray(start, end));
		start = end + 1;
	}
}

/** Returns lines of JSON as a list: rows have no line breaks of their own. */
function asList(lines: Buffer): Rows {
	const json = Buffer.concat([Buffer.from('['), lines, Buffer.from(']')]);
	let found = 1;
	for (let at = json.indexOf(NEWLINE); at >= 0; at = json.indexOf(NEWLINE, at)) {
		json[at] = COMMA;
		found++;
	}
	return { json, count: found };
}
