import { expect, test } from 'vitest';
import { csvRow, parseCsv, textOfSheet, unescapeFormula } from './csv.ts';

test.each([
	[['a', 1, true, null], '"a",1,true,\r\n'],
	[['a,b', 'a"b', 'a\nb', ''], '"a,b","a""b","a\nb",""\r\n'],
	[['=1+1', '+1', '-1', '@A1', '\tx'], `"'=1+1","'+1","'-1","'@A1","'\tx"\r\n`],
	[
		['＝1', '＋1', '－1', '＠A1', '｜x', '|x', ' =1'],
		`"'＝1","'＋1","'－1","'＠A1","'｜x","'|x","' =1"\r\n`,
	],
	[["Bob;=cmd|' /C calc'!A0;x"], `"Bob;'=cmd|' /C calc'!A0;x"\r\n`],
	[['a\t=1', 'a;\t@b', 'a\n-1'], `"a\t'=1","a;\t'@b","a\n'-1"\r\n`],
	[[-1, 'a=1', '1-1', "it's"], `-1,"a=1","1-1","it's"\r\n`],
])('%j is written as %j', (values, line) => {
	expect(csvRow(values)).toBe(line);
});

test.each([
	[['=SUM(1)', 'a "quoted", text', 'two\nlines', '']],
	[["'=typed with its guard", "''=", "'", "it's", "'\t=1", ';=1', "a;'=1", '\t\n=1', '; ; =1']],
])('what is written can be read: %j', (values) => {
	const [line] = parseCsv(csvRow(values));
	expect(line!.values.map(unescapeFormula)).toEqual(values);
});

/** The cells that a spreadsheet makes of a line if it splits at this, with or without an eye for quotes. */
const cellsOf = (line: string, separator: string) => [
	...line.split(separator),
	...parseCsv(`a${separator}b\n${line}`)[1]!.values,
];

test.each([';', '\t', ','])('no cell is a formula, whoever splits the row at %j', (separator) => {
	const values = ['Bob;=cmd|x', 'a\t+1', 'x; @y', '\t=1', '＝1;－2', "';=1", ';;=1'];
	for (const cell of cellsOf(csvRow(values).trimEnd(), separator)) {
		expect(cell.replace(/^"/, '')).not.toMatch(/^\s*[=+\-@|＝＋－＠｜]/);
	}
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
	['a,b\r1,2\r', ['1', '2']],
	['a,b\r\n1,"x\ry"\r\n', ['1', 'x\ry']],
	['"a;b;c\nd",b\n1,2', ['1', '2']],
	['"a;b;c",b\n1;2,3', ['1;2', '3']],
	[' "a" ,b\n "1" ,2', ['1 ', '2']],
	['a,b\n1,', ['1', '']],
	['a,b\n5" disk,"x"y', ['5" disk', 'xy']],
])('%j is read', (text, values) => {
	expect(parseCsv(text)[1]!.values).toEqual(values);
});

test('an empty file has no rows', () => {
	expect(parseCsv('')).toEqual([]);
	expect(parseCsv('\n\n')).toEqual([]);
});

test.each([
	['sep=;\r\na,b;c\r\n1;2', [2, ['a,b', 'c']]],
	['"sep=|"\na|b\n1|2', [2, ['a', 'b']]],
	['sep=\t\na\tb', [2, ['a', 'b']]],
	['SEP=^\na^b', [2, ['a', 'b']]],
	['separate,b\n1,2', [1, ['separate', 'b']]],
] as const)('the separator that %j names is taken', (text, [line, values]) => {
	expect(parseCsv(text)[0]).toEqual({ line, values });
});

/** A text in UTF-16, with the mark that tells the order of its bytes, or without. */
function utf16(text: string, order: 'le' | 'be', mark = true): ArrayBuffer {
	const units = [...(mark ? '\uFEFF' : ''), ...text].map((char) => char.charCodeAt(0));
	const view = new DataView(new ArrayBuffer(units.length * 2));
	for (const [index, unit] of units.entries()) view.setUint16(index * 2, unit, order === 'le');
	return view.buffer;
}

const SHEET = 'email\tname\r\nann@x.example\tZoë\r\n';
const WINDOWS = Uint8Array.from(SHEET, (char) => char.charCodeAt(0)).buffer;
test.each([
	['UTF-8', new TextEncoder().encode(SHEET).buffer],
	['UTF-16 of Excel', utf16(SHEET, 'le')],
	['UTF-16, the other way round', utf16(SHEET, 'be')],
	['UTF-16 without its mark', utf16(SHEET, 'le', false)],
	['UTF-16, the other way round, without its mark', utf16(SHEET, 'be', false)],
	['the letters of Windows', WINDOWS],
])('a sheet in %s is read', (_, bytes) => {
	expect(parseCsv(textOfSheet(bytes)).map(({ values }) => values)).toEqual([
		['email', 'name'],
		['ann@x.example', 'Zoë'],
	]);
});
