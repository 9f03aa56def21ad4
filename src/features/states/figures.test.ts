import { expect, test } from 'vitest';
import type { Figure } from '#db/schema.ts';
import { changeOf, computeFrom, inOrder, seriesOf, splitByAge, workYear } from './figures.ts';

const figure = (key: string, asOf: string, value: number | null): Figure => ({
	key,
	label: key,
	value,
	unit: 'jobs',
	source: 'S',
	asOf,
});
const scientists = (asOf: string, jobs: number | null, wage: number | null = 100) => [
	figure('dataScientists.employment', asOf, jobs),
	figure('dataScientists.annualMeanWage', asOf, wage),
];
const researchers = (asOf: string, jobs: number | null, wage: number | null = 200) => [
	figure('computerAndInformationResearchScientists.employment', asOf, jobs),
	figure('computerAndInformationResearchScientists.annualMeanWage', asOf, wage),
];

test('the newest of each kind is shown, whatever order they are in', () => {
	const [a, b, c] = [figure('k', '2023-05', 1), figure('k', '2024', 2), figure('l', '2020', 3)];
	expect(splitByAge([a, c, b])).toEqual({ newest: [b, c], earlier: [a] });
	expect(inOrder([a, c, b])).toEqual([b, a, c]);
	expect(splitByAge([])).toEqual({ newest: [], earlier: [] });
});

test('no two years are added: the jobs are of the newest that both occupations have', () => {
	const both = [...scientists('2023-05', 30), ...researchers('2023-05', 10)];
	expect(computeFrom(both)).toMatchObject({ aiJobs: 40, averageSalary: 125 });
	const half = [...both, ...scientists('2024-05', 90)];
	expect(workYear(half)).toBe('2023');
	expect(computeFrom(half)).toMatchObject({ aiJobs: 40 });
	const whole = [...half, ...researchers('2024-05', null, null)];
	expect(computeFrom(whole)).toMatchObject({ aiJobs: 90, averageSalary: 100 });
	expect(computeFrom(scientists('2022', 5))).toMatchObject({ aiJobs: 5 });
	expect(computeFrom([])).toEqual({ population: null, aiJobs: null, averageSalary: null });
});

test('a chart needs two years that count the same', () => {
	const year = (of: string, jobs: number, other: number | null) => [
		...scientists(of, jobs),
		...researchers(of, other),
	];
	expect(seriesOf(year('2023', 30, 10))).toEqual([]);
	expect(seriesOf([...year('2024', 31, 11), ...year('2023', 30, 10)])).toMatchObject([
		{
			title: 'AI jobs',
			years: [
				{ year: '2023', value: 40 },
				{ year: '2024', value: 42 },
			],
		},
		{ title: 'Average AI salary' },
	]);
	const [jobs] = seriesOf([...year('2024', 31, 11), ...year('2023', 30, 10)]);
	expect(changeOf(jobs!)).toEqual({ kind: 'AI jobs, 2023 to 2024', percent: 5 });
	const withheld = [...year('2024', 31, null), ...year('2023', 30, 10), ...year('2022', 29, null)];
	expect(seriesOf(withheld)[0]?.years).toEqual([
		{ year: '2022', value: 29 },
		{ year: '2024', value: 31 },
	]);
});
