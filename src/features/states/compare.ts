import type { Figure } from '#db/schema.ts';
import { aiDensity, figureOf, figureText, type State } from './state.ts';

type Measure = { label: string; unit: Figure['unit']; valueOf: (state: State) => number | null };
const publishedMeasure = (key: string, label: string, unit: Figure['unit']): Measure => ({
	label,
	unit,
	valueOf: (state) => figureOf(state, key)?.value ?? null,
});

/** Returns what is compared, in the order of the table's columns. */
export function measuresOf(states: State[]): Measure[] {
	const labelOf = (key: string, other: string) => {
		const labels = new Set(states.flatMap((state) => figureOf(state, key)?.label ?? []));
		return labels.size === 1 ? [...labels][0]! : other;
	};
	return [
		...MEASURES,
		{
			label: labelOf('population', 'Population, latest census'),
			unit: 'people',
			valueOf: ({ population }) => population,
		},
		publishedMeasure(
			'populationEstimate',
			labelOf('populationEstimate', 'Population, latest estimate'),
			'people',
		),
	];
}

/** Compared figures that have the same name in every year. */
const MEASURES: Measure[] = [
	{ label: 'AI jobs per 1,000 jobs', unit: 'per 1,000 jobs', valueOf: aiDensity },
	{ label: 'AI jobs', unit: 'jobs', valueOf: ({ aiJobs }) => aiJobs },
	{
		label: 'Average AI salary',
		unit: 'US dollars a year',
		valueOf: (state) => state.averageSalary,
	},
	publishedMeasure('dataScientists.employment', 'Data scientists: jobs', 'jobs'),
	publishedMeasure(
		'dataScientists.annualMeanWage',
		'Data scientists: mean wage',
		'US dollars a year',
	),
	publishedMeasure(
		'computerAndInformationResearchScientists.employment',
		'Research scientists: jobs',
		'jobs',
	),
	publishedMeasure(
		'computerAndInformationResearchScientists.annualMeanWage',
		'Research scientists: mean wage',
		'US dollars a year',
	),
	publishedMeasure('softwareDevelopers.employment', 'Software developers: jobs', 'jobs'),
	publishedMeasure(
		'softwareDevelopers.annualMeanWage',
		'Software developers: mean wage',
		'US dollars a year',
	),
	publishedMeasure('allOccupations.employment', 'All occupations: jobs', 'jobs'),
	publishedMeasure(
		'allOccupations.annualMeanWage',
		'All occupations: mean wage',
		'US dollars a year',
	),
];

/** Returns a sentence on who has the most of the first measure, and who pays best; nothing of what is not published of all, or is the same. */
export function leadersText(
	states: readonly { name: string; density: number | null; pay: number | null }[],
): string {
	const leader = (measure: 'density' | 'pay') => {
		const known = states.flatMap(({ name, ...state }) => {
			const value = state[measure];
			return value === null ? [] : { name, value };
		});
		const [first, second] = known.toSorted((a, b) => b.value - a.value);
		const isKnown = known.length === states.length && second;
		return isKnown && first!.value > second.value ? first : undefined;
	};
	const [most, best] = [leader('density'), leader('pay')];
	const jobs = most && `the most AI jobs per 1,000 jobs (${most.value.toFixed(2)})`;
	const pay =
		best && `the highest average AI salary (${figureText(best.value, 'US dollars a year')})`;
	if (most?.name === best?.name) return most ? `${most.name} has ${jobs} and ${pay}.` : '';
	return [most && `${most.name} has ${jobs}`, best && `${best.name} ${most ? '' : 'has '}${pay}`]
		.filter(Boolean)
		.join(', ')
		.concat('.');
}

/** Facts in words beside the figures: the first few of each list. */
export const TEXT_ROWS: { label: string; valueOf: (state: State) => string }[] = [
	{ label: 'Capital', valueOf: ({ capital }) => capital },
	{ label: 'AI companies', valueOf: ({ aiCompanies }) => aiCompanies.slice(0, 5).join(', ') },
	{ label: 'Universities', valueOf: ({ universities }) => universities.slice(0, 3).join(', ') },
	{ label: 'Key industries', valueOf: ({ keyIndustries }) => keyIndustries.slice(0, 4).join(', ') },
];
