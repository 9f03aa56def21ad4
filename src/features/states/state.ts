import type { Figure } from '#db/schema.ts';
import { sentenceList } from '#src/lib/text.ts';

export type { Figure };

/** A state's guide (specification section 3). Numbers that no source publishes are null. */
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
	description: string;
	metaTitle: string;
	metaDescription: string;
	keywords: string[];
	figures: Figure[];
	createdAt: string;
	updatedAt: string;
};

const NOT_PUBLISHED = 'not published';
const number = new Intl.NumberFormat('en-US');
const dollars = new Intl.NumberFormat('en-US', {
	style: 'currency',
	currency: 'USD',
	maximumFractionDigits: 0,
});

/** A figure in words: "1,600", "$101,000", "not published". */
export function figureText(value: number | null, unit?: Figure['unit']): string {
	if (value === null) return NOT_PUBLISHED;
	return (unit === 'US dollars a year' ? dollars : number).format(value);
}

/** What "AI jobs" counts, to be said beside the figure. */
export const AI_JOBS_NOTE =
	'Data Scientists plus Computer and Information Research Scientists, where published: US Bureau of Labor Statistics, Occupational Employment and Wage Statistics, May 2023. There is no official count of AI jobs.';
export const AVERAGE_SALARY_NOTE =
	'Employment-weighted mean annual wage of the same occupations, US Bureau of Labor Statistics, May 2023.';

type Occupation = { employment: number | null; annualMeanWage: number | null } | null;

/** Jobs and employment-weighted mean wage over those occupations for which the bureau published them. */
export function aiWork(occupations: Occupation[]): {
	aiJobs: number | null;
	averageSalary: number | null;
} {
	const counted = occupations.filter((one) => one?.employment != null) as {
		employment: number;
		annualMeanWage: number | null;
	}[];
	if (counted.length === 0) return { aiJobs: null, averageSalary: null };
	const aiJobs = counted.reduce((sum, { employment }) => sum + employment, 0);
	const paid = counted.filter((one) => one.annualMeanWage !== null);
	const paidJobs = paid.reduce((sum, { employment }) => sum + employment, 0);
	const wages = paid.reduce((sum, one) => sum + one.employment * one.annualMeanWage!, 0);
	return { aiJobs, averageSalary: paidJobs ? Math.round(wages / paidJobs) : null };
}

type Question = { question: string; answer: string };

/** The five generated questions of a state's page (specification section 2, state detail). */
export function stateQuestions(state: State): Question[] {
	const { name, aiCompanies, universities, keyIndustries, majorCities } = state;
	const figures =
		state.aiJobs === null || state.averageSalary === null
			? `The Bureau of Labor Statistics published no figures for data scientists or computer and information research scientists in ${name} in May 2023, so no average salary can be given.`
			: `The employment-weighted mean wage of data scientists and computer and information research scientists in ${name} was ${figureText(state.averageSalary, 'US dollars a year')} a year in May 2023, over ${figureText(state.aiJobs)} jobs (Bureau of Labor Statistics). Pay for a given role depends on employer, city and experience.`;
	return [
		{
			question: `Which companies in ${name} work with AI?`,
			answer: `${sentenceList(aiCompanies.slice(0, 5))} ${aiCompanies.length === 1 ? 'does' : 'do'} work that involves machine learning or data engineering in ${name}. The list on this page names more, and it is not complete.`,
		},
		{ question: `What does AI work pay in ${name}?`, answer: figures },
		{
			question: `Where can I study artificial intelligence in ${name}?`,
			answer: `${sentenceList(universities.slice(0, 3))} ${universities.length === 1 ? 'offers' : 'offer'} degree programs in computer science or related fields in ${name}.`,
		},
		{
			question: `Which industries in ${name} use AI?`,
			answer: `In ${name}, the main ones are ${sentenceList(keyIndustries.slice(0, 3))}.`,
		},
		{
			question: `Which cities in ${name} should I look at for AI jobs?`,
			answer: `${sentenceList(majorCities.slice(0, 3))} are ${name}'s largest cities by the 2020 Census and a reasonable place to start. Many roles can also be done remotely.`,
		},
	];
}
