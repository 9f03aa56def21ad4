import { expect, test } from 'vitest';
import { leadersText } from './compare.ts';

const state = (name: string, density: number | null, pay: number | null) => ({
	name,
	density,
	pay,
});

test('a sentence says who leads', () => {
	expect(leadersText([state('Utah', 3.2, 120_000), state('Iowa', 1, 130_500)])).toBe(
		'Utah has the most AI jobs per 1,000 jobs (3.20), Iowa the highest average AI salary ($130,500).',
	);
	expect(leadersText([state('Utah', 3.2, 130_000), state('Iowa', 1, 120_000)])).toBe(
		'Utah has the most AI jobs per 1,000 jobs (3.20) and the highest average AI salary ($130,000).',
	);
});

test.each([
	['one published', [state('Utah', 3.2, 130_000), state('Iowa', null, null)], ''],
	[
		'one of three not published',
		[state('Utah', 3, 9), state('Ohio', 2, 8), state('Iowa', null, null)],
		'',
	],
	['none published', [state('Utah', null, null), state('Iowa', null, null)], ''],
	['the same of both', [state('Utah', 2, 9), state('Iowa', 2, 9)], ''],
	[
		'pay alone',
		[state('Utah', null, 100_000), state('Iowa', 2, 90_000)],
		'Utah has the highest average AI salary ($100,000).',
	],
	[
		'jobs alone',
		[state('Utah', 1, null), state('Iowa', 2, 90_000)],
		'Iowa has the most AI jobs per 1,000 jobs (2.00).',
	],
])('nobody leads in what cannot be compared: %s', (_, states, sentence) => {
	expect(leadersText(states)).toBe(sentence);
});
