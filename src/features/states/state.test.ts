import { expect, test } from 'vitest';
import {
	aiDensity,
	asOfText,
	byOccupation,
	comparableWork,
	countedText,
	figureText,
	isPartial,
	nameAndBody,
	paidText,
	stateQuestions,
	type Figure,
	type State,
} from './state.ts';
import { aiWork, COUNTED } from './figures.ts';

const occupation = (employment: number | null, annualMeanWage: number | null) => ({
	employment,
	annualMeanWage,
});

test.each([
	[1600, undefined, '1,600'],
	[0, 'jobs', '0'],
	[101000, 'US dollars a year', '$101,000'],
	[101000.4, 'US dollars a year', '$101,000'],
	[1.38, 'quotient', '1.38'],
	[null, 'jobs', 'not published'],
	[null, 'US dollars a year', 'not published'],
] as const)('%s in %s reads %s', (value, unit, text) => {
	expect(figureText(value, unit)).toBe(text);
});

test.each([
	[
		'both published: weighted by jobs',
		[occupation(300, 100_000), occupation(100, 140_000)],
		400,
		110_000,
	],
	['one not published', [null, occupation(60, 119_470)], 60, 119_470],
	['neither published', [null, null], null, null],
	['jobs withheld', [occupation(null, 90_000), occupation(60, 119_470)], 60, 119_470],
	[
		'a wage withheld: it does not pull the mean',
		[occupation(300, null), occupation(100, 140_000)],
		400,
		140_000,
	],
	['all wages withheld', [occupation(300, null), null], 300, null],
	['rounded to a dollar', [occupation(1, 100), occupation(2, 101)], 3, 101],
	['nothing to count', [], null, null],
])('AI work, %s', (_, occupations, aiJobs, averageSalary) => {
	expect(aiWork(occupations)).toEqual({ aiJobs, averageSalary });
});

const texas: State = {
	id: 's1',
	name: 'Texas',
	slug: 'texas',
	abbreviation: 'TX',
	population: 29_145_505,
	capital: 'Austin',
	majorCities: ['Houston', 'San Antonio', 'Dallas', 'Austin'],
	aiCompanies: ['A', 'B', 'C', 'D', 'E', 'F'],
	universities: ['U1', 'U2', 'U3', 'U4'],
	techHubs: [],
	aiJobs: 22_140,
	averageSalary: 111_165,
	keyIndustries: ['Oil', 'Chips', 'Health', 'Space'],
	aiInitiatives: [],
	researchCenters: [],
	startupEcosystem: '',
	governmentSupport: [],
	answers: {
		companies: 'A does.',
		pay: 'Much.',
		study: 'At U1.',
		industries: 'Oil.',
		cities: 'Houston.',
	},
	description: '',
	metaTitle: '',
	metaDescription: '',
	keywords: [],
	figures: [],
	createdAt: '',
	updatedAt: '',
};

test('a state has five questions, each about the state and answered', () => {
	const questions = stateQuestions(texas);
	expect(questions.map(({ answer }) => answer)).toEqual([
		'A does.',
		'Much.',
		'At U1.',
		'Oil.',
		'Houston.',
	]);
	for (const { question } of questions) expect(question).toMatch(/Texas.*\?$/);
});

test('a question without an answer is not asked', () => {
	expect(stateQuestions({ ...texas, answers: { pay: 'Much.' } })).toHaveLength(1);
	expect(stateQuestions({ ...texas, answers: {} })).toEqual([]);
});

const jobs = (key: string, label: string, value: number | null): Figure => ({
	key: `${key}.employment`,
	label: `${label}: employment`,
	value,
	unit: 'jobs',
	source: 'S',
	asOf: '2023-05',
});
const counting = (dataScientists: number | null, researchers: number | null): State => ({
	...texas,
	aiJobs: dataScientists === null && researchers === null ? null : 100,
	figures: [
		jobs('dataScientists', 'Data Scientists (15-2051)', dataScientists),
		jobs('computerAndInformationResearchScientists', 'Research (15-1221)', researchers),
		jobs('allOccupations', 'All occupations', 40_000),
	],
});

