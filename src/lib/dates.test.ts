import { afterEach, expect, test, vi } from 'vitest';
import {
	DAY,
	exactTime,
	HOUR,
	isSameLocally,
	isoDay,
	longDate,
	MINUTE,
	relativeTime,
	shortDate,
} from './dates.ts';

test('a day is the same wherever it is read', () => {
	for (const date of [
		'2025-08-16',
		'2025-08-16T00:00:00Z',
		'2025-08-16T23:59:59Z',
		new Date('2025-08-16T12:00:00Z'),
	]) {
		expect([longDate(date), shortDate(date), isoDay(date)]).toEqual([
			'August 16, 2025',
			'Aug 16, 2025',
			'2025-08-16',
		]);
	}
});

afterEach(() => {
	vi.unstubAllEnvs();
	vi.unstubAllGlobals();
});

test.each([
	['UTC', '2025-08-16T23:59:59Z', true],
	['America/Los_Angeles', '2025-08-16T12:00:00Z', true],
	['America/Los_Angeles', '2025-08-16T03:00:00Z', false],
	['Pacific/Auckland', '2025-08-31T12:00:00Z', false],
	['Pacific/Auckland', '2025-08-31T11:00:00Z', true],
])('in %s the date of %s in English is the local one: %s', (zone, date, same) => {
	vi.stubEnv('TZ', zone);
	expect(isSameLocally(date)).toBe(same);
	const local = new Date(date).toLocaleDateString('en-US', { dateStyle: 'long' });
	expect(local === longDate(date)).toBe(same);
});

test('in another language no date is the local one', () => {
	vi.stubGlobal('navigator', { language: 'de-DE' });
	expect(isSameLocally('2025-08-16T12:00:00Z')).toBe(false);
});

test('an exact time says its zone', () => {
	expect(exactTime('2025-08-16T15:04:59Z')).toBe('August 16, 2025 at 3:04 PM UTC');
});

test.each([
	[-5 * MINUTE, 'just now'],
	[0, 'just now'],
	[MINUTE - 1, 'just now'],
	[MINUTE, '1 minute ago'],
	[HOUR - 1, '59 minutes ago'],
	[HOUR, '1 hour ago'],
	[DAY - 1, '23 hours ago'],
	[DAY, 'yesterday'],
	[2 * DAY, '2 days ago'],
	[30 * DAY - 1, '29 days ago'],
	[30 * DAY, 'August 16, 2025'],
])('%i ms ago is "%s"', (ms, text) => {
	const then = new Date('2025-08-16T12:00:00Z');
	expect(relativeTime(then, then.getTime() + ms)).toBe(text);
});
