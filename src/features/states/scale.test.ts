import { expect, test } from 'vitest';
import { changeText, roundMarks, shortCount, shortPay } from './scale.ts';

test.each([
	[0.59, 3.31, [1, 2, 3]],
	[91_343, 164_431, [100_000, 120_000, 140_000, 160_000]],
	[370, 47_750, [10_000, 20_000, 30_000, 40_000]],
	[-12, 31, [-10, 0, 10, 20, 30]],
	[0.02, 0.031, [0.02, 0.025, 0.03]],
	[5, 5, []],
])('the scale from %d to %d has the marks %j', (least, most, marks) => {
	expect(roundMarks(least, most)).toEqual(marks);
});

test('every scale has two to six marks, and all of them on it', () => {
	for (let span = 1; span < 10_000; span = Math.ceil(span * 1.07)) {
		for (const least of [-span / 3, 0, 7, 1234]) {
			const marks = roundMarks(least, least + span);
			expect(marks.length, `${least} to ${least + span}`).toBeGreaterThanOrEqual(2);
			expect(marks.length, `${least} to ${least + span}`).toBeLessThanOrEqual(6);
			expect(Math.min(...marks)).toBeGreaterThanOrEqual(least);
			expect(Math.max(...marks)).toBeLessThanOrEqual(least + span);
		}
	}
});

test('marks are short', () => {
	expect([shortPay(120_000), shortCount(12_000), shortCount(1.5)]).toEqual(['$120K', '12K', '1.5']);
	expect([changeText(6.71), changeText(-3, 0)]).toEqual(['+6.7%', '−3%']);
});
