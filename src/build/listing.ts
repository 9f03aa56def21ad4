import { isSameList } from '#src/lib/lists.ts';
import type { StoredFile } from './file-store.ts';
import { PathParts } from './path-parts.ts';

export type SiteFile = StoredFile & {
	/** Milliseconds. The same bytes keep it from build to build. */
	modified: number;
	/** Key of all that it was made from: with the same one it would be the same file. */
	key?: string;
};

type Part = ReadonlyMap<string, SiteFile>;

/** How many files a part has, about. */
const PART_SIZE = 100;

/** Digests of the parts that were stored or read. */
const digests = new WeakMap<Part, string>();

/**
 * Every servable file of a build by its path, which starts with a slash. Nothing else is ever served. A listing has parts,
 * which are stored as files are: two builds share those whose files are the same.
 */
export class Listing {
	readonly #files: PathParts<SiteFile>;

	private constructor(files: PathParts<SiteFile>) {
		this.#files = files;
	}

	static of(entries: [path: string, file: SiteFile][]): Listing {
		return new Listing(PathParts.of(entries, PART_SIZE));
	}

	/** Returns this listing with these files, which are new or take the place of others, and without those that are `gone`. */
	with(files: ReadonlyMap<string, SiteFile>, gone: Iterable<string> = []): Listing {
		const without = Array.from(gone, (path) => [path, undefined] as const);
		return new Listing(this.#files.with([...without, ...files]));
	}

	/** Returns of how many files the path passes a test. */
	count(test: (path: string) => boolean): number {
		let count = 0;
		for (const part of this.#files.all) for (const path of part.keys()) if (test(path)) count++;
		return count;
	}

	/**
	 * Reads a stored listing by the digests of its parts; those that `known` has are taken from it. Returns `known` itself where
	 * that is the one.
	 */
	static async read(
		stored: string[],
		readPart: (digest: string) => Promise<string>,
		known?: Listing,
	): Promise<Listing> {
		const before = known ? known.#files.all : [];
		const digestsBefore = before.map((part) => digests.get(part));
		if (known && isSameList(digestsBefore, stored)) return known;
		const knownParts = new Map(before.map((part, at) => [digestsBefore[at], part]));
		const read = async (digest: string): Promise<Part> => {
			const found = knownParts.get(digest);
			if (found) return found;
			const files = JSON.parse(await readPart(digest)) as Record<string, SiteFile>;
			const part = new Map(Object.entries(files));
			digests.set(part, digest);
			return part;
		};
		return new Listing(new PathParts(await Promise.all(stored.map(read)), PART_SIZE));
	}

	/** Stores the parts that are not stored yet. Returns the digests of all. */
	async store(storePart: (text: string) => Promise<string>): Promise<string[]> {
		return Promise.all(
			this.#files.all.map(async (part) => {
				const known = digests.get(part);
				if (known !== undefined) return known;
				const sorted = [...part].sort(([a], [b]) => (a < b ? -1 : 1));
				const digest = await storePart(JSON.stringify(Object.fromEntries(sorted)));
				digests.set(part, digest);
				return digest;
			}),
		);
	}

	get(path: string): SiteFile | undefined {
		return this.#files.get(path);
	}

	*[Symbol.iterator](): Generator<[path: string, file: SiteFile]> {
		for (const part of this.#files.all) yield* part;
	}
}
