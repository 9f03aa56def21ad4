import { expect, test } from 'vitest';
import type { ComingIssue } from '#src/features/home/home.ts';
import { issueWords, readersWords, reviewWords } from './words.ts';

const ISSUE: ComingIssue = {
	...{ at: '2026-12-03T07:00:00.000Z', timeZone: 'Europe/Berlin', mode: 'ask', waiting: null },
	...{ recipients: 1204, articles: 3, hasWords: true, isEmpty: false },
};

test.each<[Partial<ComingIssue>, string]>([
	[{}, '3 articles for 1,204 people. You are asked before it goes out.'],
	[{ mode: 'auto' }, '3 articles for 1,204 people.'],
	[{ mode: 'skip' }, '3 articles for 1,204 people. It is skipped.'],
	[{ mode: 'auto', hasWords: false }, '3 articles for 1,204 people. No words of yours yet.'],
	[{ mode: 'auto', recipients: 0 }, '3 articles for 0 people. Nobody would get it.'],
	[
		{ articles: 0, hasWords: false, isEmpty: true, recipients: 1 },
		'0 articles for 1 person. An issue with nothing in it does not go out.',
	],
	[
		{ waiting: { date: '2026-12-03', since: '2026-12-03T07:00:00.000Z' } },
		'3 articles for 1,204 people.',
	],
])('an issue %j is told as %j', (changes, words) => {
	expect(issueWords({ ...ISSUE, ...changes })).toBe(words);
});

test.each([
	[1, 0, '1 person subscribed'],
	[1200, 3, '1,200 people subscribed, 3 people left'],
	[0, 1, '1 person left'],
	[0, 0, ''],
])('%i who came and %i who left are %j', (joined, left, words) => {
	expect(readersWords({ joined, left })).toBe(words);
});

test.each([
	[null, 'Not looked at for 90 days.'],
	['2026-12-31 prices of APIs', 'Not looked at for 90 days.'],
	['2026-03-01 prices of APIs', 'prices of APIs'],
	['2026-03-01', 'True until 2026-03-01.'],
])('what ages on %j is told as %j', (staleAfter, words) => {
	expect(reviewWords({ staleAfter }, '2026-03-29T00:30:00.000Z')).toBe(words);
});
