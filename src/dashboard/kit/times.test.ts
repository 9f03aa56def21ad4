import { expect, test, vi } from 'vitest';
import { ago, fromLocal, toLocal } from './times.ts';

test('a time goes into its field and comes out the same', () => {
	const iso = '2026-11-21T12:34:00.000Z';
	expect(fromLocal(toLocal(iso))).toBe(iso);
	expect(toLocal('')).toBe('');
	expect(toLocal('soon')).toBe('');
	expect(fromLocal('')).toBe('');
});

test.each(['Europe/Berlin', 'Asia/Kolkata', 'UTC'])(
	'a year that is being typed leaves the minutes as they are in %s',
	(zone) => {
		vi.stubEnv('TZ', zone);
		for (const year of ['0002', '0020', '0202', '2027']) {
			const local = `${year}-05-01T10:00`;
			expect(toLocal(fromLocal(local))).toBe(local);
		}
		vi.unstubAllEnvs();
	},
);

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
