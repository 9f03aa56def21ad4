import { expect, test } from 'vitest';
import { axisTop, toBars, formatChange, statsQuery } from './stats.ts';

test('up to ninety days each day is a bar', () => {
	const bars = toBars([1, 2, 3], '2026-02-27');
	expect(bars).toEqual([
		{ from: '2026-02-27', to: '2026-02-27', value: 1 },
		{ from: '2026-02-28', to: '2026-02-28', value: 2 },
		{ from: '2026-03-01', to: '2026-03-01', value: 3 },
	]);
	expect(toBars(Array(90).fill(1), '2026-01-01')).toHaveLength(90);
});

test('beyond, weeks are bars: the last is whole, the first may be short, nothing is lost', () => {
	const bars = toBars(Array(365).fill(1), '2025-03-02');
	expect(bars).toHaveLength(53);
	expect([bars[0]!.value, bars.at(-1)!.value]).toEqual([1, 7]);
	expect(bars.at(-1)!.to).toBe('2026-03-01');
	expect(bars.reduce((sum, { value }) => sum + value, 0)).toBe(365);
});

test.each([
	[0, 5],
	[5, 5],
	[6, 10],
	[10, 10],
	[11, 20],
	[20, 20],
	[21, 50],
	[51, 100],
	[1001, 2000],
])('the axis of %i ends at %i', (highest, top) => {
	expect(axisTop(highest)).toBe(top);
});

test.each([
	[12, 10, '+20%'],
	[9, 10, '−10%'],
	[10, 10, '+0%'],
	[5, 0, ''],
	[3000, 100, '+2,900%'],
])('%i after %i is %j', (now, before, words) => {
	expect(formatChange(now, before)).toBe(words);
});

test.each(['7', '30', '90', '365', undefined])('%s days can be asked for', (days) => {
	expect(statsQuery.safeParse({ days }).success).toBe(true);
});

test.each(['4000', '0', '-30', '1.5', 'month'])('%s days cannot', (days) => {
	expect(statsQuery.safeParse({ days }).success).toBe(false);
});
