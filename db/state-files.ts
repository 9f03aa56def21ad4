import type { Figure, StateAnswers, states } from './schema.ts';

/** Product code that reading a state's file needs. */
export type StateTools = {
	aiWork(occupations: (Occupation | null)[]): {
		aiJobs: number | null;
		averageSalary: number | null;
	};
	/** The kinds of figures that a state has, in order. */
	figureKinds: readonly { key: string; unit: Figure['unit']; labelOf: (year: string) => string }[];
};

type Occupation = {
	employment: number | null;
	annualMeanWage: number | null;
	annualMedianWage: number | null;
	jobsPer1000: number | null;
	locationQuotient: number | null;
};
type Counted = { value: number; source: string; link?: string; asOf: string };
type OccupationName =
	| 'allOccupations'
	| 'dataScientists'
	| 'computerAndInformationResearchScientists'
	| 'softwareDevelopers';
type SeedYear = { source: string; link?: string; asOf: string } & Record<
	OccupationName,
	Occupation | null
>;
export type SeedState = {
	name: string;
	abbreviation: string;
	capital: string;
	majorCities: string[];
	population: { census2020: Counted; estimate2025: Counted };
	/** By year, the newest first. */
	occupations: [SeedYear, ...SeedYear[]];
	description: string;
	metaTitle: string;
	metaDescription: string;
	aiCompanies: string[];
	universities: string[];
	techHubs: string[];
	keyIndustries: string[];
	aiInitiatives: string[];
	researchCenters: string[];
	startupEcosystem: string;
	governmentSupport: string[];
	answers: StateAnswers;
	keywords: string[];
};

/** Addresses below /ai-best-practices that are pages of their own. */
const RESERVED = new Set(['compare']);

/** Throws unless the slug can be the address of a state's page. */
export function assertStateSlug(slug: string): void {
	if (!RESERVED.has(slug) && /^[a-z]+(-[a-z]+)*$/.test(slug)) return;
	throw new Error(`content/states/${slug}.yaml cannot be a state: its address is not free.`);
}

/** Returns the row of a state as its file has it. */
export function stateRow(slug: string, file: SeedState, tools: StateTools) {
	assertStateSlug(slug);
	const { dataScientists, computerAndInformationResearchScientists } = file.occupations[0];
	const { name, abbreviation, population } = file;
	return {
		...textsOf(file, tools),
		name,
		abbreviation,
		slug,
		population: population.census2020.value,
		...tools.aiWork([dataScientists, computerAndInformationResearchScientists]),
	} satisfies typeof states.$inferInsert;
}

/** Returns what a file says that the admin can edit. */
export function textsOf(file: SeedState, tools: StateTools) {
	const {
		name: _name,
		abbreviation: _abbreviation,
		population: _,
		occupations: _work,
		...texts
	} = file;
	return { ...texts, figures: figuresOf(file, tools.figureKinds) };
}

/** Returns every published number of a state with its source, the source's address and date: by kind, the newest first. */
function figuresOf(
	{ population, occupations }: SeedState,
	kinds: StateTools['figureKinds'],
): Figure[] {
	return kinds.flatMap(({ key, unit, labelOf }) => {
		const [occupation, measure] = key.split('.') as [OccupationName, keyof Occupation | undefined];
		const counted =
			measure === undefined
				? [key === 'population' ? population.census2020 : population.estimate2025]
				: occupations
						.filter((year) => year.allOccupations && measure in year.allOccupations)
						.map(({ source, link, asOf, [occupation]: row }) => ({
							...{ value: row?.[measure] ?? null, source, link, asOf },
						}));
		return counted.map(({ value, source, link, asOf }) => {
			const label = labelOf(asOf.slice(0, 4));
			return { key, label, value, unit, source, ...(link && { link }), asOf };
		});
	});
}
