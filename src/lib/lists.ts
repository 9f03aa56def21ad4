/** Returns whether two lists hold the same items, in the same order. */
export function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
	return one.length === other.length && one.every((item, at) => item === other[at]);
}

/** Adds an item to the list of a key, which begins with it where there was none. */
export function addToList<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
	const list = map.get(key);
	if (list) list.push(item);
	else map.set(key, [item]);
}
