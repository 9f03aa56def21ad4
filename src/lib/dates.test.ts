import { afterEach, expect, test, vi } from 'vitest';
import {
	aroundNow,
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

test.each([
	['2026-03-10T11:59:30', 'just now'],
	['2026-03-10T11:55:00', '5 minutes ago'],
	['2026-03-10T12:05:00', 'in 5 minutes'],
	['2026-03-09T13:00:00', '23 hours ago'],
	// By days, not by 24 hours.
	['2026-03-09T11:00:00', 'yesterday'],
	['2026-03-08T23:00:00', '2 days ago'],
	['2026-03-11T23:59:00', 'tomorrow'],
	['2026-03-13T00:30:00', 'in 3 days'],
	['2026-02-09T12:00:00', '29 days ago'],
	['2026-02-08T12:00:00', ''],
])('at noon of March 10, %s is “%s”', (time, text) => {
	expect(aroundNow(new Date(time), new Date('2026-03-10T12:00:00'))).toBe(text);
});
