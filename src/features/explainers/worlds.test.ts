import { expect, test } from 'vitest';
import { differences, EFFECTS, type WorldName } from './worlds.ts';

const inArticle: [WorldName, number[]][] = [
	['before', [-5.0, 5.1, 5.5, 5.3, 5.1]],
	['between', [9.5, -2.7, -3.4, -3.0, 9.5]],
	['after', [0.4, 23.0, 9.4, 14.8, 0.0]],
];

test.each(inArticle)('the world %s has the differences that the article drew', (name, drawn) => {
	const exact = differences({ name, strength: 1, effect: EFFECTS[name] });
	const values = [exact.pooled, ...exact.split, exact.adjusted, exact.true];
	// The article's figures have a standard error of 0.3 to 0.5 points.
	values.forEach((value, i) => expect(Math.abs(100 * value - drawn[i]!)).toBeLessThan(1));
});

test.each(['before', 'after'] as const)('without a link to g all differences agree: %s', (name) => {
	const { pooled, split, adjusted, true: truth } = differences({ name, strength: 0, effect: 0.04 });
	for (const value of [pooled, ...split, adjusted]) expect(value).toBeCloseTo(truth);
	expect(truth).toBeCloseTo(0.04);
});

test('what works only by way of g has no effect once g is held fixed', () => {
	const {
		pooled,
		adjusted,
		true: truth,
	} = differences({ name: 'between', strength: 1, effect: 0 });
	expect(adjusted).toBeCloseTo(0);
	expect(pooled).toBeCloseTo(0.125);
	expect(truth).toBeCloseTo(0.125);
});

test('a weaker link hides a sign that does not change: the pooled difference is 1, the true one 5', () => {
	const { pooled, true: truth } = differences({ name: 'before', strength: 0.4, effect: 0.05 });
	expect(100 * pooled).toBeCloseTo(1, 1);
	expect(100 * truth).toBeCloseTo(5);
});
