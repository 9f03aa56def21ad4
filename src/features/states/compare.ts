import type { Figure } from '#db/schema.ts';
import { aiDensity, figureOf, type State } from './state.ts';

type Measure = { label: string; unit: Figure['unit']; of: (state: State) => number | null };
const published = (key: string, label: string, unit: Figure['unit']): Measure => ({
	label,
	unit,
	of: (state) => figureOf(state, key)?.value ?? null,
});

/** What is compared, in the order of the table's columns. */
export const MEASURES: Measure[] = [
	{ label: 'Population, 2020 Census', unit: 'people', of: ({ population }) => population },
	published('populationEstimate', 'Population, 2025 estimate', 'people'),
	{ label: 'AI jobs', unit: 'jobs', of: ({ aiJobs }) => aiJobs },
	{ label: 'AI jobs per 1,000 jobs', unit: 'per 1,000 jobs', of: aiDensity },
	{ label: 'Average AI salary', unit: 'US dollars a year', of: (state) => state.averageSalary },
	published('dataScientists.employment', 'Data scientists: jobs', 'jobs'),
	published('dataScientists.annualMeanWage', 'Data scientists: mean wage', 'US dollars a year'),
	published(
		'computerAndInformationResearchScientists.employment',
		'Research scientists: jobs',
		'jobs',
	),
	published(
		'computerAndInformationResearchScientists.annualMeanWage',
		'Research scientists: mean wage',
		'US dollars a year',
	),
	published('softwareDevelopers.employment', 'Software developers: jobs', 'jobs'),
	published(
		'softwareDevelopers.annualMeanWage',
		'Software developers: mean wage',
		'US dollars a year',
	),
	published('allOccupations.employment', 'All occupations: jobs', 'jobs'),
	published('allOccupations.annualMeanWage', 'All occupations: mean wage', 'US dollars a year'),
];

/** What is put beside the figures in words: the first few of each list. */
export const WORDS: { label: string; of: (state: State) => string }[] = [
	{ label: 'Capital', of: ({ capital }) => capital },
	{ label: 'AI companies', of: ({ aiCompanies }) => aiCompanies.slice(0, 5).join(', ') },
	{ label: 'Universities', of: ({ universities }) => universities.slice(0, 3).join(', ') },
	{ label: 'Key industries', of: ({ keyIndustries }) => keyIndustries.slice(0, 4).join(', ') },
];
