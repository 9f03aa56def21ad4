import type { Figure } from '#db/schema.ts';

/** A kind of figure, which counts the same in every year. */
export type FigureKind = { key: string; unit: Figure['unit']; labelOf: (year: string) => string };

const OCCUPATIONS = {
	dataScientists: 'Data Scientists (15-2051)',
	computerAndInformationResearchScientists:
		'Computer and Information Research Scientists (15-1221)',
	softwareDevelopers: 'Software Developers (15-1252)',
	allOccupations: 'All occupations',
} as const;
const MEASURES = {
	employment: ['employment', 'jobs'],
	annualMeanWage: ['annual mean wage', 'US dollars a year'],
	annual25thPercentile: ['annual wage, 25th percentile', 'US dollars a year'],
	annualMedianWage: ['annual median wage', 'US dollars a year'],
	annual75thPercentile: ['annual wage, 75th percentile', 'US dollars a year'],
	jobsPer1000: ['jobs per 1,000', 'per 1,000 jobs'],
	locationQuotient: ['location quotient', 'quotient'],
} as const;
/** The same for every state: 1,000 per 1,000, and 1. */
const CONSTANT = ['allOccupations.jobsPer1000', 'allOccupations.locationQuotient'];

const ALL: FigureKind[] = [
	{ key: 'population', unit: 'people', labelOf: (year) => `Population, ${year} Census` },
	{ key: 'populationEstimate', unit: 'people', labelOf: (year) => `Population, ${year} estimate` },
	...Object.entries(OCCUPATIONS).flatMap(([occupation, name]) =>
		Object.entries(MEASURES).map(([measure, [label, unit]]) => ({
			key: `${occupation}.${measure}`,
			unit,
			labelOf: () => `${name}: ${label}`,
		})),
	),
];

/** All kinds, in the order in which a state has its figures. */
export const FIGURE_KINDS: readonly FigureKind[] = ALL.filter(({ key }) => !CONSTANT.includes(key));

export function yearOf({ asOf }: Pick<Figure, 'asOf'>): string {
	return asOf.slice(0, 4);
}

/** Returns the newest figure of each kind, in the order of kinds, and all others. */
export function splitByAge(figures: Figure[]): { newest: Figure[]; earlier: Figure[] } {
	const newest = [...Map.groupBy(figures, ({ key }) => key).values()].map((years) =>
		years.reduce((best, figure) => (figure.asOf > best.asOf ? figure : best)),
	);
	return { newest, earlier: figures.filter((figure) => !newest.includes(figure)) };
}

/** Months after which a source should have published the next figure: the bureau's come out two springs later, estimates in winter. */
const NEXT_MONTHS = { work: 24, estimate: 18, census: 132 };

/** Returns whether a newer figure of this kind should be out. */
export function isReleased({ key, asOf }: Pick<Figure, 'key' | 'asOf'>, now: Date): boolean {
	const kind = { population: 'census', populationEstimate: 'estimate' }[key] ?? 'work';
	const next = new Date(asOf);
	next.setUTCMonth(next.getUTCMonth() + NEXT_MONTHS[kind as keyof typeof NEXT_MONTHS]);
	return next < now;
}

/** Returns figures in the order of their kinds, the newest of each first. */
export function inOrder(figures: Figure[]): Figure[] {
	const keys = [...new Set([...FIGURE_KINDS, ...figures].map(({ key }) => key))];
	return figures.toSorted(
		(a, b) => keys.indexOf(a.key) - keys.indexOf(b.key) || (a.asOf < b.asOf ? 1 : -1),
	);
}

type Occupation = { employment: number | null; annualMeanWage: number | null } | null;
type Work = { aiJobs: number | null; averageSalary: number | null };

/** Returns jobs and employment-weighted mean wage of the occupations that the bureau published. */
export function aiWork(occupations: Occupation[]): Work {
	const counted = occupations.filter((occupation) => occupation?.employment != null) as {
		employment: number;
		annualMeanWage: number | null;
	}[];
	if (counted.length === 0) return { aiJobs: null, averageSalary: null };
	const aiJobs = counted.reduce((sum, { employment }) => sum + employment, 0);
	const paid = counted.filter((occupation) => occupation.annualMeanWage !== null);
	const paidJobs = paid.reduce((sum, { employment }) => sum + employment, 0);
	const wages = paid.reduce(
		(sum, occupation) => sum + occupation.employment * occupation.annualMeanWage!,
		0,
	);
	return { aiJobs, averageSalary: paidJobs ? Math.round(wages / paidJobs) : null };
}

