import { expect, test } from 'vitest';
import { MIN_FILL_MS, remainingWaitMs } from './form.ts';

const now = new Date('2026-03-01T12:00:00Z');
const ago = (ms: number) => now.getTime() - ms;

test.each([
	[{ startedAt: ago(0) }, MIN_FILL_MS],
	[{ startedAt: ago(MIN_FILL_MS - 1) }, 1],
	[{ startedAt: String(ago(1)) }, MIN_FILL_MS - 1],
	[{ elapsedMs: 0 }, MIN_FILL_MS],
	[{ elapsedMs: MIN_FILL_MS - 1 }, 1],
	[{ elapsedMs: '1' }, MIN_FILL_MS - 1],
	[{ elapsedMs: 1, startedAt: ago(60_000) }, MIN_FILL_MS - 1],
	[{ elapsedMs: 'soon', startedAt: ago(1) }, MIN_FILL_MS - 1],
])('%j is too quick by %i ms', (input, wait) => {
	expect(remainingWaitMs(input, now)).toBe(wait);
});

test.each([
	[{}],
	[{ startedAt: '' }],
	[{ startedAt: ago(MIN_FILL_MS) }],
	[{ startedAt: String(ago(60_000)) }],
	[{ startedAt: ago(-1) }],
	[{ startedAt: 'yesterday' }],
	[{ startedAt: NaN }],
	[{ elapsedMs: MIN_FILL_MS }],
	[{ elapsedMs: String(MIN_FILL_MS), startedAt: ago(1) }],
	[{ elapsedMs: -1 }],
	[{ elapsedMs: '' }],
	[{ elapsedMs: ' ' }],
	[{ elapsedMs: null }],
])('%j waits for nothing', (input) => {
	expect(remainingWaitMs(input, now)).toBe(0);
});
