import type { Figure, StateAnswers } from '#db/schema.ts';
import { longDate } from '#src/lib/dates.ts';
import { joinWithAnd, plural } from '#src/lib/text.ts';
import type { Measure } from './ranking.ts';
import { COUNTED, figureIn, workYear, yearOf } from './figures.ts';

export type { Figure };

/** A state's guide (product.md section 3). Numbers that no source publishes are null. */
export type State = {
	id: string;
	name: string;
	slug: string;
	abbreviation: string;
	population: number;
	capital: string;
	majorCities: string[];
	aiCompanies: string[];
	universities: string[];
	techHubs: string[];
	aiJobs: number | null;
	/** US dollars a year. */
	averageSalary: number | null;
	keyIndustries: string[];
	aiInitiatives: string[];
	researchCenters: string[];
	startupEcosystem: string;
	governmentSupport: string[];
	answers: Partial<StateAnswers>;
	description: string;
	metaTitle: string;
	metaDescription: string;
	keywords: string[];
	/** The newest of each kind. */
	figures: Figure[];
	/** Those of earlier years, if there are some. */
	earlier?: Figure[];
	createdAt: string;
	updatedAt: string;
};

export const STATES_IN_ALL = 50;
const NOT_PUBLISHED = 'not published';
const number = new Intl.NumberFormat('en-US');
const dollars = new Intl.NumberFormat('en-US', {
	style: 'currency',
	currency: 'USD',
	maximumFractionDigits: 0,
});

/** Returns the states of the site in words: a site may have some of them. */
export const whichStates = (count: number) =>
	count === STATES_IN_ALL ? `all ${count} US states` : plural(count, 'US state');

/** Returns a figure as text: "1,600", "$101,000", "not published". */
export function figureText(value: number | null, unit?: Figure['unit']): string {
	if (value === null) return NOT_PUBLISHED;
	return (unit === 'US dollars a year' ? dollars : number).format(value);
}

/** Source of jobs and wages, named beside each such figure. */
export const BUREAU = 'US Bureau of Labor Statistics, Occupational Employment and Wage Statistics';

/** Returns the two occupations in "AI jobs" with their jobs and mean wages in this state, null if withheld. */
function countedOccupations(state: State) {
	return Object.entries(COUNTED).map(([key, name]) => ({
		name,
		jobs: workFigure(state, `${key}.employment`)?.value ?? null,
		wage: workFigure(state, `${key}.annualMeanWage`)?.value ?? null,
	}));
}

/** Returns the occupation that has jobs in this state of which the mean wage is withheld. */
function unpaid(state: State): string | undefined {
	return countedOccupations(state).find(({ jobs, wage }) => jobs !== null && wage === null)?.name;
}

/** Returns a figure of the year that the state's AI jobs are counted in. */
function workFigure(state: State, key: string): Figure | undefined {
	const all = allFigures(state);
	return figureIn(all, key, workYear(all));
}

/** Returns the figures of all years. */
export function allFigures({ figures, earlier = [] }: State): Figure[] {
	return [...figures, ...earlier];
}

/** Returns whether only one of the two occupations is in the figure. */
export function isPartial(state: State): boolean {
	return countedOccupations(state).filter(({ jobs }) => jobs !== null).length === 1;
}

/** Returns a state's AI work as it may be compared with other states': null where one of the two occupations is withheld. */
export function comparableWork(state: State): Pick<State, 'aiJobs' | 'averageSalary'> {
	const { aiJobs, averageSalary } = state;
	if (isPartial(state)) return { aiJobs: null, averageSalary: null };
	return { aiJobs, averageSalary: unpaid(state) ? null : averageSalary };
}

/** Returns what the map shows of a state: null where one of the two occupations is withheld. */
export function measuresOfMap(state: State): Record<Measure, number | null> {
	const { aiJobs, averageSalary } = comparableWork(state);
	return { density: aiJobs === null ? null : aiDensity(state), pay: averageSalary, jobs: aiJobs };
}

/** Returns a sentence about what this state's number of AI jobs consists of. */
export function countedText(state: State): string {
	const counted = countedOccupations(state).filter(({ jobs }) => jobs !== null);
	const withheld = countedOccupations(state).find(({ jobs }) => jobs === null);
	const [first, second] = counted.map(({ name, jobs }) => `${figureText(jobs)} ${name}`);
	if (!first) return 'The bureau withheld both occupations that are counted elsewhere.';
	if (second) return `${first} plus ${second}.`;
	return `${first} only: the number of ${withheld!.name} is withheld.`;
}

/** Returns a sentence about what this state's average salary is a mean of. */
export function paidText(state: State): string {
	if (state.aiJobs === null) return 'No figure, because no jobs were published.';
	if (state.averageSalary === null) return 'No figure: the wage is withheld.';
	const name = unpaid(state);
	return name
		? `Mean annual wage without ${name}, whose wage is withheld.`
		: 'Mean annual wage of the same jobs, weighted by employment.';
}

