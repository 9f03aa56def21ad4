import * as z from 'zod/mini';
import type { Figure, StateAnswers } from '#db/schema.ts';
import {
	listField,
	recordOf,
	textField,
	type Edited,
	type Field,
	type FormOf,
	type Listed,
	type Update,
} from '#src/core/records/record.ts';
import { line, lines, needed } from '#src/lib/inputs.ts';
import { mergeValues, type Merged } from '#src/lib/merge.ts';
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
export type ListName = keyof typeof LISTS;
export const LIST_NAMES = Object.keys(LISTS) as ListName[];

export const ANSWERS: Record<keyof StateAnswers, string> = {
	companies: 'Which companies work with AI?',
	pay: 'What does AI work pay?',
	study: 'Where can I study?',
	industries: 'Which industries use AI?',
	cities: 'Which cities should I look at?',
};

/** Lengths of a state's texts. */
const LIMITS = {
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

const answer = lines(LIMITS.answer);
const answers = z.partial(
	z.object({ companies: answer, pay: answer, study: answer, industries: answer, cities: answer }),
);
const figureInputs = z
	.array(figureInput)
	.check(z.maxLength(MAX_FIGURES, `Use ${formatCount(MAX_FIGURES)} figures or fewer`));

/** The fields that the admin edits. The name and the address of a state stay. */
export const STATE = recordOf({
	capital: textField('Capital', needed(LIMITS.capital)),
	description: textField('Description', lines(LIMITS.description)),
	startupEcosystem: textField('Startup ecosystem', lines(LIMITS.startupEcosystem)),
	metaTitle: textField('Title in search results', needed(LIMITS.metaTitle)),
	metaDescription: textField('Description in search results', line(LIMITS.metaDescription)),
	...(Object.fromEntries(
		LIST_NAMES.map((name) => [name, listField(LISTS[name], (items) => items.join('\n'), list)]),
	) as Record<ListName, Field<string[]>>),
	answers: {
		label: 'Answers',
		rule: answers,
		read: (stored) => (stored ?? {}) as Partial<StateAnswers>,
		textOf: answersText,
		isComparedAsText: true,
	} satisfies Field<Partial<StateAnswers>, z.infer<typeof answers>>,
	figures: {
		...listField('Figures', figuresText, figureInputs),
		isComparedAsText: true,
		merge: mergeFigures,
	},
});

/** The fields of a state as they are stored. */
export type StateForm = FormOf<typeof STATE>;

/** Changes of a state, made from a version. */
export type StateUpdate = Update<z.infer<typeof STATE.changes>>;

/** A state as the admin edits it. */
export type EditedState = Edited<StateForm> & {
	name: string;
	abbreviation: string;
	population: number;
	aiJobs: number | null;
	averageSalary: number | null;
};

/** A state in the list. */
export type StateRow = Listed &
	Pick<EditedState, 'name' | 'abbreviation' | 'aiJobs' | 'averageSalary'> & {
		/** The years that it has figures of, newest first. */
		years: string[];
	};

function answersText(answers: Partial<StateAnswers>): string {
	return (Object.keys(ANSWERS) as (keyof StateAnswers)[])
		.flatMap((key) => (answers[key] ? [`${ANSWERS[key]}\n${answers[key]}`] : []))
		.join('\n');
}

function figuresText(figures: Figure[]): string {
	return inOrder(figures)
		.map(({ label, value, source, link, asOf }) => {
			const shown = value === null ? 'not published' : formatCount(value);
			return [`${label}: ${shown}`, asOf, source, link].filter(Boolean).join(', ');
		})
		.join('\n');
}

/** Merges figures by kind and year: each with its source and date is one thing. */
function mergeFigures(base: Figure[], mine: Figure[], theirs: Figure[]): Merged<Figure[]> {
	const sides = [base, mine, theirs].map((figures) =>
		Object.fromEntries(
			figures.map((figure) => [`${figure.key} ${yearOf(figure)}`, JSON.stringify(figure)]),
		),
	) as [Written, Written, Written];
	const isUnfinished = mine.some(({ value }) => Number.isNaN(value));
	if (isUnfinished || Object.keys(sides[1]).length < mine.length) {
		return { value: mine, isDisputed: true };
	}
	const { value, isDisputed } = mergeValues(...sides);
	return {
		value: inOrder(Object.values(value).map((figure) => JSON.parse(figure) as Figure)),
		isDisputed,
	};
}

type Written = Record<string, string>;

/** Returns figures with others in their place, by kind and year. All the rest stays. */
export function withFigures(figures: Figure[], others: Figure[]): Figure[] {
	const kept = figures.filter((figure) => !figureIn(others, figure.key, yearOf(figure)));
	return inOrder([...kept, ...others]);
}
