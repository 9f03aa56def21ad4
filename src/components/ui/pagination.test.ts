import { expect, test } from 'vitest';
import { pageNumbers } from './pagination.ts';

test.each([
	[1, 1, [1]],
	[1, 2, [1, 2]],
	[2, 3, [1, 2, 3]],
	[1, 4, [1, 2, 3, 4]],
	[1, 5, [1, 2, 0, 5]],
	[4, 7, [1, 2, 3, 4, 5, 6, 7]],
	[5, 9, [1, 0, 4, 5, 6, 0, 9]],
	[9, 9, [1, 0, 8, 9]],
])('on page %i of %i the numbers are %j', (page, pages, numbers) => {
	expect(pageNumbers(page, pages)).toEqual(numbers);
});