test.each([
	[
		'both',
		counting(20_560, 1580),
		'20,560 Data Scientists plus 1,580 Computer and Information Research Scientists.',
		false,
	],
	[
		'one',
		counting(7400, null),
		'7,400 Data Scientists only: the number of Computer and Information Research Scientists is withheld.',
		true,
	],
	[
		'the other',
		counting(null, 60),
		'60 Computer and Information Research Scientists only: the number of Data Scientists is withheld.',
		true,
	],
	[
		'neither',
		counting(null, null),
		'The bureau withheld both occupations that are counted elsewhere.',
		false,
	],
] as const)('what is counted is said: %s', (_, state, text, partial) => {
	expect(countedText(state)).toBe(text);
	expect(isPartial(state)).toBe(partial);
});

/** A state with a mean wage of each of the two occupations, or none. */
const paying = (state: State, ...wages: (number | null)[]): State => ({
	...state,
	figures: [
		...state.figures,
		...Object.keys(COUNTED).map((key, index) => ({
			...jobs(key, key, wages[index] ?? null),
			key: `${key}.annualMeanWage`,
		})),
	],
});

test('only what counts both occupations is compared with other states', () => {
	const work = { aiJobs: 110, averageSalary: 1 };
	const state = { ...counting(50, 60), ...work };
	expect(comparableWork(paying(state, 1, 1))).toEqual(work);
	expect(comparableWork(paying(state, 1, null))).toEqual({ ...work, averageSalary: null });
	const nothing = { aiJobs: null, averageSalary: null };
	expect(comparableWork({ ...counting(50, null), ...work })).toEqual(nothing);
	expect(comparableWork({ ...counting(null, null), ...nothing })).toEqual(nothing);
});

test.each([
	['both', paying(counting(50, 60), 1, 1), 1, 'of the same jobs'],
	['one', paying(counting(50, 60), 1, null), 1, 'without Computer and Information Research'],
	['neither', paying(counting(50, null), null, null), null, 'the wage is withheld'],
	['neither, and no jobs', counting(null, null), null, 'no jobs were published'],
] as const)('what the average is a mean of is said: %s', (_, state, averageSalary, text) => {
	expect(paidText({ ...state, averageSalary })).toContain(text);
});

test('AI jobs per 1,000 jobs have two decimals, and none where nothing is published', () => {
	expect(aiDensity(counting(50, 50))).toBe(2.5);
	expect(aiDensity(counting(null, null))).toBeNull();
	expect(aiDensity(texas)).toBeNull();
});

test('figures are tabled by occupation; one without any is left out, one withheld is called so', () => {
	const state = counting(20, null);
	const wage: Figure = {
		...state.figures[0]!,
		label: 'Data Scientists (15-2051): wage',
		value: null,
	};
	expect(byOccupation({ ...state, figures: [...state.figures, wage] })).toEqual({
		measures: ['employment', 'wage'],
		rows: [
			{ name: 'Data Scientists (15-2051)', cells: ['20', 'withheld'] },
			{ name: 'All occupations', cells: ['40,000', ''] },
		],
	});
});

test.each([
	['2023-05', 'May 2023'],
	['2020-04-01', 'April 1, 2020'],
])('%s reads %s', (asOf, text) => {
	expect(asOfText(asOf)).toBe(text);
});

test.each([
	[
		'Texas Robotics (The University of Texas at Austin)',
		'Texas Robotics',
		'The University of Texas at Austin',
	],
	['Port San Antonio', 'Port San Antonio', ''],
	['A (b) and c', 'A (b) and c', ''],
	['A (b) and c (D)', 'A (b) and c', 'D'],
])('%s is by its body', (item, name, body) => {
	expect(nameAndBody(item)).toEqual([name, body]);
});
