import { expect, test } from 'vitest';
import { beginning, codeParts } from './code-parts.ts';

test.each([
	['plain\n\ntext', [[false, 'plain\n\ntext']]],
	[
		'Try\n```\nls <b>\n\n  -a\n```\nand see',
		[
			[false, 'Try'],
			[true, 'ls <b>\n\n  -a'],
			[false, 'and see'],
		],
	],
	['```python\nprint(1)\n```', [[true, 'print(1)']]],
	['```\n```', [[true, '']].slice(1)],
	['``` is a fence', [[false, '``` is a fence']]],
	['```\nnever closed', [[false, '```\nnever closed']]],
	['a ```b``` c', [[false, 'a ```b``` c']]],
])('%j is split into text and code', (content, parts) => {
	expect(codeParts(content).map(({ isCode, text }) => [isCode, text])).toEqual(parts);
});

test('a text of nothing but fences is split in a moment', () => {
	const parts = codeParts('```\n'.repeat(5000));
	expect(parts.length).toBeLessThan(5000);
});

test.each([
	['short', 'short'],
	['much longer than that', 'much longer…'],
	['See:\n```\none = 1\ntwo = 2\n```', 'See:\n```\none…\n```'],
	['```\na\n```\nand words after it', '```\na\n```\nan…'],
])('%j begins with %j', (content, start) => {
	expect(beginning(content, 12)).toBe(start);
});

test('the beginning of a text ends between two signs', () => {
	expect(beginning('ab😀cd', 3)).toBe('ab…');
	expect(beginning('ab😀cd', 4)).toBe('ab😀…');
});
