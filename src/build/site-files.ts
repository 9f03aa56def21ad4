import { createHash } from 'node:crypto';
import { copyFile, link, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** One file of a build. Its compressed versions `.br` and `.gz` are not files of their own. */
export type SiteFile = {
	/** Digest of its bytes. The same bytes keep `modified` from build to build. */
	hash: string;
	size: number;
	/** Milliseconds. */
	modified: number;
	/** Sizes of its compressed versions. */
	br?: number;
	gz?: number;
};

/** Every servable file of a build by its path, which starts with a slash. Nothing else is ever served. */
export type SiteFiles = Record<string, SiteFile>;

const COMPRESSIBLE = new Set(
	'.html .css .js .mjs .json .csv .xml .txt .md .svg .webmanifest .map .ico .wasm'.split(' '),
);
const ENCODINGS = ['.br', '.gz'];
/** Compression gains nothing for smaller files. */
const MIN_COMPRESSED_BYTES = 1024;
const DEFAULT_QUALITY = 5;
/** Makes a page a seventh smaller but takes twenty times as long. */
const PAGE_QUALITY = 10;
/** How many pages get that quality: in a full build, and in an update that somebody waits for. */
export const HIGH_QUALITY_PAGES = { whole: 300, update: 20 };
/** Scripts, styles and fonts, with digests in their names. */
const ASSETS = '/_astro/';
/** Hashed assets live long, so their single compression may be slow, but for large ones, which would take half a minute. */
const ASSET_QUALITY = 11;
const LARGE_BYTES = 1e6;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

type Options = {
	/** The build before, whose compressed versions of unchanged files are linked. */
	earlier?: { dir: string; files: SiteFiles } | undefined;
	/** Whether a file is linked from the build before, so that it need not be looked at. */
	isLinked?: (path: string) => boolean;
	/** Folder of compressed versions of files with a digest in their name, which all builds with this code share. */
	compressed?: string;
	/** How many pages are compressed as well as can be. */
	finePages?: number | undefined;
};

/**
 * Lists a build's files and writes `.br` and `.gz` versions of those that gain from it. Skips dot files, except
 * `.well-known`, and symbolic links.
 */
export async function prepareFiles(
	dir: string,
	{
		earlier,
		isLinked = () => false,
		compressed,
		finePages = HIGH_QUALITY_PAGES.whole,
	}: Options = {},
): Promise<SiteFiles> {
	const paths = await pathsOf(dir);
	const files: SiteFiles = {};
	const work = paths.values();
	let highQualityLeft = finePages;
	if (compressed) await mkdir(join(compressed, ASSETS), { recursive: true });
	const worker = async () => {
		for (const path of work) files[path] = await prepareFile(path);
	};
	await Promise.all(Array.from({ length: cpus().length * 4 }, worker));
	return files;

	async function prepareFile(path: string): Promise<SiteFile> {
		const previous = earlier?.files[path];
		if (
			earlier &&
			previous &&
			(isLinked(path) || (await isSameFile(join(earlier.dir, path), join(dir, path)))) &&
			(await linkEncodings(path, previous, earlier.dir))
		) {
			return previous;
		}
		const bytes = await readFile(join(dir, path));
		const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
		if (earlier && previous?.hash === hash && (await linkEncodings(path, previous, earlier.dir)))
			return previous;
		const { mtimeMs } = await stat(join(dir, path));
		const file: SiteFile = { hash, size: bytes.length, modified: Math.floor(mtimeMs) };
		if (bytes.length < MIN_COMPRESSED_BYTES || !COMPRESSIBLE.has(extname(path))) return file;
		const store = compressed && path.startsWith(ASSETS) ? join(compressed, path) : undefined;
		if (store && (await linkStored(store, path, file))) return file;
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
		if (br.length < bytes.length) {
			await writeFile(join(dir, `${path}.br`), br);
			file.br = br.length;
		}
		if (gz.length < bytes.length) {
			await writeFile(join(dir, `${path}.gz`), gz);
			file.gz = gz.length;
		}
		// Of two builds that store the same at the same time, the first one does.
		for (const ending of store ? ENCODINGS : []) {
			await link(join(dir, path) + ending, store + ending).catch(() => {});
		}
		return file;
	}

	/** Links the compressed versions of a stored file, if both are there. */
	async function linkStored(store: string, path: string, file: SiteFile): Promise<boolean> {
		const [br, gz] = await Promise.all(
			ENCODINGS.map((ending) => stat(store + ending).catch(() => undefined)),
		);
		if (!br || !gz) return false;
		for (const ending of ENCODINGS) await linkOrCopy(store + ending, join(dir, path) + ending);
		Object.assign(file, { br: br.size, gz: gz.size });
		return true;
	}

	/** Returns whether the earlier build still had every compressed version. */
	async function linkEncodings(path: string, known: SiteFile, from: string): Promise<boolean> {
		try {
			if (known.br) await linkOrCopy(join(from, `${path}.br`), join(dir, `${path}.br`));
			if (known.gz) await linkOrCopy(join(from, `${path}.gz`), join(dir, `${path}.gz`));
			return true;
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
			// The next write must not change the earlier build's file through a hard link.
			await rm(join(dir, `${path}.br`), { force: true });
			return false;
		}
	}
}

/** Returns whether both are hard links to one file, so that nothing needs to be read. */
async function isSameFile(file: string, other: string): Promise<boolean> {
	const [before, after] = await Promise.all(
		[file, other].map((path) => stat(path).catch(() => null)),
	);
	return before != null && before.ino === after?.ino && before.dev === after.dev;
}

/** Links a file; file systems without hard links get a copy. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
	await link(from, to).catch(() => copyFile(from, to));
}

async function pathsOf(dir: string): Promise<string[]> {
	const entries = await readdir(dir, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => `/${relative(dir, join(parentPath, name)).split(sep).join('/')}`)
		.filter((path) => !/\/\.(?!well-known\/)|\.(br|gz)$|^\/_(headers|redirects)$/.test(path));
}
