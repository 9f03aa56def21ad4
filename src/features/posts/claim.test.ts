import { expect, test } from 'vitest';
import { claimOf } from './claim.ts';

const shown = (excerpt: string) =>
	claimOf(excerpt)
		.map(({ text, isNumber }) => (isNumber ? `[${text}]` : text))
		.join('');

test.each([
	[
		'Three leaks score 79%, 96% and 100%. Five checks.',
		'Three leaks score [79%, 96% and 100%]. Five checks.',
	],
	['At 400 words, chunks bring back 98% of it.', 'At 400 words, chunks bring back [98%] of it.'],
	['It uses 37 billion of 671 billion.', 'It uses [37 billion] of [671 billion].'],
	['Right 98 times in 100.', 'Right [98 times in 100].'],
	['A bill of $0.40.', 'A bill of [$0.40].'],
	['With 0.8 MB of text, a trace of 37.7 MB.', 'With 0.8 MB of text, a trace of [37.7 MB].'],
	[
		'A classifier with 86% precision has 2% of it.',
		'A classifier with 86% precision has [2%] of it.',
	],
	[
		'Proxies stopped none of 25, one 14, one 7, the last 21.',
		'Proxies stopped [none of 25], one 14, one 7, the last [21].',
	],
	['In 24 of 66 commits on 3 days, one.', 'In [24 of 66] commits on 3 days, one.'],
	[
		'The calendar of 2026, a 68-byte file, GPT-4 and a 50,000-token tail.',
		'The calendar of 2026, a 68-byte file, GPT-4 and a 50,000-token tail.',
	],
	['', ''],
])('the numbers of a claim stand out: %s', (excerpt, expected) => {
	expect(shown(excerpt)).toBe(expected);
});

test('a claim is no longer than a few lines, and its number is in it', () => {
	const [long, last] = [`${'word '.repeat(45)}end.`, 'Then 12 of them.'];
	expect(shown(`${long} ${last}`)).toBe('Then [12] of them.');
	expect(shown(`${'Short. '.repeat(20)}${long}`)).toBe('Short. '.repeat(20).trim());
});
