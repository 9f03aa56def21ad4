import { expect, test } from 'vitest';
import { ago, fromLocal, toLocal } from './times.ts';

test('a time goes into its field and comes out the same', () => {
	const iso = '2026-11-21T12:34:00.000Z';
	expect(fromLocal(toLocal(iso))).toBe(iso);
	expect(toLocal('')).toBe('');
	expect(toLocal('soon')).toBe('');
	expect(fromLocal('')).toBe('');
});

test.each([
	[59, 'just now'],
	[60, 'a minute ago'],
	[119, 'a minute ago'],
	[120, '2 minutes ago'],
	[3599, '59 minutes ago'],
	[3600, 'an hour ago'],
	[7200, '2 hours ago'],
])('%i seconds are %s', (seconds, words) => {
	expect(ago(0, seconds * 1000)).toBe(words);
});
