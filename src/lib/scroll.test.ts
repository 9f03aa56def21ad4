import { expect, test } from 'vitest';
import { scrollDepth } from './scroll.ts';

const page = { innerHeight: 1000, scrollHeight: 5000 };

test.each([
	[0, 0],
	[1000, 25],
	[3600, 90],
	[3998, 99.95],
	[3999, 100],
	[4000, 100],
	// Beyond the edges, where a finger pulls the page.
	[-50, 0],
	[4050, 100],
])('%s pixels down are %s percent', (scrollY, percent) => {
	expect(scrollDepth({ ...page, scrollY })).toBeCloseTo(percent, 5);
});

test('a page that fits into its window has no depth', () => {
	expect(scrollDepth({ scrollY: 0, innerHeight: 1000, scrollHeight: 1000 })).toBe(0);
	expect(scrollDepth({ scrollY: 0, innerHeight: 1000, scrollHeight: 900 })).toBe(0);
});
