import type { StoredFile } from './file-store.ts';

/** A file of the site. */
export type SiteFile = StoredFile & {
	/** Milliseconds. The same bytes keep it from build to build. */
	modified: number;
	/** Key of all that it was made from: with the same one it would be the same file. */
	key?: string;
};

type Files = Map<string, SiteFile>;
/** A part of a listing, and its digest where it was stored. */
type Part = { files: Files; digest?: string };

/** How many files a part has, about. */
const PART_SIZE = 100;

/**
 * Every servable file of a build by its path, which starts with a slash. Nothing else is ever served. A listing has parts,
 * which are stored as files are: two builds share those whose files are the same.
 */
export class Listing {
	readonly #parts: Part[];

	private constructor(parts: Part[]) {
		this.#parts = parts;
	}

	/** Makes a listing that shares the parts of an earlier one in which nothing changed. */
	static of(entries: [path: string, file: SiteFile][], earlier?: Listing): Listing {
		const parts = cutByPath(entries, PART_SIZE).map((files): Part => ({ files }));
		const before = earlier && earlier.#parts.length === parts.length ? earlier.#parts : [];
		return new Listing(
			parts.map((part, index) =>
				before[index] && isSame(part, before[index]) ? before[index] : part,
			),
		);
	}

	/**
	 * Returns this listing with these files, which are new or take the place of others. Shares all parts that hold none of them,
	 * and looks at nothing else.
	 */
	with(files: ReadonlyMap<string, SiteFile>): Listing {
		const parts = [...this.#parts];
		for (const [path, file] of files) {
			const index = indexOf(path, parts.length);
			const part = this.#parts[index]!;
			if (part.files.get(path) === file) continue;
			if (parts[index] === part) parts[index] = { files: new Map(part.files) };
			parts[index]!.files.set(path, file);
		}
		const next = new Listing(parts);
		return partsOf(next.size, PART_SIZE) === parts.length ? next : Listing.of([...next]);
	}

	/** Number of files. */
	get size(): number {
		return this.#parts.reduce((sum, { files }) => sum + files.size, 0);
	}

	/** Returns of how many files the path passes a test. */
	count(test: (path: string) => boolean): number {
		let count = 0;
		for (const { files } of this.#parts) for (const path of files.keys()) if (test(path)) count++;
		return count;
	}

	/** Reads a stored listing by the digests of its parts; those that `known` has are taken from it. */
	static async read(
		digests: string[],
		readPart: (digest: string) => Promise<string>,
		known?: Listing,
	): Promise<Listing> {
		const knownParts = new Map(known && known.#parts.map((part) => [part.digest, part]));
		const read = async (digest: string): Promise<Part> =>
			knownParts.get(digest) ?? {
				digest,
				files: new Map(
					Object.entries(JSON.parse(await readPart(digest)) as Record<string, SiteFile>),
				),
			};
		return new Listing(await Promise.all(digests.map(read)));
	}

	/** Stores the parts that are not stored yet. Returns the digests of all. */
	async store(storePart: (text: string) => Promise<string>): Promise<string[]> {
		return Promise.all(
			this.#parts.map(async (part) => {
				part.digest ??= await storePart(
					JSON.stringify(Object.fromEntries([...part.files].sort(([a], [b]) => (a < b ? -1 : 1)))),
				);
				return part.digest;
			}),
		);
	}

	get(path: string): SiteFile | undefined {
		return this.#parts[indexOf(path, this.#parts.length)]?.files.get(path);
	}

	*[Symbol.iterator](): Generator<[path: string, file: SiteFile]> {
		for (const { files } of this.#parts) yield* files;
	}
}

function isSame(one: Part, other: Part): boolean {
	if (one.files.size !== other.files.size) return false;
	for (const [path, file] of one.files) if (other.files.get(path) !== file) return false;
	return true;
}

/**
 * Cuts entries into parts of about this size by their paths: what comes or goes moves no other entry until there are half or
 * twice as many.
 */
export function cutByPath<Value>(
	entries: [path: string, value: Value][],
	size: number,
): Map<string, Value>[] {
	const count = partsOf(entries.length, size);
	const parts = Array.from({ length: count }, () => new Map<string, Value>());
	for (const [path, value] of entries) parts[indexOf(path, count)]!.set(path, value);
	return parts;
}

/** Returns how many parts this many entries are cut into: a power of two. */
function partsOf(count: number, size: number): number {
	return 2 ** Math.max(0, Math.round(Math.log2(count / size)));
}

/** Returns the part that a path is in: FNV-1a, modulo a power of two. */
function indexOf(path: string, count: number): number {
	let hash = 0x811c9dc5;
	for (let at = 0; at < path.length; at++) hash = Math.imul(hash ^ path.charCodeAt(at), 0x01000193);
	return (hash ^ (hash >>> 16)) & (count - 1);
}
