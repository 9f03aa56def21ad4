import { expect, test } from 'vitest';
import { digest, keyedHash } from './digest.ts';

test('moving text from one part to the next makes another digest', () => {
	const all = [
		digest('ab', 'c'),
		digest('a', 'bc'),
		digest('abc'),
		digest('abc', ''),
		digest('', 'abc'),
		digest(),
	];
	expect(new Set(all).size).toBe(all.length);
	expect(digest('ab', 'c')).toBe(all[0]);
});

test('a keyed hash depends on its key and on every part', () => {
	const all = [
		keyedHash('k', 'a', 'b'),
		keyedHash('k', 'ab'),
		keyedHash('l', 'a', 'b'),
		keyedHash('k', 'b', 'a'),
	];
	expect(new Set(all).size).toBe(all.length);
	expect(keyedHash('k', 'a', 'b')).toBe(all[0]);
});
