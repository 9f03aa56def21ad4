import { expect, test } from 'vitest';
import { isoDay, longDate, shortDate } from './dates.ts';

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
