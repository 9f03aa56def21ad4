import { createHash } from 'node:crypto';
import {
	copyFile,
	link,
	mkdir,
	open as openFile,
	readdir,
	readFile,
	rename,
	rm,
	stat,
	writeFile,
} from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib';
import { MINUTE } from '#src/lib/dates.ts';

export type StoredFile = {
	/** Digest of its bytes. */
	hash: string;
	size: number;
	/** Sizes of its compressed versions. */
	br?: number;
	gz?: number;
};

type Sizes = Pick<StoredFile, 'br' | 'gz'>;

const COMPRESSIBLE = new Set(
	'.html .css .js .mjs .json .csv .xml .txt .md .svg .webmanifest .map .ico .wasm'.split(' '),
);
/** Compression gains nothing for smaller files. */
const MIN_COMPRESSED_BYTES = 1024;
const DEFAULT_QUALITY = 5;
/** Makes a page a seventh smaller but takes twenty times as long. */
const PAGE_QUALITY = 10;
/** The page that is opened most, which always gets that quality. */
const HOME = '/index.html';
/** How many others get it: in a build that reads the whole site, and in an update that somebody waits for. */
export const HIGH_QUALITY_PAGES = { whole: 300, update: 20 };
/** Scripts, styles and fonts, with digests in their names. */
const ASSETS = '/_astro/';
/** Hashed assets live long, so their single compression may be slow, but for large ones, which would take half a minute. */
const ASSET_QUALITY = 11;
const LARGE_BYTES = 1e6;
const ENCODINGS = ['br', 'gz'] as const;
/** Ending of a file that is being written. */
const PART = '.part';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
const unzip = promisify<Buffer, Buffer>(gunzip);

/** How long a file may still be read that is only kept compressed from now on. */
const REPLACED_GRACE_MS = MINUTE;

type Options = {
	/** Whether to keep compressed versions. */
	isCompressed?: boolean | undefined;
	/** Folder of compressed versions of files with a digest in their name, which all builds with this code share. */
	compressed?: string;
	/** How many pages are compressed as well as can be. */
	finePages?: number;
};

/** Returns whether only the compressed versions of a file are kept. Whoever takes neither gets it unpacked. */
export function isPacked({ br, gz }: Sizes): boolean {
	return br !== undefined && gz !== undefined;
}

/** Returns the names in the store of what is kept of a file. */
export function namesOf(file: StoredFile): string[] {
	const packed = ENCODINGS.flatMap((encoding) =>
		file[encoding] === undefined ? [] : `${file.hash}.${encoding}`,
	);
	return isPacked(file) ? packed : [file.hash, ...packed];
}

/** Returns how many bytes all of that takes. */
export function bytesOf(file: StoredFile): number {
	const { size, br = 0, gz = 0 } = file;
	return br + gz + (isPacked(file) ? 0 : size);
}

/**
 * Files named by the digest of their bytes: compressed, as `.br` and `.gz`, where both are smaller, else as they are. Each
 * is under another name until it is whole, however a process ends.
 */
export class FileStore {
	readonly #dir: string;

	constructor(dir: string) {
		this.#dir = dir;
	}

