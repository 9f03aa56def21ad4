import { expect, test } from 'vitest';
import { DAY, HOUR, SECOND } from '#src/lib/dates.ts';
import { backoff, MAX_ATTEMPTS } from './outbox.ts';

test('the first retry comes within 15 seconds, whatever the dice say', () => {
	expect(backoff(1, 1)).toBeLessThanOrEqual(15 * SECOND);
	expect(backoff(1, 0)).toBeGreaterThan(5 * SECOND);
});

test('waits double up to an hour', () => {
	expect(backoff(2, 0.5)).toBe(2 * backoff(1, 0.5));
	expect(backoff(9, 0.5)).toBeLessThan(HOUR);
	expect(backoff(10, 0.5)).toBe(HOUR);
	expect(backoff(1000, 0.5)).toBe(HOUR);
});

test('a third party may be away for a day and nothing is given up', () => {
	let waited = 0;
	for (let attempts = 1; attempts < MAX_ATTEMPTS; attempts++) waited += backoff(attempts, 0);
	expect(waited).toBeGreaterThan(DAY);
});
