import { expect, test } from 'vitest';
import { ceiling, choose, largestNormal } from './budget.ts';

test.each([
	[1, 0],
	[2, 1 / Math.sqrt(Math.PI)],
	[3, 1.5 / Math.sqrt(Math.PI)],
	[100, 2.5076],
	[2000, 3.4354],
])('the largest of %i normal numbers is expected at %f', (count, expected) => {
	expect(largestNormal(count)).toBeCloseTo(expected, 3);
});

test.each([
	[1, 0.7996, 0.0],
	[5, 0.8146, 0.0227],
	[20, 0.8232, 0.031],
	[100, 0.8312, 0.0384],
	[500, 0.8376, 0.0446],
	[2000, 0.8423, 0.0493],
])('the best of %i equal models is reported as in the article', (models, reported, bound) => {
	const chosen = choose({ models, examples: 1000, spread: 0 });
	// The article draws binomial scores, whose upper tail is a little shorter.
	expect(Math.abs(chosen.reported - reported)).toBeLessThan(0.0015);
	expect(chosen.true).toBe(0.8);
	expect(ceiling(models, chosen.noise)).toBeCloseTo(bound, 4);
});

test.each([
	[0.005, 0.8337, 0.8045],
	[0.01, 0.8396, 0.8154],
	[0.02, 0.8579, 0.843],
])('with a true spread of %f the winner is really better, and reported too high', (...row) => {
	const [spread, reported, truth] = row;
	const chosen = choose({ models: 100, examples: 1000, spread });
	expect(Math.abs(chosen.reported - reported)).toBeLessThan(0.0015);
	expect(Math.abs(chosen.true - truth)).toBeLessThan(0.0015);
});
