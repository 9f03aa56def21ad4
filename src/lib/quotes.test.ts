import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { curlQuotes, curlTexts, OBJECT, straightenQuotes } from './quotes.ts';

// What SmartyPants, retext-smartypants and KeenQuotes publish as tests, in other words.
const CASES: Record<string, string[]> = {
	'quotation marks': [
		'“Once” is rare.',
		'It “skips” a row.',
		'She calls it “done”.',
		'“Well,” he said, “not yet.”',
		'“Is it”? It is.',
		'“Rows”, “columns”; “cells”: (“all”).',
		'“...and more!”',
		'A “.hidden” file, “..and” another.',
		'The dash—“this one”—is wide, and so is –“this”– one.',
		'Either “a”/“b” or [“c”].',
		'At “95%” and above “0.1” or “>30”.',
		'“Nobody closed it.',
		'Never opened”.',
		'Model “T2000” or “AP50”.',
		'What is in “Say “yes” twice” is nested.',
		'Twice: “say “yes””.',
		'“a”, “b” and “c”',
		'The end.“Next” begins at once.',
	],
	'single quotation marks': [
		'‘Once’ is rare, ‘twice,’ too.',
		'‘It’s a fine day!’',
		'Seen as ‘a’, ‘b’ and (‘c’).',
		'‘70s’ is text, and so are ‘10’ and ‘em’.',
		'The dash—‘this one’—is wide.',
	],
	'quotations in quotations': [
		'“‘Once’ is rare.”',
		'“She said ‘once’.”',
		'“She said ‘once’” and left.',
		'‘“Once” is rare.’',
		'‘She said “once”’ and left.',
		'“‘I’m done.’”',
		'“She said, ‘That’s Sam’s’,” said the twins’ cat.',
		'“‘Here,’ he said”',
	],
	apostrophes: [
		'It’s the model’s, isn’t it? We’d’ve known.',
		'The workers’ rights and James’s.',
		'The ’90s, the class of ’04 and “’93”.',
		'The 80’s, Llama 3’s and the 2’s complement.',
		'Rock ’n’ roll, fish-’n’-chips, sugar ’n spice.',
		'Get ’em. ’Tis so, and ’twas.',
		'O’Reilly, ma’am, o’clock, jack-o’-lantern.',
		'Workin’ hard, didn’ say.',
		`${OBJECT}’s result and the two ${OBJECT}s’ sum`,
		`“${OBJECT}” and ‘${OBJECT}’, (“${OBJECT}”)`,
		'He’s ’fore all.',
	],
	'what stays straight': [
		`6'2" tall, a 12" record, 5'×4' and 35'×10"`,
		`3° 5' 30" of arc`,
		`5'' × 4''`,
		`He’s 5'10" and “tall”.`,
		`A " and a ' alone, an empty "" too.`,
		`At https://example.com/it's and o'hara@example.com.`,
	],
};

describe.each(Object.entries(CASES))('%s', (_what, texts) => {
	test.each(texts)('%s', (text) => {
		expect(curlQuotes(straightenQuotes(text))).toBe(text);
		expect(curlQuotes(text)).toBe(text);
	});
});

test('curly ones stay what they are, whatever stands beside them', () => {
	expect(curlQuotes(`“Mixed" and "mixed”, ‘it's' „odd“`)).toBe(`“Mixed” and “mixed”, ‘it’s’ „odd“`);
});

const texts = fc
	.array(fc.constantFrom(...`""''“”‘’ ab1s.,-—([)]\n${OBJECT}😀é`), { maxLength: 30 })
	.map((letters) => letters.join(''));

test('straightened, the text is what it was, and curled twice it is the same', () => {
	fc.assert(
		fc.property(texts, (text) => {
			const curly = curlQuotes(text);
			expect(curly).toHaveLength(text.length);
			expect(straightenQuotes(curly)).toBe(straightenQuotes(text));
			expect(curlQuotes(curly)).toBe(curly);
			// What was curly stays as it was.
			expect(
				[...text].every((letter, at) => !/[“”‘’]/.test(letter) || [...curly][at] === letter),
			).toBe(true);
		}),
		{ numRuns: 5000 },
	);
});

test('many marks in a row take no longer than as many words', () => {
	const marks = `'"`.repeat(500_000);
	expect(straightenQuotes(curlQuotes(marks))).toBe(marks);
});

test('every text of data is curled, and nothing else changes', () => {
	const at = new Date(0);
	const data = { name: "it's", none: null, list: ['"a"', 1, { at, slug: 'it-s' }] };
	expect(curlTexts(data)).toEqual({
		name: 'it’s',
		none: null,
		list: ['“a”', 1, { at, slug: 'it-s' }],
	});
	expect(data.name).toBe("it's");
});
