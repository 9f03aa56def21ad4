/** Returns whether two lists hold the same items, in the same order. */
export function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
	if (one.length !== other.length) return false;
	// As a loop: lists of all articles are compared.
	for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
	return true;
}

/** Returns from where on a list differs from an earlier one, and where both go on alike to their ends. */
export function changedRange(
	before: readonly unknown[],
	now: readonly unknown[],
): { start: number; end: number } {
	const most = Math.min(before.length, now.length);
	let start = 0;
	while (start < most && before[start] === now[start]) start++;
	let same = 0;
	while (same < most - start && before.at(-1 - same) === now.at(-1 - same)) same++;
	return { start, end: now.length - same };
}

/** Returns the first items of a list, up to `start`, then others, then so many of its last ones. */
export function replaceRange<Item>(
	list: readonly Item[],
	start: number,
	others: readonly Item[],
	rest: number,
): Item[] {
	return list.slice(0, start).concat(others, list.slice(list.length - rest));
}

/** How far two lists are searched for the place from which they go on alike. */
const LOOK_AHEAD = 100;

/** Returns which items came and which went from one list to another; those that both have are the same objects. */
export function compareLists<Item>(
	before: readonly Item[],
	now: readonly Item[],
): { added: Item[]; gone: Item[] } {
	// Most of two long lists is alike, and costs next to nothing.
	const old: Item[] = [];
	const current: Item[] = [];
	let [from, to] = [0, 0];
	while (from < before.length && to < now.length) {
		if (before[from] === now[to]) {
			from++;
			to++;
			continue;
		}
		const { left, came } = findAlike(before, from, now, to);
		old.push(...before.slice(from, from + left));
		current.push(...now.slice(to, to + came));
		from += left;
		to += came;
	}
	// The rest of the longer list has no counterpart. Items in both sets have only moved.
	const known = new Set([...old, ...before.slice(from)]);
	const staying = new Set([...current, ...now.slice(to)]);
	return {
		added: [...staying.difference(known)],
		gone: [...known.difference(staying)],
	};
}

/** Returns after how many items of each of two lists they may go on alike: one of each where that is not near. */
function findAlike(
	before: readonly unknown[],
	from: number,
	now: readonly unknown[],
	to: number,
): { left: number; came: number } {
	for (let step = 1; step <= LOOK_AHEAD; step++) {
		if (before[from + step] === now[to + step]) return { left: step, came: step };
		if (before[from] === now[to + step]) return { left: 0, came: step };
		if (before[from + step] === now[to]) return { left: step, came: 0 };
	}
	return { left: 1, came: 1 };
}

/** Maps lists, each by what was made of the one before: what both have alike, in the same order, is not made again. */
export class ListMap<Item, Made> {
	#items: readonly Item[] = [];
	#made: readonly Made[] = [];

	map(items: readonly Item[], make: (item: Item, at: number) => Made): readonly Made[] {
		const before = this.#items;
		const made: Made[] = [];
		for (let from = 0, to = 0; to < items.length;) {
			if (before[from] === items[to] && from < before.length) {
				made.push(this.#made[from++]!);
				to++;
				continue;
			}
			const { left, came } = findAlike(before, from, items, to);
			for (const end = Math.min(to + came, items.length); to < end; to++)
				made.push(make(items[to]!, to));
			from += left;
		}
		this.#items = items;
		this.#made = made;
		return made;
	}
}

/** Adds an item to the list of a key, which begins with it where there was none. */
export function addToList<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
	const list = map.get(key);
	if (list) list.push(item);
	else map.set(key, [item]);
}
