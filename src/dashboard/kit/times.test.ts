import { expect, test, vi } from 'vitest';
import { fromLocal, toLocal } from './times.ts';

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
