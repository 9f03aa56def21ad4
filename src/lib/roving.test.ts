import { expect, test } from 'vitest';
import { nextItem } from './roving.ts';

test.each([
	['ArrowRight', 0, 1],
	['ArrowRight', 2, 0],
	['ArrowLeft', 0, 2],
	['ArrowLeft', 2, 1],
	['Home', 2, 0],
	['End', 0, 2],
	['a', 0, null],
])('%s on item %i of 3 leads to %s', (key, index, next) => {
	expect(nextItem(key, index, 3)).toBe(next);
});
