import { expect, test } from 'vitest';
import { limit, loss, path, polyak, START } from './descent.ts';

const lossAt = (steps: number, rate: number, momentum = 0) =>
	loss(path({ curvature: 50, rate, momentum }, steps)[steps]!, 50);

test.each([
	[0, ['75.0', '75.0', '75.0', '75.0']],
	[2, ['49.6', '46.1', '63.0', '72.7']],
	[10, ['40.9', '33.4', '31.5', '88.0']],
	[100, ['6.70', '0.879', '0.0184', '4.32e+5']],
])('after %i steps the losses are those of the article', (steps, losses) => {
	expect([0.01, 0.02, 0.039, 0.041].map((rate) => lossAt(steps, rate).toPrecision(3))).toEqual(
		losses,
	);
});

test('below 2/L the descent converges, above it diverges', () => {
	const bound = limit({ curvature: 50, momentum: 0 });
	expect(bound).toBe(0.04);
	expect(lossAt(2000, bound - 0.0005)).toBeLessThan(1e-6);
	expect(lossAt(2000, bound + 0.0005)).toBeGreaterThan(1e6);
});

test('a rate that blows up lowers the loss three times first', () => {
	const losses = [0, 1, 2, 3, 4].map((steps) => lossAt(steps, 0.041));
	expect(losses[1]).toBeLessThan(losses[0]!);
	expect(losses[2]).toBeLessThan(losses[1]!);
	expect(losses[3]).toBeLessThan(losses[2]!);
	expect(losses[4]).toBeGreaterThan(losses[3]!);
});

test("Polyak's pair is above the plain limit, below its own, and needs 45 steps", () => {
	const { rate, momentum } = polyak(50);
	expect(rate).toBeCloseTo(0.0614, 4);
	expect(momentum).toBeCloseTo(0.566, 3);
	expect(rate).toBeGreaterThan(limit({ curvature: 50, momentum: 0 }));
	expect(rate).toBeLessThan(limit({ curvature: 50, momentum }));
	expect(lossAt(44, 0.0614, 0.566)).toBeGreaterThan(1e-6);
	expect(lossAt(45, 0.0614, 0.566)).toBeLessThan(1e-6);
});

test('a path begins at the start and has a place for each step', () => {
	expect(path({ curvature: 50, rate: 0.01, momentum: 0 }, 0)).toEqual([START]);
	expect(path({ curvature: 50, rate: 0.02, momentum: 0 }, 1)).toEqual([START, [9.8, 0]]);
});
