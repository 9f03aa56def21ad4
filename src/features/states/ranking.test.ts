import { expect, test } from 'vitest';
import {
	compareValues,
	figureIn,
	findingText,
	LEVELS,
	levelOf,
	levelText,
	measureText,
	type Measure,
	ordinal,
	plateOf,
	rankOf,
	rankText,
} from './ranking.ts';

test.each([
	[null, 0],
	[0, 1],
	[1499, 1],
	[1500, 2],
	[3999, 2],
	[4000, 3],
	[6999, 3],
	[7000, 4],
	[11_999, 4],
	[12_000, 5],
	[47_750, 5],
])('%s AI jobs are on level %i', (jobs, level) => {
	expect(levelOf(jobs, 'jobs')).toBe(level);
});

test('the legend says each level in numbers, and that nothing was published', () => {
	const textsOf = (measure: Measure) =>
		[...LEVELS, 0 as const].map((level) => levelText(level, measure));
	expect(textsOf('jobs')).toEqual([
		'under 1,500',
		'1,500 to 4,000',
		'4,000 to 7,000',
		'7,000 to 12,000',
		'12,000 or more',
		'not published in full',
	]);
	expect(textsOf('density').slice(0, 2)).toEqual(['under 1.1', '1.1 to 1.5']);
	expect(textsOf('pay').slice(3, 5)).toEqual(['$125,000 to $140,000', '$140,000 or more']);
});

test('the map says value and place, and nothing of what is withheld', () => {
	const rank = { place: 5, total: 37, shared: false };
	expect(measureText(1.6, rank, 'density')).toBe('1.60 per 1,000 jobs, 5th of 37 states');
	expect(measureText(111_165, rank, 'pay')).toBe('$111,165 a year, 5th of 37 states');
	expect(measureText(null, null, 'jobs')).toBe('not published in full');
});

test('places count only what is published; equal values share a place', () => {
	const values = [50, null, 70, 50, 10];
	expect(values.map((value) => rankOf(values, value))).toEqual([
		{ place: 2, total: 4, shared: true },
		null,
		{ place: 1, total: 4, shared: false },
		{ place: 2, total: 4, shared: true },
		{ place: 4, total: 4, shared: false },
	]);
	expect(rankText({ place: 2, total: 49, shared: false })).toBe('2nd of 49 states');
	expect(rankText({ place: 36, total: 49, shared: true })).toBe('shared 36th of 49 states');
});

test.each([
	[1, '1st'],
	[2, '2nd'],
	[3, '3rd'],
	[4, '4th'],
	[11, '11th'],
	[12, '12th'],
	[13, '13th'],
	[21, '21st'],
	[42, '42nd'],
])('%i is %s', (n, text) => {
	expect(ordinal(n)).toBe(text);
});

test.each([
	['22,140', 22_140],
	['$111,165', 111_165],
	['2.27', 2.27],
	['200†, one of two occupations', 200],
	['not published', null],
	['', null],
])('a cell that reads %j holds %s', (text, value) => {
	expect(figureIn(text)).toBe(value);
});

test('what is not published comes last, whichever way a column is sorted', () => {
	const sorted = (direction: 'ascending' | 'descending') =>
		[3, null, 10, 1].toSorted((a, b) => compareValues(a, b, direction));
	expect(sorted('ascending')).toEqual([1, 3, 10, null]);
	expect(sorted('descending')).toEqual([10, 3, 1, null]);
	const names = ['Ohio', 'New York', 'Alabama'];
	expect(names.toSorted((a, b) => compareValues(a, b, 'ascending'))).toEqual([
		'Alabama',
		'New York',
		'Ohio',
	]);
});

test('the map says where there is most and least, and how much of it is known', () => {
	const states = [3, null, 1, 2, 4].map((value, at) => ({ name: 'ABCDE'[at]!, value }));
	expect(findingText(states, 'density')).toBe(
		'Most in E (4.00), A (3.00), and D (2.00); least in C (1.00). 4 of 5 are published in full.',
	);
	const known = states.filter(({ value }) => value !== null);
	expect(findingText(known, 'pay')).toBe('Most in E ($4), A ($3), and D ($2); least in C ($1).');
	expect(findingText(states.slice(0, 3), 'jobs')).toBe('');
});

test('the plate of a note is as long as its words, and ends where they end', () => {
	const { x, width } = plateOf(500, false, 'Utah, UT: 3.23');
	expect(x).toBeLessThan(500);
	expect(plateOf(500, true, 'Utah, UT: 3.23')).toEqual({ x: 1000 - x - width, width });
	expect(plateOf(500, false, 'Utah').width).toBeLessThan(width);
});
