import { expect, test } from 'vitest';
import { isRobot, MIN_FILL_MS } from './form.ts';

const now = new Date('2026-03-01T12:00:00Z');
const ago = (ms: number) => now.getTime() - ms;

test.each([
	[{ website: 'x' }],
	[{ website: ' ' }],
	[{ website: 'x', startedAt: ago(60_000) }],
	[{ startedAt: ago(0) }],
	[{ startedAt: ago(MIN_FILL_MS - 1) }],
	[{ startedAt: String(ago(1)) }],
	[{ elapsedMs: 0 }],
	[{ elapsedMs: MIN_FILL_MS - 1 }],
	[{ elapsedMs: '1' }],
	[{ elapsedMs: 1, startedAt: ago(60_000) }],
	[{ elapsedMs: 'soon', startedAt: ago(1) }],
])('%j is a robot', (input) => {
	expect(isRobot(input, now)).toBe(true);
});

test.each([
	[{}],
	[{ website: '' }],
	[{ website: '', startedAt: '' }],
	[{ startedAt: ago(MIN_FILL_MS) }],
	[{ startedAt: String(ago(60_000)) }],
	[{ startedAt: ago(-1) }],
	[{ startedAt: 'yesterday' }],
	[{ startedAt: NaN }],
	[{ elapsedMs: MIN_FILL_MS }],
	[{ elapsedMs: String(MIN_FILL_MS), startedAt: ago(1) }],
	[{ elapsedMs: -1 }],
	[{ elapsedMs: '' }],
	[{ elapsedMs: null }],
])('%j is a person', (input) => {
	expect(isRobot(input, now)).toBe(false);
});
