/**
 * Values by path, cut into parts of about a size. The part of a path depends on the path alone, so what comes or goes moves no
 * other value until there are half or twice as many.
 */
export class PathParts<Value> {
	readonly all: readonly ReadonlyMap<string, Value>[];
	readonly #size: number;

	/** Takes parts that were cut like this before. */
	constructor(all: readonly ReadonlyMap<string, Value>[], size: number) {
		this.all = all;
		this.#size = size;
	}

	static of<Value>(
		entries: readonly (readonly [path: string, value: Value])[],
		size: number,
	): PathParts<Value> {
		const count = partsOf(entries.length, size);
		const parts = Array.from({ length: count }, () => new Map<string, Value>());
		for (const [path, value] of entries) parts[indexOf(path, count)]!.set(path, value);
		return new PathParts(parts, size);
	}

	get(path: string): Value | undefined {
		return this.all[indexOf(path, this.all.length)]?.get(path);
	}

	/**
	 * Returns these values with others, which are new or take the place of those of their paths, and without those that are
	 * undefined. Shares all parts in which nothing changes, and looks at nothing else.
	 */
	with(values: Iterable<readonly [path: string, value: Value | undefined]>): PathParts<Value> {
		const parts = [...this.all];
		for (const [path, value] of values) {
			const index = indexOf(path, parts.length);
			const [before, now] = [this.all[index]!, parts[index]!];
			if (now.get(path) === value) continue;
			const part = now === before ? new Map(before) : (now as Map<string, Value>);
			if (value === undefined) part.delete(path);
			else part.set(path, value);
			parts[index] = part;
		}
		const size = parts.reduce((sum, part) => sum + part.size, 0);
		return partsOf(size, this.#size) === parts.length
			? new PathParts(parts, this.#size)
			: PathParts.of(
					parts.flatMap((part) => [...part]),
					this.#size,
				);
	}
}

/** Returns how many parts this many values are cut into: a power of two. */
function partsOf(count: number, size: number): number {
	return 2 ** Math.max(0, Math.round(Math.log2(count / size)));
}

/** Returns the part that a path is in: FNV-1a, modulo a power of two. */
function indexOf(path: string, count: number): number {
	let hash = 0x811c9dc5;
	for (let at = 0; at < path.length; at++) hash = Math.imul(hash ^ path.charCodeAt(at), 0x01000193);
	return (hash ^ (hash >>> 16)) & (count - 1);
}
