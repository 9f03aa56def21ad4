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
])('%j is a person', (input) => {
	expect(isRobot(input, now)).toBe(false);
});
