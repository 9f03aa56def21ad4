import { expect, test } from 'vitest';
import { DAY, HOUR } from '#src/lib/dates.ts';
import { describeCopies, expiredCopies, lastDue, NO_COPIES } from './copies.ts';

test('of two years of nights, seven days, four weeks and twelve months are kept', () => {
	let copies: Date[] = [];
	const start = Date.UTC(2024, 10, 22, 3);
	for (let night = 0; night <= 730; night++) {
		copies.push(new Date(start + night * DAY));
		const expired = new Set(expiredCopies(copies));
		copies = copies.filter((copy) => !expired.has(copy));
	}
	expect(copies.map((copy) => copy.toISOString().slice(0, 10)).reverse()).toEqual([
		...['2026-11-22', '2026-11-21', '2026-11-20', '2026-11-19', '2026-11-18', '2026-11-17'],
		...['2026-11-16', '2026-11-15', '2026-11-08', '2026-11-01'],
		...['2026-10-31', '2026-09-30', '2026-08-31', '2026-07-31', '2026-06-30', '2026-05-31'],
		...['2026-04-30', '2026-03-31', '2026-02-28', '2026-01-31', '2025-12-31'],
	]);
});

test('a copy is due at its hour, today or yesterday', () => {
	expect(lastDue(new Date('2026-03-01T03:00:00Z'), 3)).toEqual(new Date('2026-03-01T03:00:00Z'));
	expect(lastDue(new Date('2026-03-01T02:59:59Z'), 3)).toEqual(new Date('2026-02-28T03:00:00Z'));
});

test('what is told of copies says what is wrong', () => {
	const now = new Date('2026-03-02T12:00:00Z');
	const at = (hoursAgo: number) => new Date(now.getTime() - hoursAgo * HOUR).toISOString();
	const last = { at: at(9), file: '/b/site.db', bytes: 2_000_000, counts: '2 posts' };
	expect(describeCopies(NO_COPIES, now)).toEqual({
		value: 'None has been made yet.',
		isSet: false,
	});
	expect(describeCopies({ last, kept: 1, failure: null }, now)).toEqual({
		value:
			'Last made March 2, 2026 at 3:00 AM UTC: 1.9 MB with 2 posts. 1 copy is kept beside /b/site.db.',
		isSet: true,
	});
	expect(describeCopies({ last: { ...last, at: at(37) }, kept: 1, failure: null }, now).isSet).toBe(
		false,
	);
	const failure = { at: at(1), reason: 'The disk is full.' };
	expect(describeCopies({ last, kept: 1, failure }, now)).toMatchObject({
		value: expect.stringMatching(/^The latest attempt, .* failed: The disk is full\. Last made/),
		isSet: false,
	});
});
