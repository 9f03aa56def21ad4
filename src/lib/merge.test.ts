import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeLists, mergeValues } from './merge.ts';

const BASE = ['a', 'b', 'c', 'd'];

test.each([
	['neighbors', ['A', 'b', 'c', 'd'], ['a', 'B', 'c', 'd'], ['A', 'B', 'c', 'd']],
	['the same change', ['A', 'b', 'c', 'd'], ['A', 'b', 'c', 'd'], ['A', 'b', 'c', 'd']],
	[
		'an entry before one that is changed',
		['a', 'x', 'b', 'c', 'd'],
		['a', 'B', 'c', 'd'],
		['a', 'x', 'B', 'c', 'd'],
	],
	[
		'an end that goes and a beginning that grows',
		['a', 'b'],
		['x', 'a', 'b', 'c', 'd'],
		['x', 'a', 'b'],
	],
	['a move beside a change', ['d', 'a', 'b', 'c'], ['A', 'b', 'c', 'd'], ['d', 'A', 'b', 'c']],
])('%s: nothing is asked, and nothing is lost', (_, mine, theirs, value) => {
	expect(mergeLists(BASE, mine, theirs)).toEqual({ value, isDisputed: false });
	expect(mergeLists(BASE, theirs, mine)).toEqual({ value, isDisputed: false });
});

test.each([
	['the same entry', ['A', 'b', 'c', 'd'], ['X', 'b', 'c', 'd']],
	['an entry that the other took out', ['b', 'c', 'd'], ['A', 'b', 'c', 'd']],
	['a run within which the other wrote', ['a', 'd'], ['a', 'b', 'x', 'c', 'd']],
	['an entry that both moved', ['d', 'a', 'b', 'c'], ['a', 'd', 'b', 'c']],
])('%s is disputed, and mine has mine', (_, mine, theirs) => {
	expect(mergeLists(BASE, mine, theirs)).toEqual({ value: mine, isDisputed: true });
	expect(mergeLists(BASE, theirs, mine)).toEqual({ value: theirs, isDisputed: true });
});

test('what one side alone changed is in the text also where another place is disputed', () => {
	const base = 'One\n\nTwo\n\nThree';
	expect(mergeValues(base, 'One, mine\n\nTwo\n\nMine', 'One\n\nTwo, theirs\n\nTheirs')).toEqual({
		value: 'One, mine\n\nTwo, theirs\n\nMine',
		isDisputed: true,
	});
});

test('parts of an entry, and entries that both added, are merged', () => {
	const base = [{ question: 'Q', answer: 'A' }];
	const [mine, theirs] = [
		{ question: 'Q, mine', answer: 'A' },
		{ question: 'Q', answer: 'A, theirs' },
	];
	expect(mergeValues(base, [mine], [theirs])).toEqual({
		value: [{ question: 'Q, mine', answer: 'A, theirs' }],
		isDisputed: false,
	});
	expect(mergeValues(['a'], ['a', 'x'], ['a', 'y'])).toEqual({
		value: ['a', 'x', 'y'],
		isDisputed: false,
	});
	expect(mergeValues(['a'], ['a', 'x'], ['x', 'a'])).toEqual({
		value: ['a', 'x'],
		isDisputed: true,
	});
});

test('whatever two sides do, one alone wins and both have their changes or are asked', () => {
	const list = fc.array(fc.constantFrom<string>('a', 'b', 'c', 'd', 'e'), { maxLength: 8 });
	fc.assert(
		fc.property(list, list, list, (base, mine, theirs) => {
			expect(mergeLists(base, mine, base)).toEqual({ value: mine, isDisputed: false });
			expect(mergeLists(base, base, theirs)).toEqual({ value: theirs, isDisputed: false });
			expect(mergeLists(base, mine, mine)).toEqual({ value: mine, isDisputed: false });
			const { value, isDisputed } = mergeLists(base, mine, theirs);
			const added = (side: string[]) => side.filter((entry) => !base.includes(entry));
			if (!isDisputed) {
				expect(value).toEqual(expect.arrayContaining([...added(mine), ...added(theirs)]));
			}
		}),
	);
});