/** The occupations that “AI jobs” adds. */
export const COUNTED = {
	dataScientists: 'Data Scientists',
	computerAndInformationResearchScientists: 'Computer and Information Research Scientists',
} as const;
const COUNTED_KEYS = Object.keys(COUNTED) as (keyof typeof COUNTED)[];

/** Returns the figure of a kind and year. */
export function figureIn(figures: Figure[], key: string, year: string | undefined) {
	return figures.find((figure) => figure.key === key && yearOf(figure) === year);
}

/** Returns the years, newest first, of which both counted occupations have an entry, be it that none is published. */
function workYears(figures: Figure[]): string[] {
	const [first, second] = COUNTED_KEYS.map(
		(key) => new Set(figures.filter((one) => one.key === `${key}.employment`).map(yearOf)),
	) as [Set<string>, Set<string>];
	const both = first.intersection(second);
	return [...(both.size > 0 ? both : first.union(second))].sort().reverse();
}

/** Returns the year of “AI jobs”: the newest that both occupations have an entry of, so that no two years are added. */
export function workYear(figures: Figure[]): string | undefined {
	return workYears(figures)[0];
}

function workIn(figures: Figure[], year: string | undefined): Work {
	const valueOf = (key: string) => figureIn(figures, key, year)?.value ?? null;
	return aiWork(
		COUNTED_KEYS.map((key) => ({
			employment: valueOf(`${key}.employment`),
			annualMeanWage: valueOf(`${key}.annualMeanWage`),
		})),
	);
}

/** Returns the numbers that a state has besides its figures. The population is null where there is no census. */
export function computeFrom(figures: Figure[]): Work & { population: number | null } {
	const population = splitByAge(figures).newest.find(({ key }) => key === 'population');
	return { population: population?.value ?? null, ...workIn(figures, workYear(figures)) };
}

/** Values of several years, the earliest first. */
export type Series = {
	title: string;
	unit: Figure['unit'];
	years: { year: string; value: number }[];
};

/** Returns what is published of two or more years. Years that count other occupations than the newest are left out. */
export function seriesOf(figures: Figure[]): Series[] {
	const [newest, ...rest] = workYears(figures);
	const countedIn = (measure: string, year: string | undefined) =>
		COUNTED_KEYS.filter(
			(key) => figureIn(figures, `${key}.${measure}`, year)?.value != null,
		).join();
	const counting = (...measures: string[]) =>
		[newest, ...rest]
			.filter((year) => year !== undefined)
			.filter((year) =>
				measures.every((measure) => countedIn(measure, year) === countedIn(measure, newest)),
			)
			.map((year) => ({ year, ...workIn(figures, year) }));
	const estimates = figures.filter(({ key }) => key === 'populationEstimate');
	const series = [
		{
			title: 'AI jobs',
			unit: 'jobs' as const,
			years: counting('employment').map(({ year, aiJobs }) => ({ year, value: aiJobs })),
		},
		{
			title: 'Average AI salary',
			unit: 'US dollars a year' as const,
			years: counting('employment', 'annualMeanWage').map(({ year, averageSalary }) => ({
				...{ year, value: averageSalary },
			})),
		},
		{
			title: 'Population, estimates',
			unit: 'people' as const,
			years: estimates.map((figure) => ({ year: yearOf(figure), value: figure.value })),
		},
	];
	return series
		.map((one) => ({
			...one,
			years: one.years
				.filter((point): point is { year: string; value: number } => point.value !== null)
				.sort((a, b) => a.year.localeCompare(b.year)),
		}))
		.filter((one) => one.years.length > 1);
}

/** Returns the change from the first to the last year of a series, in percent, and what it may be compared with: the same of the same years. */
export function changeOf({ title, years }: Series): { kind: string; percent: number } {
	const [first, last] = [years[0]!, years.at(-1)!];
	return {
		kind: `${title}, ${first.year} to ${last.year}`,
		percent: (100 * (last.value - first.value)) / first.value,
	};
}
