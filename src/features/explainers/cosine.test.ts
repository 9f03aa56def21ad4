import { expect, test } from 'vitest';
import { cosine, measure, winners } from './cosine.ts';

test('five documents have the figures of the article', () => {
	const measured = measure([2, 1], 0);
	expect(measured.map((one) => one.dot)).toEqual([3, 10, 12, 0, -5]);
	expect(measured.map((one) => one.cosine!.toFixed(3))).toEqual([
		'0.949',
		'1.000',
		'0.894',
		'0.000',
		'-1.000',
	]);
	expect(measured.map((one) => one.distance.toFixed(3))).toEqual([
		'1.000',
		'2.236',
		'4.123',
		'3.162',
		'4.472',
	]);
	expect(winners(measured)).toEqual({ dot: 'C', cosine: 'B', distance: 'A' });
});

test('a cosine is positive, 0 and negative on the sides of the right angle, and stays between −1 and 1', () => {
	expect(cosine([1, 0], [1, 0.01])).toBeGreaterThan(0);
	expect(cosine([1, 0], [0, 5])).toBe(0);
	expect(cosine([1, 0], [-0.01, 5])).toBeLessThan(0);
	expect(cosine([0.1, 0.7], [0.3, 2.1])).toBeLessThanOrEqual(1);
	expect(cosine([0.1, 0.7], [-0.3, -2.1])).toBeGreaterThanOrEqual(-1);
	expect(cosine([0, 0], [1, 1])).toBeNull();
});

test('a longer query changes dot products and distances, and no cosine', () => {
	const [short, long] = [measure([2, 1], 0), measure([4, 2], 0)];
	expect(long.map((one) => one.cosine!.toFixed(9))).toEqual(
		short.map((one) => one.cosine!.toFixed(9)),
	);
	expect(long[0]!.dot).toBe(2 * short[0]!.dot);
	expect(winners(long).distance).toBe('B');
});

test('a shared offset lifts every cosine and moves no distance', () => {
	const [before, after] = [measure([2, 1], 0), measure([2, 1], 6)];
	expect(after.map((one) => one.distance)).toEqual(before.map((one) => one.distance));
	expect(Math.min(...after.map((one) => one.cosine!))).toBeGreaterThan(0.9);
	expect(after[4]!.cosine).toBeCloseTo(67 / Math.sqrt(113 * 41), 9);
});

test('a query on the origin has no cosine with anything', () => {
	expect(measure([-6, -6], 6).map((one) => one.cosine)).toEqual([null, null, null, null, null]);
});
