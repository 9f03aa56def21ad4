import { expect, test } from 'vitest';
import { completed, DEFAULT_SETTINGS, withoutSamples } from './site.ts';
import { type LetterTimes, TEXT_KEYS, textOf, withTimes } from './texts.ts';

const SITES = [DEFAULT_SETTINGS, { ...DEFAULT_SETTINGS, ...withoutSamples(DEFAULT_SETTINGS) }];

test('no usual sentence states a schedule by itself', () => {
	const stated = TEXT_KEYS.flatMap((key) => {
		const { sample, own = '' } = textOf(key);
		const text = [sample, typeof own === 'string' ? own : ''].join(' ');
		return /\b(week(ly)?|month(ly)?|\w+days?|fortnight)\b/i.test(text.replace(/\bdays\b/g, ''))
			? [key]
			: [];
	});
	expect(stated).toEqual([]);
});

test.each<[LetterTimes, string, string, string]>([
	[
		{ cadence: 'weekly', day: 'Thursday' },
		'Free, usually on Thursdays',
		'Weekly, usually on Thursdays',
		'Groundtruth Weekly: one letter a week, usually on Thursdays. Free, and you can leave at any time.',
	],
	[
		{ cadence: 'fortnightly', day: 'Monday' },
		'Free, usually every other Monday',
		'Every two weeks, usually every other Monday',
		'Groundtruth Letter: one letter every two weeks, usually every other Monday. Free, and you can leave at any time.',
	],
	[
		{ cadence: 'monthly', day: 'Sunday' },
		'Free, usually on the first Sunday of the month',
		'Monthly, usually on the first Sunday of the month',
		'Groundtruth Letter: one letter a month, usually on the first Sunday of the month. Free, and you can leave at any time.',
	],
])('sentences follow the letter’s schedule: %o', (times, beside, when, described) => {
	for (const settings of SITES) {
		const words = completed(settings, times);
		expect([words.homeLetter, words.newsletterWhen]).toEqual([beside, when]);
		const left = TEXT_KEYS.filter((key) => /%(WHEN|EVERY|OFTEN)%/.test(words[key]));
		// The welcome is filled in when it is sent.
		expect(left).toEqual(['mailWelcome']);
	}
	expect(completed(SITES[1]!, times).newsletterDescription).toBe(described);
	const mine = { ...DEFAULT_SETTINGS, homeLetter: 'When I like' };
	expect(completed(mine, times).homeLetter).toBe('When I like');
	expect(withTimes('Mine, %EVERY%', times)).toMatch(/^Mine, (a week|every two weeks|a month)$/);
});
