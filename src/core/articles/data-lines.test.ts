import { expect, test } from 'vitest';
import { partsOf } from './data-lines.ts';

const rows = (count: number, row: string) => Array.from({ length: count }, () => row);
const folded = (lines: string[], language: string) =>
	partsOf(lines, language)
		.filter(({ isFolded }) => isFolded)
		.map(({ from, to }) => [from, to]);

test('long data of a program is folded but for its first rows', () => {
	const program = [
		'TABLE = """',
		...rows(20, 'AL 1 2, AK 3 - 4,'),
		'"""',
		'for row in TABLE.split(","):',
		'    print(row)',
	];
	expect(partsOf(program, 'python')).toEqual([
		{ from: 0, to: 4, isFolded: false },
		{ from: 4, to: 21, isFolded: true, isData: true },
		{ from: 21, to: 24, isFolded: false },
	]);
	const list = ['const rows = [', ...rows(12, "\t{ name: 'a, b', size: -1.5e3 },"), '];'];
	expect(folded(list, 'js')).toEqual([[4, 14]]);
	expect(folded(['{', ...rows(14, '  "a": [1, null, true],'), '}'], 'json')).toEqual([[3, 16]]);
	expect(folded(rows(13, 'name,one word'), 'csv')).toEqual([[3, 13]]);
});

test('a long program is folded below the last of its parts that is in view', () => {
	const part = ['def f():', ...rows(8, '    g()'), ''];
	const program = [part, part, part, part, part].flat();
	expect(partsOf(program, 'python')).toEqual([
		{ from: 0, to: 30, isFolded: false },
		{ from: 30, to: 50, isFolded: true },
	]);
	expect(folded(program.slice(0, 43), 'python')).toEqual([]);
	const whole = ['N = 1', '', 'def f():', ...rows(16, '    g()'), '', ...rows(30, '    h()')];
	expect(folded(whole, 'python')).toEqual([[20, 50]]);
	expect(folded(program, 'output')).toEqual([]);
	expect(folded(rows(50, 'g()'), 'python')).toEqual([]);
	expect(folded(['N = 1', '', ...rows(50, 'g()')], 'python')).toEqual([]);
});

test('code, what is short, and what a program prints stay as they are', () => {
	const calls = rows(30, 'print(1, 2)');
	expect(folded(calls, 'python')).toEqual([]);
	expect(folded(rows(30, 'x = [1, 2]'), 'python')).toEqual([]);
	expect(folded(rows(11, '1,'), 'python')).toEqual([]);
	expect(folded(rows(30, '1 2 3'), 'output')).toEqual([]);
	expect(partsOf([''], 'python')).toEqual([{ from: 0, to: 1, isFolded: false }]);
});

test.each([
	'"'.repeat(199_999),
	`${'1'.repeat(100_000)}!`,
	`${'1:true:'.repeat(50_000)}!`,
	' '.repeat(200_000),
])('a long line takes no long time', (line) => {
	expect(partsOf(rows(20, line), 'js')).toHaveLength(1);
});
