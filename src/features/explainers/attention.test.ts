import { expect, test } from 'vitest';
import { attend, QUERIES, softmax, type Vector } from './attention.ts';

const both = { isCausal: true, isScaled: true };
const round = (values: readonly (number | null)[]) =>
	values.map((value) => (value === null ? null : Number(value.toFixed(4))));

test('a softmax sums to 1, knows only differences and does not overflow', () => {
	expect(softmax([0, 0])).toEqual([0.5, 0.5]);
	const weights = softmax([1000, 1001, 999]);
	expect(weights.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
	expect(round(weights)).toEqual(round(softmax([0, 1, -1])));
});

test('three tokens have the weights and outputs that the article works out', () => {
	const rows = attend(QUERIES, both);
	expect(rows.map(({ weights }) => round(weights))).toEqual([
		[1, null, null],
		[0.1956, 0.8044, null],
		[0.2483, 0.2483, 0.5035],
	]);
	expect(rows.map(({ output }) => output.map((value) => Number(value.toFixed(3))))).toEqual([
		[10, 0],
		[1.956, 8.044],
		[3.49, 4.497],
	]);
});

test('the first token has only itself to look at, whatever its query says, until the mask is taken off', () => {
	const moved: Vector[] = [[-3, 4], ...QUERIES.slice(1)];
	expect(attend(moved, both)[0]!.output).toEqual([10, 0]);
	expect(attend(moved, { ...both, isCausal: false })[0]!.weights).not.toContain(null);
	expect(attend(moved, { ...both, isCausal: false })[0]!.output).not.toEqual([10, 0]);
});

test('a longer query of the same direction, or scores that are not scaled, sharpen the same choice', () => {
	const best = (query: Vector, isScaled: boolean) =>
		attend([QUERIES[0]!, QUERIES[1]!, query], { isCausal: true, isScaled })[2]!.weights[2]!;
	expect(best([2, 1], true)).toBeCloseTo(0.5035, 4);
	expect(best([4, 2], true)).toBeCloseTo(0.6728, 3);
	expect(best([2, 1], false)).toBeCloseTo(0.5761, 3);
	expect(best([0, 0], true)).toBeCloseTo(1 / 3, 12);
});
