import { expect, test } from 'vitest';
import { encode, printed, train, type Tokenizer } from './tokenizer.ts';
import { ZEN } from './zen.ts';

const cut = (text: string, trained: Tokenizer, steps: number) =>
	encode(text, trained, steps).map((id) => printed(trained.vocabulary[id]!));
const bananas = train('banana\nbanana\nbanana\nbandana\nbandana\ncabana', 4);

test('four merges on three words are those that the article does by hand', () => {
	const made = bananas.merges.map(({ count }, i) => [printed(bananas.vocabulary[256 + i]!), count]);
	expect(made).toEqual([
		['an', 11],
		['ban', 6],
		['ana', 5],
		['banana', 3],
	]);
	expect(cut('cabana', bananas, 4)).toEqual(['c', 'a', 'ban', 'a']);
	expect(cut('bandana', bananas, 4)).toEqual(['ban', 'd', 'ana']);
});

test('merges are replayed in their order: the longest known token does not win', () => {
	expect(cut('anan', bananas, 4)).toEqual(['an', 'an']);
	expect(cut('banana', bananas, 1)).toEqual(['b', 'an', 'an', 'a']);
	expect(cut('banana', bananas, 0)).toEqual([...'banana']);
});

test.each([
	[0, 856],
	[30, 587],
	[60, 482],
	[120, 365],
	[240, 245],
	[287, 198],
])('after %i merges the training text of the article is %i tokens', (steps, length) => {
	const trained = train(ZEN, 400);
	expect(trained.merges.length).toBe(287);
	expect(trained.lengths[steps]).toBe(length);
	expect(encode(ZEN, trained, steps).length).toBe(length);
});

test('six spellings of one word are cut as the article says', () => {
	const trained = train(ZEN, 120);
	const spellings = ['better', 'Better', 'BETTER', ' better', ' Better', 'bettter'];
	expect(spellings.map((text) => cut(text, trained, 120).join('|'))).toEqual([
		'b|e|tter',
		'B|e|tter',
		'B|E|T|T|E|R',
		'␣better',
		'␣|B|e|tter',
		'b|e|t|tter',
	]);
	expect(cut('Now is better than never', trained, 120)).toEqual(
		'N|ow|␣is|␣better|␣than|␣never'.split('|'),
	);
});

test('what was never seen falls into bytes, and comes back whole', () => {
	const trained = train(ZEN, 287);
	const ids = encode('🙂 ok\té', trained, 287);
	expect(ids.slice(0, 4)).toEqual([0xf0, 0x9f, 0x99, 0x82]);
	expect(printed(trained.vocabulary[ids[0]!]!)).toBe('F0');
	const bytes = ids.flatMap((id) => [...trained.vocabulary[id]!]);
	expect(new TextDecoder().decode(Uint8Array.from(bytes))).toBe('🙂 ok\té');
});

test('a text without pairs teaches nothing', () => {
	for (const text of ['', 'a', 'a\nb']) expect(train(text, 10).merges).toEqual([]);
	expect(encode('', bananas, 4)).toEqual([]);
});
