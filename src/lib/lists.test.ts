import { expect, test } from 'vitest';
import { randomBy } from '#tests/support/random.ts';
import { compareLists, ListMap } from './lists.ts';

const items = Array.from({ length: 400 }, (_, name) => ({ name }));

test.each<[what: string, before: number[], now: number[], added: number[], gone: number[]]>([
	['nothing', [], [], [], []],
	['all came', [], [1, 2], [1, 2], []],
	['all went', [1, 2], [], [], [1, 2]],
	['the same', [1, 2, 3], [1, 2, 3], [], []],
	['one in place of another', [1, 2, 3], [1, 4, 3], [4], [2]],
	['the last in place of another', [1, 2], [1, 3], [3], [2]],
	['one at the start', [1, 2, 3], [4, 1, 2, 3], [4], []],
	['one from the middle', [1, 2, 3], [1, 3], [], [2]],
	['one to another place', [1, 2, 3, 4], [2, 3, 1, 4], [], []],
	['two changed places', [1, 2, 3], [3, 2, 1], [], []],
	['one in place of two', [1, 2, 3, 4], [1, 5, 4], [5], [2, 3]],
])('%s', (_, before, now, added, gone) => {
	const itemsOf = (list: number[]) => list.map((name) => items[name]!);
	const found = compareLists(itemsOf(before), itemsOf(now));
	expect([found.added, found.gone]).toEqual([itemsOf(added), itemsOf(gone)]);
});

test('whatever comes, goes and moves is found, near or far', () => {
	for (let seed = 1; seed <= 200; seed++) {
		const random = randomBy(seed);
		const before = items.filter(() => random() < 0.9);
		const now = items.filter(() => random() < 0.9);
		// Long runs come and go as well, and some items move.
		now.splice(Math.floor(random() * 100), seed);
		if (seed % 3 === 0) now.reverse();
		if (seed % 4 === 0) now.push(...now.splice(0, 150));
		const { added, gone } = compareLists(before, now);
		expect(new Set(added)).toEqual(new Set(now).difference(new Set(before)));
		expect(new Set(gone)).toEqual(new Set(before).difference(new Set(now)));
	}
});

test('what two lists have alike is mapped once', () => {
	const lists = new ListMap<{ name: number }, string>();
	let calls = 0;
	for (let seed = 1; seed <= 100; seed++) {
		const random = randomBy(seed);
		const now = items.filter(() => random() < 0.99);
		if (seed % 10 === 0) now.push(...now.splice(0, 20));
		calls = 0;
		const made = lists.map(now, ({ name }) => {
			calls++;
			return `${name}`;
		});
		expect(made).toEqual(now.map(({ name }) => `${name}`));
		if (seed > 1 && seed % 10 > 1) expect(calls).toBeLessThan(60);
	}
	expect(lists.map([], String)).toEqual([]);
	expect(lists.map(items, ({ name }) => `${name}`)).toHaveLength(items.length);
});
