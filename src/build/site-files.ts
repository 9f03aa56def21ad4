import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isPacked, linkOrCopy, type FileStore, type StoredFile } from './file-store.ts';
import { Listing, type SiteFile } from './listing.ts';

/** Cache keys of pages by file; null for a page that has none and is rendered each time. */
export type PageKeys = Map<string, string | null>;

/** A file of the site that is kept elsewhere; with the same key it is the same file. */
export type KeptFile = { path: string; file: string; key: string };

/** Output of a build, before it is stored. */
export type BuildOutput = {
	/** Folder of what was made anew. */
	dir: string;
	/** Keys of the pages in it. */
	keys?: PageKeys;
	/** Pages that are stored already, by path. */
	stored?: ReadonlyMap<string, StoredFile>;
	/** Pages that are those of the build before, by path. */
	reused?: ReadonlyMap<string, SiteFile>;
	kept?: readonly KeptFile[];
	/** Paths of the build before that this one has no more, where they are known: then all that is named nowhere here stays. */
	gone?: Iterable<string> | undefined;
};

type Options = {
	/** The build before. */
	earlier?: Listing | undefined;
	/** Tells whether a file of the build before is still there. */
	isStored?: ((file: SiteFile) => boolean) | undefined;
};

/** Rules for the host, which are no files of the site. */
const RULES = ['_redirects', '_headers'];

/** Returns the path in the site of a file, or undefined for one that is never served: dot files, except `.well-known`, and rules. */
export function servedPath(name: string): string | undefined {
	const path = `/${name}`;
	return /\/\.(?!well-known\/)/.test(path) || RULES.includes(name) ? undefined : path;
}

/**
 * Returns a function that takes a file of the build before if its key is this one, one that returns its key there if the file
 * differs in names alone that many pages show, and the files that were taken, by path.
 */
export function reuseFrom({ earlier, isStored = () => true }: Options): {
	reuse: (path: string, key: string) => boolean;
	formerKey: (path: string, key: string) => string | undefined;
	reused: ReadonlyMap<string, SiteFile>;
} {
	const reused = new Map<string, SiteFile>();
	const reuse = (path: string, key: string) => {
		const known = earlier?.get(path);
		if (known?.key !== key || !isStored(known)) return false;
		reused.set(path, known);
		return true;
	};
	const own = (key: string) => key.slice(0, key.indexOf('.'));
	const formerKey = (path: string, key: string) => {
		const former = earlier?.get(path)?.key;
		return former && own(former) === own(key) ? former : undefined;
	};
	return { reuse, formerKey, reused };
}

/** Stores what a build has made and lists all of the site. Skips symbolic links; throws where a page was not built. */
export async function storeFiles(
	add: Awaited<ReturnType<FileStore['open']>>,
	{
		dir,
		keys = new Map<string, string>(),
		stored = new Map<string, StoredFile>(),
		reused = new Map<string, SiteFile>(),
		kept = [],
		gone,
	}: BuildOutput,
	{ earlier, isStored }: Options = {},
): Promise<Listing> {
	const { reuse, reused: same } = reuseFrom({ earlier, isStored });
	const work: [path: string, file: string, key: string | undefined][] = [];
	for (const { path, file, key } of kept) if (!reuse(path, key)) work.push([path, file, key]);
	const made = new Set(await filesIn(dir));
	for (const name of made) {
		const path = servedPath(name);
		if (path !== undefined) work.push([path, join(dir, name), keys.get(name) ?? undefined]);
	}
	for (const name of keys.keys()) {
		if (!made.has(name) && !stored.has(`/${name}`))
			throw new Error(`The page ${name} was not built.`);
	}
	const now = new Map<string, SiteFile>();
	const list = async (path: string, file: StoredFile, key: string | undefined, from?: string) => {
		const known = earlier?.get(path);
		const written = async () => (from ? Math.floor((await stat(from)).mtimeMs) : Date.now());
		const modified = known?.hash === file.hash ? known.modified : await written();
		const listed = { ...file, modified, ...(key !== undefined && { key }) };
		// The same object where nothing changed, so that its part of the listing is seen to be the same.
		now.set(path, isDeepStrictEqual(known, listed) ? known! : listed);
	};
	for (const [path, file] of stored) await list(path, file, keys.get(path.slice(1)) ?? undefined);
	const left = work.values();
	const worker = async () => {
		for (const [path, file, key] of left) await list(path, await add(path, file), key, file);
	};
	await Promise.all(Array.from({ length: cpus().length * 2 }, worker));
	const before = earlier ?? Listing.of([]);
	const missing = () =>
		[...before].flatMap(([path]) =>
			reused.has(path) || same.has(path) || now.has(path) ? [] : path,
		);
	return before.with(now, gone ?? missing());
}

/** Lays a site out in a folder, with the compressed versions of its files if there are any. */
export async function layOut(listing: Listing, store: FileStore, dir: string): Promise<void> {
	const entries = [...listing];
	for (const folder of new Set(entries.map(([path]) => dirname(path)))) {
		await mkdir(join(dir, folder), { recursive: true });
	}
	for (const [path, file] of entries) {
		const [from, to] = [store.path(file), join(dir, path)];
		if (isPacked(file)) await writeFile(to, await store.read(file));
		else await linkOrCopy(from, to);
		if (file.br) await linkOrCopy(`${from}.br`, `${to}.br`);
		if (file.gz) await linkOrCopy(`${from}.gz`, `${to}.gz`);
	}
}

/** Places the host's rules, if there are any, from one folder in another. */
export async function placeRules(from: string, to: string): Promise<void> {
	const names = await readdir(from);
	for (const name of RULES) {
		if (names.includes(name)) await linkOrCopy(join(from, name), join(to, name));
	}
}

/** Returns the names of all files below a folder, with slashes. */
export async function filesIn(dir: string): Promise<string[]> {
	const entries = await readdir(dir, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => relative(dir, join(parentPath, name)).split(sep).join('/'));
}
