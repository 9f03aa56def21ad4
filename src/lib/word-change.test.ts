import { expect, test } from 'vitest';
import { wordChange } from './word-change.ts';

test.each([
	['', '<p>One two</p><p>three</p>', 3, 0],
	['<p>One two</p>', '', 0, 2],
	['<p>a b</p><p>c</p>', '<p>c</p><p class="x > y">a b</p>', 0, 0],
	['a a b', 'a c', 1, 2],
	['constructor', 'constructor __proto__', 1, 0],
])('from %j to %j: %i added, %i removed', (earlier, later, added, removed) => {
	expect(wordChange(earlier, later)).toEqual({ added, removed });
});
