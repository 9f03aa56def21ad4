import { expect, test } from 'vitest';
import { learnWords } from './model.ts';
import {
	countTerms,
	DIMENSIONS,
	vectorOf,
	vectorOfText,
	cosineSimilarity,
	termsOf,
} from './meaning.ts';

/** Sentences about ships and about bread; "boat" and "ship" never stand in the same one. */
const SENTENCES = [
	'The boat left the harbor with its sail and its crew',
	'A ship left the harbor with a sail and a crew',
	'The crew of the boat raised the sail',
	'The crew of the ship raised the sail',
	'Every boat anchored in the harbor',
	'Every ship anchored in the harbor',
	'The baker kneads the dough with flour and yeast',
	'Yeast and flour make the dough of a bread',
	'The baker bakes the bread in the oven',
	'An oven and flour are what the baker needs',
];
const words = learnWords(SENTENCES.map((sentence) => countTerms(sentence)));
const meaningOf = (text: string) => vectorOf(countTerms(text), words)!;

test('words that keep the same company mean the same, though they never meet', () => {
	expect(cosineSimilarity(meaningOf('boat'), meaningOf('ship'))).toBeGreaterThan(0.8);
	expect(Math.abs(cosineSimilarity(meaningOf('boat'), meaningOf('oven')))).toBeLessThan(0.3);
});

test('the same passages give the same vectors, each of the same length', () => {
	const again = learnWords(SENTENCES.map((sentence) => countTerms(sentence)));
	expect([...again]).toEqual([...words]);
	for (const vector of words.values()) {
		expect(vector).toHaveLength(DIMENSIONS);
		expect(vector.every(Number.isFinite)).toBe(true);
	}
});

test('a direction has length 1, and none is made of words that nobody knows', () => {
	expect(cosineSimilarity(meaningOf('ship crew'), meaningOf('ship crew'))).toBeCloseTo(1, 5);
	expect(vectorOf(countTerms('quaternion'), words)).toBeNull();
	expect(vectorOf(new Map(), words)).toBeNull();
});

test.each([
	[['', '']],
	[['a b c']],
	[['one word', 'one word']],
	[Array.from({ length: 40 }, () => 'the same words in every passage')],
])('nothing but numbers comes of %j', (texts) => {
	const learned = learnWords(texts.map((text) => countTerms(text)));
	for (const vector of learned.values()) expect(vector.every(Number.isFinite)).toBe(true);
});

test('what a text says of itself counts as much as all the rest', () => {
	const text = { title: 'Ship', tags: '', headings: [], excerpt: '', body: '' };
	const long = { ...text, body: 'oven '.repeat(100) };
	const meant = vectorOfText(long, words)!;
	expect(cosineSimilarity(meant, meaningOf('ship'))).toBeCloseTo(
		cosineSimilarity(meant, meaningOf('oven')),
		5,
	);
	expect(vectorOfText(text, words)).toEqual(meaningOf('ship'));
	expect(vectorOfText({ ...text, title: '' }, words)).toBeNull();
});

test('a description, headings and what readers may call it say what a text is about', () => {
	const text = { title: 'Ship', tags: '', headings: [], excerpt: '', body: 'Sail' };
	const about = { ...text, excerpt: 'Flour and yeast', headings: [{ text: 'Dough' }] };
	const near = (one: typeof about) =>
		cosineSimilarity(vectorOfText(one, words)!, meaningOf('bread'));
	expect(near(about)).toBeGreaterThan(near(text) + 0.3);
	const named = { ...text, searchedAs: 'Flour, yeast and dough' };
	expect(near(named)).toBeGreaterThan(near(text) + 0.3);
});

test('words are stems without accents, without those that say nothing', () => {
	expect(termsOf('The résumés, and quantized models of 2024: GPT4!')).toEqual([
		'resum',
		'quantiz',
		'model',
		'gpt4',
	]);
});