/** Returns the newest figure by its key. */
export function figureOf(state: State, key: string): Figure | undefined {
	return state.figures.find((figure) => figure.key === key);
}

/** Characters from which a first sentence stands alone. */
const LEAST_SENTENCE = 24;

/** Returns the first sentence of a description, with the next where it is very short. */
export function firstSentences(description: string): string {
	const ends = description.matchAll(/(?<!\bSt)[.!?](?= |$)/g);
	const end = ends.find(({ index }) => index >= LEAST_SENTENCE)?.index ?? description.length;
	return description.slice(0, end + 1);
}

/** Returns the sources of these states' figures, each once. */
export function sourcesOf(states: State[]): string[] {
	return [...new Set(states.flatMap(({ figures }) => figures.map(({ source }) => source)))];
}

/** Returns AI jobs per 1,000 jobs of all occupations, to two decimals. */
export function aiDensity(state: State): number | null {
	const all = workFigure(state, 'allOccupations.employment')?.value;
	return state.aiJobs === null || !all ? null : Math.round((state.aiJobs / all) * 100_000) / 100;
}

/** Splits "Good Systems (The University of Texas at Austin)" into the name and the institution. */
export function nameAndBody(item: string): [name: string, body: string] {
	const [, name = item, body = ''] = /^(.+) \(([^()]+)\)$/.exec(item) ?? [];
	return [name, body];
}

/**
 * Returns the published work figures with a row per occupation and a column per measure. Empty rows are dropped; what is of
 * another year than the state's AI jobs says so.
 */
export function byOccupation(state: State): {
	measures: string[];
	rows: { name: string; cells: string[] }[];
} {
	const work = state.figures.filter(({ key }) => key.includes('.'));
	const source = workSource(state);
	const year = source && yearOf(source);
	const parts = ({ label }: Figure) => label.split(': ') as [name: string, measure: string];
	const measures = [...new Set(work.map((figure) => parts(figure)[1]))];
	const rows = [...Map.groupBy(work, (figure) => parts(figure)[0])]
		.filter(([, group]) => group.some(({ value }) => value !== null))
		.map(([name, group]) => ({
			name,
			cells: measures.map((measure) => {
				const figure = group.find((candidate) => parts(candidate)[1] === measure);
				if (!figure) return '';
				const text = figure.value === null ? 'withheld' : figureText(figure.value, figure.unit);
				return year && yearOf(figure) !== year ? `${text} (${yearOf(figure)})` : text;
			}),
		}));
	return { measures, rows };
}

const month = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'long', timeZone: 'UTC' });

/** Returns a figure's date as text: "May 2023", "April 1, 2020". */
export function asOfText(asOf: string): string {
	return asOf.length > 7 ? longDate(asOf) : month.format(new Date(asOf));
}

/** Returns the two computed figures, which have keys of their own. */
export function computedFigures(state: State): Figure[] {
	const { asOf, link } = workSource(state) ?? { asOf: '' };
	const source = `Computed from the ${BUREAU}`;
	return [
		{
			key: 'aiJobs',
			label: `AI jobs: ${Object.values(COUNTED).join(' plus ')}, where published`,
			value: state.aiJobs,
			unit: 'jobs',
			source,
			...(link && { link }),
			asOf,
		},
		{
			key: 'averageSalary',
			label: 'Average AI salary: employment-weighted annual mean wage of the same occupations',
			value: state.averageSalary,
			unit: 'US dollars a year',
			source,
			...(link && { link }),
			asOf,
		},
	];
}

/** Returns a figure whose source and date the state's AI jobs have. */
export function workSource(state: State): Figure | undefined {
	return Object.keys(COUNTED)
		.map((key) => workFigure(state, `${key}.employment`))
		.find((figure) => figure !== undefined);
}

/** Returns the dates or years of one figure of each state, each once: "May 2025". */
export function datesOf(
	states: State[],
	figureFor: (state: State) => Figure | undefined,
	text: (figure: Figure) => string = ({ asOf }) => asOfText(asOf),
): string {
	return joinWithAnd(
		[...new Set(states.flatMap((state) => figureFor(state) ?? []).map(text))].sort(),
	);
}

type Question = { question: string; answer: string };

const QUESTIONS: Record<keyof StateAnswers, (name: string) => string> = {
	companies: (name) => `Which companies in ${name} work with AI?`,
	pay: (name) => `What does AI work pay in ${name}?`,
	study: (name) => `Where can I study artificial intelligence in ${name}?`,
	industries: (name) => `Which industries in ${name} use AI?`,
	cities: (name) => `Which cities in ${name} should I look at for AI jobs?`,
};

/** Returns the answered questions of a state's page (product.md section 2, state detail). */
export function stateQuestions({ name, answers }: State): Question[] {
	return (Object.keys(QUESTIONS) as (keyof StateAnswers)[]).flatMap((key) => {
		const answer = answers[key];
		return answer ? [{ question: QUESTIONS[key](name), answer }] : [];
	});
}
