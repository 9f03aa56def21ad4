import { expect, test } from 'vitest';
import { DAY } from '#src/lib/dates.ts';
import { expiry, freshness } from './freshness.ts';

const now = new Date('2026-06-01T12:00:00Z');

test.each([
	[0, 'Recently Updated'],
	[30, 'Recently Updated'],
	[30.01, 'Current'],
	[90, 'Current'],
	[90.01, 'Review Pending'],
	[400, 'Review Pending'],
])('%s days after its update an article is "%s"', (days, badge) => {
	expect(freshness(new Date(now.getTime() - days * DAY), now)).toBe(badge);
});

test('an article waits for a review from its expiry on, and not a moment before', () => {
	const end = expiry(now);
	expect(freshness(now, end)).toBe('Current');
	expect(freshness(now, new Date(end.getTime() + 1))).toBe('Review Pending');
});
