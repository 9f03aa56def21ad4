import { expect, test } from 'vitest';
import { csvRow, parseCsv, unguarded } from './csv.ts';

test.each([
	[['a', 1, true, null], 'a,1,true,\r\n'],
	[['a,b', 'a"b', 'a\nb'], '"a,b","a""b","a\nb"\r\n'],
	[['=1+1', '+1', '-1', '@A1', '\tx'], "'=1+1,'+1,'-1,'@A1,'\tx\r\n"],
	[[-1, 'a=1', '1-1'], '-1,a=1,1-1\r\n'],
])('%j is written as %j', (values, line) => {
	expect(csvRow(values)).toBe(line);
});

test('what is written can be read', () => {
	const values = ['=SUM(1)', 'a "quoted", text', 'two\nlines', ''];
	const [line] = parseCsv(csvRow(values));
	expect(line!.values.map(unguarded)).toEqual(values);
});

test('rows know the line that they start on, also after line breaks in quotes', () => {
	expect(parseCsv('a,b\r\n"1\n2",3\n\n4,5')).toEqual([
		{ line: 1, values: ['a', 'b'] },
		{ line: 2, values: ['1\n2', '3'] },
		{ line: 5, values: ['4', '5'] },
	]);
});

test.each([
	['a;b\n1;2,5', ['1', '2,5']],
	['a\tb\n1\t2', ['1', '2']],
	['\uFEFFa,b\n1,2', ['1', '2']],
	['a,b\n"1,2', ['1,2']],
	['a,b\n1,"say ""hi"""', ['1', 'say "hi"']],
])('%j is read', (text, values) => {
	expect(parseCsv(text)[1]!.values).toEqual(values);
});

test('an empty file has no rows', () => {
	expect(parseCsv('')).toEqual([]);
	expect(parseCsv('\n\n')).toEqual([]);
});
