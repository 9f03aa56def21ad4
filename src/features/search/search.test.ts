import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hitsOf, marked, passageOf, toMatchQuery, wordsOf } from './search.ts';
import { distance, meantBy, typosAllowed } from './typos.ts';

/** A text with its hits in brackets. */
const brackets = (text: string, query: string) =>
	marked(text, wordsOf(query))
		.map((part) => (part.hit ? `[${part.text}]` : part.text))
		.join('');

test.each([
	['Attention, and attention again', 'attention', '[Attention], and [attention] again'],
	['Training a model', 'train models', '[Training] a [model]'],
	['We train all models', 'training model', 'We [train] all [models]'],
	['inattention and detention', 'tention', 'inattention and detention'],
	['Café naïve', 'cafe naive', '[Café] [naïve]'],
	['cafe', 'CAFÉ', '[cafe]'],
	['Cafe\u0301s', 'cafe', '[Cafe\u0301s]'],
	['机器学习', '机器', '[机器学习]'],
	['İstanbul models', 'model', 'İstanbul [models]'],
	['GPT-4o and gpt 4', 'gpt 4', '[GPT]-[4o] and [gpt] [4]'],
	['nothing', '', 'nothing'],
	['', 'query', ''],
])('what was found in %j for %j is marked', (text, query, expected) => {
	expect(brackets(text, query)).toBe(expected);
});

test('whatever the text and the query, marking changes no letter, and every hit is a whole word', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, query) => {
			const words = wordsOf(query);
			expect(
				marked(text, words)
					.map((part) => part.text)
					.join(''),
			).toBe(text);
			for (const { start, end } of hitsOf(text, words)) {
				expect(text.slice(start, end)).not.toBe('');
				expect(/[\p{L}\p{N}]/u.test(text.slice(end)[0] ?? '')).toBe(false);
			}
		}),
	);
});

test('whatever is typed, a query for FTS5 is quoted words and nothing else', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
			expect(toMatchQuery(wordsOf(text))).toMatch(/^("[\p{L}\p{N}]+"\*( |$))*$/u);
		}),
	);
});

const filler = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ');

test('a passage is where most of the words stand together', () => {
	const text = `A gradient. ${filler(80)} The gradient descends to a minimum. ${filler(80)}`;
	const passage = passageOf([text], ['gradient', 'minimum']);
	expect(passage).toContain('gradient descends to a minimum.');
	expect(passage).toMatch(/^… \S.*\S …$/);
	expect(passage.length).toBeLessThanOrEqual(190);
});

test('the excerpt is the passage where it says as much as the text', () => {
	expect(passageOf(['On gradients.', `A gradient ${filler(50)}`], ['gradient'])).toBe(
		'On gradients.',
	);
	expect(passageOf(['Excerpt', 'A gradient'], ['gradient'])).toBe('A gradient');
	expect(passageOf(['', 'Only a text'], ['gradient'])).toBe('Only a text');
	expect(passageOf(['', ''], ['gradient'])).toBe('');
});

test('a text without spaces is cut all the same', () => {
	const passage = passageOf(['学'.repeat(5000)], ['学']);
	expect(passage.length).toBeLessThanOrEqual(190);
	expect(passage).toContain('学');
});

test('whatever the text, a passage is short and made of it', () => {
	fc.assert(
		fc.property(
			fc.array(fc.constantFrom('a', 'model', 'x'.repeat(300), '\n', 'é', '学')),
			(parts) => {
				const text = parts.join(' ');
				const passage = passageOf([text], ['model']);
				expect(passage.length).toBeLessThanOrEqual(190);
				expect(text).toContain(passage.replace(/^… | …$/g, ''));
			},
		),
	);
});

test.each([
	['model', 'model', 0],
	['modle', 'model', 1],
	['mdel', 'model', 1],
	['moddel', 'model', 1],
	['nodel', 'model', 1],
	['tranformr', 'transformer', 2],
	['', 'abc', 3],
	['ca', 'abc', 3],
])('%j is %j with %i letters wrong', (typed, meant, wrong) => {
	expect(distance(typed, meant)).toBe(wrong);
	expect(distance(meant, typed)).toBe(wrong);
});

test('the beginning of a word that is still being typed is compared with beginnings', () => {
	expect(distance('tranfo', 'transformers', true)).toBe(1);
	expect(distance('transfo', 'transformers', true)).toBe(0);
});

test.each([
	['abc', 0],
	['abcd', 1],
	['abcdefg', 1],
	['abcdefgh', 2],
])('of %j %i letters may be wrong', (word, allowed) => {
	expect(typosAllowed(word)).toBe(allowed);
});

test('of words that look alike the nearest is meant first, and none that is too far', () => {
	expect(meantBy('tranformer', ['transformers', 'transformer', 'performer'], false)).toEqual([
		'transformer',
		'transformers',
	]);
	expect(meantBy('fode', ['mode', 'form', 'code', 'node', 'fade'], false)[0]).toBe('fade');
	expect(meantBy('model', ['model'], false)).toEqual([]);
	expect(meantBy('abc', ['abd'], false)).toEqual([]);
});
