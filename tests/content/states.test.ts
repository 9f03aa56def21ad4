import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { StateAnswers } from '#db/schema.ts';
import { aiWork } from '#src/features/states/figures.ts';
import { figureText } from '#src/features/states/state.ts';
import { likeness } from './article.ts';

type State = {
	name: string;
	capital: string;
	majorCities: string[];
	description: string;
	startupEcosystem: string;
	metaTitle: string;
	metaDescription: string;
	aiCompanies: string[];
	universities: string[];
	keyIndustries: string[];
	keywords: string[];
	answers: StateAnswers;
	occupations: [
		Record<
			'dataScientists' | 'computerAndInformationResearchScientists',
			Parameters<typeof aiWork>[0][number]
		>,
	];
};
type Places = Pick<State, 'name' | 'capital' | 'majorCities'>;

/** Texts with more in common came from one template. The most alike two of ours share 6% (9.5% of their answers, which tell the same figures), a template with every sixth word changed half. */
const MAX_LIKENESS = 0.1;

const folder = new URL('../../content/states/', import.meta.url);
let states: State[];
beforeAll(async () => {
	const files = (await readdir(folder)).sort();
	states = await Promise.all(
		files.map(async (file) => parse(await readFile(new URL(file, folder), 'utf8')) as State),
	);
});

/** The text without what tells a state from the others: its name, its cities and all numbers. */
function blanked(text: string, { name, capital, majorCities }: Places): string {
	return [name, capital, ...majorCities]
		.sort((a, b) => b.length - a.length)
		.reduce((rest, place) => rest.replaceAll(place, '_'), text.replaceAll(/\s+/g, ' '))
		.replaceAll(/\d[\d,.]*/g, '#');
}

/** All answers of a state, without the names and occupations that they have to say. */
function blankedAnswers(state: State): string {
	const { aiCompanies, universities, keyIndustries, answers } = state;
	const text = blanked(Object.values(answers).join(' '), state).replaceAll(
		/Bureau of Labor Statistics|May #|(computer and information research|data) scientists?|software developers?|mean wage/gi,
		'_',
	);
	return [...aiCompanies, ...universities, ...keyIndustries]
		.sort((a, b) => b.length - a.length)
		.reduce((rest, name) => rest.replaceAll(new RegExp(RegExp.escape(name), 'gi'), '_'), text);
}

