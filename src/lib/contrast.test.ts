import { expect, test } from 'vitest';
import { contrast } from './contrast.ts';

test.each([
	['#000000', '#ffffff', 21],
	['#ffffff', '#000000', 21],
	['#777777', '#ffffff', 4.48],
	['#767676', '#ffffff', 4.54],
	['#0E7490', '#FAFAF7', 5.13],
	['#abcdef', '#ABCDEF', 1],
])('%s and %s', (one, other, ratio) => {
	expect(contrast(one, other)).toBeCloseTo(ratio, 1);
});
