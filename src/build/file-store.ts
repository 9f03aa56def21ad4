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
import { brotliCompress, constants, gzip } from 'node:zlib';

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
/** How many pages get that quality: in a build that reads the whole site, and in an update that somebody waits for. */
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

type Options = {
	/** Whether to keep compressed versions. */
	isCompressed?: boolean | undefined;
	/** Folder of compressed versions of files with a digest in their name, which all builds with this code share. */
	compressed?: string;
	/** How many pages are compressed as well as can be. */
	finePages?: number;
};

/**
 * Files named by the digest of their bytes, with their compressed versions `.br` and `.gz` beside them. A file is written
 * after its compressed versions and removed before them, so that whichever is there is whole, however a process ends.
 */
export class FileStore {
	readonly #dir: string;

	constructor(dir: string) {
		this.#dir = dir;
	}

	path({ hash }: Pick<StoredFile, 'hash'>): string {
		return join(this.#dir, hash);
	}

	/** Returns a test of whether a file is there with its compressed versions, as of now. */
	async contents(): Promise<(file: StoredFile) => boolean> {
		const names = new Set(await readdir(this.#dir).catch(() => []));
		const found = new Set<StoredFile>();
		const find = (file: StoredFile) =>
			names.has(file.hash) &&
			ENCODINGS.every((encoding) => !file[encoding] || names.has(`${file.hash}.${encoding}`));
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
					: path.endsWith('.html') && highQualityLeft-- > 0
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
			const there = await readFile(to).catch(() => undefined);
			// What is there may be damaged.
			const isThere = there?.equals(bytes);
			// Compressed versions are written first: without the file, those are what a killed process left.
			let sizes = there ? await sizesOf(to) : {};
			if (isWorthIt && !(isThere && sizes.br && sizes.gz))
				sizes = await compressTo(to, path, bytes);
			if (!isThere && from === undefined) await write(to, bytes);
			else if (!isThere) {
				await linkOrCopy(from!, to);
				await flush(to);
			}
			return { hash, size: bytes.length, ...sizes };
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

	/** Removes all other files, and what was left half-written. Nothing may be added meanwhile. */
	async keepOnly(used: ReadonlySet<string>): Promise<void> {
		const names = await readdir(this.#dir).catch(() => []);
		const isUsed = (name: string) => {
			const end = name.indexOf('.');
			return used.has(end < 0 ? name : name.slice(0, end)) && !name.endsWith(PART);
		};
		const unused = names.filter((name) => !isUsed(name));
		// A name without an ending is shorter than the ones of its compressed versions, which follow it.
		for (const name of unused.sort()) await rm(join(this.#dir, name), { force: true });
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
