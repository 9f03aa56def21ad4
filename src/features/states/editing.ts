import * as z from 'zod/mini';
import type { Figure, StateAnswers } from '#db/schema.ts';
import { line, lines, needed } from '#src/lib/inputs.ts';
import { mergeFields } from '#src/lib/merge.ts';
import { formatCount } from '#src/lib/text.ts';
import { figureIn, inOrder, yearOf } from './figures.ts';

/** A list of a state, whose entries the admin adds, removes and moves. */
const LISTS = {
	majorCities: 'Major cities',
	aiCompanies: 'AI companies',
	universities: 'Universities',
	techHubs: 'Tech hubs',
	keyIndustries: 'Key industries',
	aiInitiatives: 'AI initiatives',
	researchCenters: 'Research centers',
	governmentSupport: 'Government support',
	keywords: 'Keywords',
} as const;
const TEXTS = {
	capital: 'Capital',
	description: 'Description',
	startupEcosystem: 'Startup ecosystem',
	metaTitle: 'Title in search results',
	metaDescription: 'Description in search results',
} as const;

export type ListName = keyof typeof LISTS;
export type TextName = keyof typeof TEXTS;
export const LIST_NAMES = Object.keys(LISTS) as ListName[];

/** The fields that the admin edits, with their names on the screen. The name and the address of a state stay. */
export const STATE_FIELDS = { ...TEXTS, ...LISTS, answers: 'Answers', figures: 'Figures' } as const;
export type StateField = keyof typeof STATE_FIELDS;
export const FIELD_NAMES = Object.keys(STATE_FIELDS) as StateField[];

export const ANSWERS: Record<keyof StateAnswers, string> = {
	companies: 'Which companies work with AI?',
	pay: 'What does AI work pay?',
	study: 'Where can I study?',
	industries: 'Which industries use AI?',
	cities: 'Which cities should I look at?',
};

/** Lengths of a state's texts. */
const LIMITS: Record<TextName | 'item' | 'answer' | 'source' | 'link', number> = {
	capital: 100,
	description: 3000,
	startupEcosystem: 3000,
	metaTitle: 200,
	metaDescription: 500,
	item: 300,
	answer: 2000,
	source: 300,
	link: 1000,
};
const MAX_ITEMS = 200;
/** Room for all kinds over half a century. */
const MAX_FIGURES = 1000;
/** More than there are people. */
const MAX_TIME = 1e11;

const list = z.pipe(
	z.pipe(
		z.array(line(LIMITS.item)).check(z.maxLength(MAX_ITEMS, `Use ${MAX_ITEMS} entries or fewer`)),
		z.transform((items: string[]) => items.filter((item) => item !== '')),
	),
	z.array(z.string()),
);

/** Returns whether this is a year, a month or a day. */
function isDate(asOf: string): boolean {
	if (!/^(19|20)\d\d(-\d\d(-\d\d)?)?$/.test(asOf)) return false;
	const day = `${asOf}-01-01`.slice(0, 10);
	const date = new Date(`${day}T00:00:00Z`);
	return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === day;
}

/** A figure as the admin gives it: what its kind is called and counted in follows from its key. */
export const figureInput = z.object({
	key: z.string().check(z.maxLength(100)),
	value: z.nullable(
		z
			.number('Use a number, or leave it empty where none is published.')
			.check(
				z.gte(0, 'Use a number from 0.'),
				z.lte(MAX_TIME, 'This number is too large to be true.'),
			),
	),
	source: needed(LIMITS.source),
	link: z.optional(
		line(LIMITS.link).check(
			z.refine<string>(
				(link) => link === '' || (/^https?:\/\//i.test(link) && URL.canParse(link)),
				'Use an address that begins with https://.',
			),
		),
	),
	asOf: z
		.string()
		.check(z.refine<string>(isDate, 'Use a year, a month or a day: 2025, 2025-05 or 2025-05-31.')),
});
export type FigureInput = z.infer<typeof figureInput>;

const shape = {
	capital: needed(LIMITS.capital),
	description: lines(LIMITS.description),
	startupEcosystem: lines(LIMITS.startupEcosystem),
	metaTitle: needed(LIMITS.metaTitle),
	metaDescription: line(LIMITS.metaDescription),
	...(Object.fromEntries(LIST_NAMES.map((name) => [name, list])) as Record<ListName, typeof list>),
	answers: z.partial(
		z.object({
			companies: lines(LIMITS.answer),
			pay: lines(LIMITS.answer),
			study: lines(LIMITS.answer),
			industries: lines(LIMITS.answer),
			cities: lines(LIMITS.answer),
		}),
	),
	figures: z
		.array(figureInput)
		.check(z.maxLength(MAX_FIGURES, `Use ${formatCount(MAX_FIGURES)} figures or fewer`)),
};

/** Changed fields of a state. Missing ones keep their values. */
export const stateChanges = z.partial(z.object(shape));
export type StateChanges = z.infer<typeof stateChanges>;

/** The fields of a state as they are stored. */
export type StateForm = Record<TextName, string> &
	Record<ListName, string[]> & { answers: Partial<StateAnswers>; figures: Figure[] };

/** A state as the admin edits it. */
export type EditedState = StateForm & {
	id: string;
	name: string;
	slug: string;
	abbreviation: string;
	population: number;
	aiJobs: number | null;
	averageSalary: number | null;
	/** The state as a newer file has it, if that differs. */
	offer: StateForm | null;
	version: number;
	updatedAt: string;
};

/** A state in the list. */
export type StateRow = Pick<
	EditedState,
	'slug' | 'name' | 'abbreviation' | 'aiJobs' | 'averageSalary' | 'version' | 'updatedAt'
> & {
	/** The years that it has figures of, newest first. */
	years: string[];
	/** Whether a newer file says something else. */
	offered: boolean;
};

/** Returns the fields of a state alone. */
export function formOf(state: StateForm): StateForm {
	return Object.fromEntries(FIELD_NAMES.map((name) => [name, state[name]])) as StateForm;
}

/** Returns the fields in which two states differ. */
export function fieldsBetween(a: StateForm, b: StateForm): StateField[] {
	return FIELD_NAMES.filter((name) => textOf(a, name) !== textOf(b, name));
}

/** Returns a field as text, a line for each entry. */
export function textOf(form: StateForm, name: StateField): string {
	if (name === 'answers') {
		return (Object.keys(ANSWERS) as (keyof StateAnswers)[])
			.flatMap((key) => (form.answers[key] ? [`${ANSWERS[key]}\n${form.answers[key]}`] : []))
			.join('\n');
	}
	if (name === 'figures') return inOrder(form.figures).map(figureLine).join('\n');
	const value = form[name];
	return typeof value === 'string' ? value : value.join('\n');
}

function figureLine({ label, value, source, link, asOf }: Figure): string {
	const shown = value === null ? 'not published' : formatCount(value);
	return [`${label}: ${shown}`, asOf, source, link].filter(Boolean).join(', ');
}

/** Returns figures with others in their place, by kind and year. All the rest stays. */
export function withFigures(figures: Figure[], others: Figure[]): Figure[] {
	const kept = figures.filter((figure) => !figureIn(others, figure.key, yearOf(figure)));
	return inOrder([...kept, ...others]);
}

/** Merges what somebody else changed since both began with `base`. */
export const mergeForms = (base: StateForm, mine: StateForm, theirs: StateForm) =>
	mergeFields(fieldsBetween, base, mine, theirs);