function threeWordRuns(text: string): Set<string> {
	const words = text.toLowerCase().match(/[\p{L}_#][\p{L}\p{N}'’_#-]*/gu) ?? [];
	const runs = words.slice(2).map((_, index) => words.slice(index, index + 3));
	// Two blanks and a word are names beside each other, not a way of saying something.
	const isWording = (run: string[]) => run.filter((word) => /^[_#]/.test(word)).length < 2;
	return new Set(runs.filter(isWording).map((run) => run.join(' ')));
}

function alike(texts: (readonly [name: string, text: string])[]): string[] {
	const runs = texts.map(([name, text]) => ({ name, runs: threeWordRuns(text) }));
	return runs.flatMap((a, i) =>
		runs
			.slice(i + 1)
			.filter((b) => likeness(a.runs, b.runs) > MAX_LIKENESS)
			.map((b) => `${a.name} and ${b.name}`),
	);
}

/** Values at any depth that are an empty text, list or object. Null says that no figure is published. */
function emptyFields(value: unknown, path = ''): string[] {
	if (value === null || typeof value === 'number') return [];
	if (typeof value === 'string') return value.trim() ? [] : [path];
	const entries = Object.entries(value ?? {});
	if (entries.length === 0) return [path];
	return entries.flatMap(([key, one]) => emptyFields(one, `${path}/${key}`));
}

/** Entries that a state's list has twice, in whatever case. */
function repeated(state: object): string[] {
	return Object.entries(state).flatMap(([key, list]) => {
		if (!Array.isArray(list) || typeof list[0] !== 'string') return [];
		const lower = (list as string[]).map((one) => one.toLowerCase());
		return lower.filter((one, index) => lower.indexOf(one) < index).map((one) => `${key}: ${one}`);
	});
}

describe('the states', () => {
	test('are fifty, each with every field filled and nothing listed twice', () => {
		expect(new Set(states.map(({ name }) => name)).size).toBe(50);
		const fields = Object.keys(states[0]!).sort();
		for (const state of states) {
			expect(Object.keys(state).sort(), state.name).toEqual(fields);
			expect(emptyFields(state), state.name).toEqual([]);
			expect(repeated(state), state.name).toEqual([]);
			expect(state.keywords.length, state.name).toBeGreaterThan(30);
		}
	});

	test.each(['description', 'startupEcosystem', 'metaTitle', 'metaDescription'] as const)(
		'say different things once names, cities and numbers are blanked: %s',
		(field) => {
			const texts = states.map((state) => blanked(state[field], state));
			expect(new Set(texts).size).toBe(50);
			if (field.startsWith('meta')) return;
			expect(alike(states.map((state, index) => [state.name, texts[index]!]))).toEqual([]);
		},
	);

	test('answer the five questions differently once all names and numbers are blanked', () => {
		const texts = states.map((state) => [state.name, blankedAnswers(state)] as const);
		expect(alike(texts)).toEqual([]);
	});

	test('name in their answers what their lists begin with, and their figures', () => {
		for (const state of states) {
			const { companies, pay, study, industries, cities } = state.answers;
			const missing = (text: string, list: string[]) =>
				list.filter((one) => !text.toLowerCase().includes(one.toLowerCase()));
			const first = state.aiCompanies.slice(0, 5);
			expect(first.length - missing(companies, first).length, state.name).toBeGreaterThanOrEqual(2);
			expect(missing(study, state.universities.slice(0, 3)), state.name).toEqual([]);
			expect(missing(industries, state.keyIndustries.slice(0, 3)), state.name).toEqual([]);
			expect(missing(cities, state.majorCities.slice(0, 3)), state.name).toEqual([]);
			const { dataScientists, computerAndInformationResearchScientists } = state.occupations[0];
			const work = aiWork([dataScientists, computerAndInformationResearchScientists]);
			const { aiJobs, averageSalary } = work;
			if (aiJobs === null) expect(pay, state.name).toMatch(/published (no|neither)|no figure|withheld/);
			else {
				expect(pay, state.name).toContain(figureText(aiJobs));
				expect(pay, state.name).toContain(figureText(averageSalary, 'US dollars a year'));
			}
		}
	});
});

describe('the comparison', () => {
	const template = (state: Places, industry: string) =>
		`${state.name} has a growing market for machine learning. In ${state.majorCities[0]} the ${industry} companies hire data scientists, and ${state.capital} adds 1,200 posts in government.`;
	const ohio = { name: 'Ohio', capital: 'Columbus', majorCities: ['Cleveland', 'Columbus'] };
	const virginia = { name: 'West Virginia', capital: 'Charleston', majorCities: ['Huntington'] };

	test('finds a template whatever was put into it', () => {
		const texts = ([ohio, virginia] as const).map((state, index): [string, string] => [
			state.name,
			blanked(template(state, index ? 'energy' : 'insurance'), state),
		]);
		expect(alike(texts)).toEqual(['Ohio and West Virginia']);
	});

	test('finds a template of which every sixth word was changed, and lets other texts be', () => {
		const text = blanked(states[0]!.description, states[0]!);
		const words = text.split(' ');
		const copy = words.map((word, index) => (index % 6 === 0 ? `x${word}` : word)).join(' ');
		const pair = (other: string) => [['a', text] as const, ['b', other] as const];
		expect(alike(pair(copy))).toEqual(['a and b']);
		expect(alike(pair(words.toReversed().join(' ')))).toEqual([]);
	});

	test('finds empty and repeated entries, and takes a figure that is not published for none of them', () => {
		expect(emptyFields({ a: ' ', b: [], c: { d: '' }, e: null, f: 0, g: ['x'] })).toEqual([
			'/a',
			'/b',
			'/c/d',
		]);
		expect(repeated({ a: ['X', 'y', 'x'], b: ['x'] })).toEqual(['a: x']);
	});
});
