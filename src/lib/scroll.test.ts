// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { onScrollDepth, scrollDepth } from './scroll.ts';

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

test('what a jump leaps over is not read: depth is told with where reading began', () => {
	Object.defineProperty(document.documentElement, 'scrollHeight', { value: 1000 + innerHeight });
	const link = document.createElement('a');
	link.href = '#end';
	document.body.append(link);
	const told: [number, number][] = [];
	onScrollDepth((depth, from) => {
		told.push([depth, from]);
		return depth === 100;
	});
	const scroll = (y: number) => {
		vi.stubGlobal('scrollY', y);
		dispatchEvent(new Event('scroll'));
	};
	scroll(300);
	link.click();
	scroll(500);
	scroll(800);
	dispatchEvent(new Event('scrollend'));
	scroll(900);
	scroll(600);
	scroll(700);
	scroll(1000);
	scroll(900);
	expect(told).toEqual([
		[30, 0],
		[90, 80],
		[60, 60],
		[70, 60],
		[100, 60],
	]);
	vi.unstubAllGlobals();
});