	path({ hash }: Pick<StoredFile, 'hash'>): string {
		return join(this.#dir, hash);
	}

	/** Reads a file as it was added. */
	async read(file: StoredFile): Promise<Buffer> {
		return isPacked(file)
			? unzip(await readFile(`${this.path(file)}.gz`))
			: readFile(this.path(file));
	}

	/** Returns a test of whether all that is kept of a file is there, as of now. */
	async contents(): Promise<(file: StoredFile) => boolean> {
		const names = new Set(await readdir(this.#dir).catch(() => []));
		const found = new Set<StoredFile>();
		const find = (file: StoredFile) => namesOf(file).every((name) => names.has(name));
		return (file) => {
			if (found.has(file)) return true;
			if (!find(file)) return false;
			found.add(file);
			return true;
		};
	}

	/** Returns the function that adds files of one build. Only one process may add at a time. */
	async open({
		isCompressed = true,
		compressed,
		finePages = HIGH_QUALITY_PAGES.whole,
	}: Options = {}) {
		await mkdir(this.#dir, { recursive: true });
		if (compressed) await mkdir(join(compressed, ASSETS), { recursive: true });
		let highQualityLeft = finePages;
		const adding = new Map<string, Promise<StoredFile>>();

		const write = async (to: string, bytes: Buffer) => {
			// On the disk before any build names it, or a power cut would leave a site of empty files.
			await writeFile(to + PART, bytes, { flush: true });
			await rename(to + PART, to);
		};

		/** Returns the sizes of what it wrote. */
		const compressTo = async (to: string, path: string, bytes: Buffer): Promise<Sizes> => {
			const shared = compressed && path.startsWith(ASSETS) ? join(compressed, path) : undefined;
			const known = shared ? await sizesOf(shared) : {};
			if (shared && known.br && known.gz) {
				for (const encoding of ENCODINGS)
					await linkOrCopy(`${shared}.${encoding}`, `${to}.${encoding}`);
				return known;
			}
			const quality =
				path.startsWith(ASSETS) && bytes.length < LARGE_BYTES
					? ASSET_QUALITY
					: path === HOME || (path.endsWith('.html') && highQualityLeft-- > 0)
						? PAGE_QUALITY
						: DEFAULT_QUALITY;
			const params = {
				[constants.BROTLI_PARAM_QUALITY]: quality,
				[constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
			};
			const [br, gz] = await Promise.all([brotli(bytes, { params }), gzipped(bytes)]);
			const sizes: Sizes = {};
			for (const [encoding, made] of [['br', br] as const, ['gz', gz] as const]) {
				if (made.length >= bytes.length) continue;
				await write(`${to}.${encoding}`, made);
				sizes[encoding] = made.length;
			}
			// Of two builds that store the same at the same time, the first one does.
			for (const encoding of shared ? ENCODINGS : []) {
				await link(`${to}.${encoding}`, `${shared}.${encoding}`).catch(() => {});
			}
			return sizes;
		};

		const store = async (path: string, bytes: Buffer, hash: string, from?: string) => {
			const to = this.path({ hash });
			const isWorthIt =
				isCompressed && bytes.length >= MIN_COMPRESSED_BYTES && COMPRESSIBLE.has(extname(path));
			const file: StoredFile = { hash, size: bytes.length };
			// What is there may be damaged.
			const isThere = async (as: StoredFile) =>
				(await this.read(as).catch(() => undefined))?.equals(bytes);
			if (isWorthIt) {
				const known = { ...file, ...(await sizesOf(to)) };
				if (isPacked(known) && (await isThere(known))) return known;
				Object.assign(file, await compressTo(to, path, bytes));
				if (isPacked(file)) return file;
			}
			if (await isThere(file)) return file;
			if (from === undefined) await write(to, bytes);
			else {
				await linkOrCopy(from, to);
				await flush(to);
			}
			return file;
		};

		/** Adds the bytes of the file `from`, or these, under the name that they have in the site. */
		return async (path: string, from: string | Buffer): Promise<StoredFile> => {
			const bytes = typeof from === 'string' ? await readFile(from) : from;
			const hash = digestOf(bytes);
			// Two files of the site may have the same bytes.
			const added =
				adding.get(hash) ?? store(path, bytes, hash, typeof from === 'string' ? from : undefined);
			adding.set(hash, added);
			return added;
		};
	}

	/** Removes all but the files of these names, and what was left half-written. Nothing may be added meanwhile. */
	async keepOnly(used: ReadonlySet<string>): Promise<void> {
		const names = await readdir(this.#dir).catch(() => []);
		for (const name of names) {
			if (used.has(name)) continue;
			const path = join(this.#dir, name);
			// A server may still read what a build had uncompressed.
			if (used.has(`${name}.gz`)) {
				const { ctimeMs } = await stat(path);
				if (Date.now() - ctimeMs < REPLACED_GRACE_MS) continue;
			}
			await rm(path, { force: true });
		}
	}
}

export function digestOf(bytes: Buffer): string {
	return createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
}

/** Returns the sizes of a file's compressed versions. */
async function sizesOf(file: string): Promise<Sizes> {
	const sizes = await Promise.all(
		ENCODINGS.map(async (encoding) => {
			const found = await stat(`${file}.${encoding}`).catch(() => undefined);
			return found && [encoding, found.size];
		}),
	);
	return Object.fromEntries(sizes.filter((size) => size !== undefined)) as Sizes;
}

/** Writes what a file holds to the disk, where it may be in memory only. */
async function flush(path: string): Promise<void> {
	const file = await openFile(path);
	try {
		await file.sync();
	} finally {
		await file.close();
	}
}

/** Links a file in one step; file systems without hard links get a copy. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
	await link(from, to).catch(async () => {
		await copyFile(from, to + PART);
		await rename(to + PART, to);
	});
}
