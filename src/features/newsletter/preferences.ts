import {
	COURSE_CHOICES,
	courseChoices,
	courseSentence,
	type Progress,
} from '#src/features/course/course.ts';
import type { Choice, Screen } from '#src/core/screen.ts';
import { DATA_CHOICES, dataSection } from '#src/features/privacy/privacy.ts';
import { longDate } from '#src/lib/dates.ts';
import { joinWithAnd } from '#src/lib/text.ts';
import { site } from '#src/site.ts';
import { CADENCE_LABELS, CADENCES, type Cadence } from './subscriber.ts';

/** How long a pause of the weekly letter lasts. */
export const PAUSE_DAYS = 30;

/** The subscriptions of an address. */
export type Preferences = {
	weekly: { state: 'active' | 'left' | 'never' } | { state: 'paused'; until: Date };
	/** When the letter comes, in words: "on Thursdays". */
	schedule: string;
	/** The site's topics. Where none is chosen, all are sent. */
	topics: Topic[];
	cadence: Cadence;
	/** How often letters can come. */
	cadences: Cadence[];
	/** Whether letters bring whole articles. */
	wantsWhole: boolean;
	/** Null if the address never enrolled. */
	course: Progress | null;
};

type Topic = { id: string; name: string; chosen: boolean };

const PREFERENCE_CHOICES = [
	'weekly-join',
	'weekly-leave',
	'weekly-pause',
	'read-whole',
	'read-excerpts',
	...CADENCES.map((cadence) => `often-${cadence}` as const),
	...COURSE_CHOICES.map((choice) => `course-${choice}` as const),
	...DATA_CHOICES,
] as const;
/** Adds a topic to those that are chosen, or removes it: `topic-` and the id of its category. */
const TOPIC = /^topic-[\w-]{1,64}$/;
export const PREFERENCE_PATTERN = new RegExp(
	`^(?:${PREFERENCE_CHOICES.join('|')})$|${TOPIC.source}`,
);

/** Choices that change the subscriptions. */
export type PreferenceChoice =
	| Exclude<(typeof PREFERENCE_CHOICES)[number], (typeof DATA_CHOICES)[number]>
	| `topic-${string}`;

const JOIN: Choice = { value: 'weekly-join', label: 'Get the weekly letter' };
const WEEKLY: Record<Preferences['weekly']['state'], Choice[]> = {
	active: [
		{ value: 'weekly-pause', label: `Pause for ${PAUSE_DAYS} days` },
		{ value: 'weekly-leave', label: 'Unsubscribe', quiet: true },
	],
	paused: [
		{ ...JOIN, label: 'End the pause' },
		{ value: 'weekly-leave', label: 'Unsubscribe', quiet: true },
	],
	left: [{ ...JOIN, label: 'Subscribe again' }],
	never: [JOIN],
};

/** Returns the preferences page. */
export function preferencesScreen(preferences: Preferences, seesData: boolean): Screen {
	const screen = subscriptionsScreen(preferences);
	const [weekly, ...course] = screen.sections;
	const sections = [weekly!, ...readingSections(preferences), ...course, dataSection(seesData)];
	return { ...screen, sections };
}

/** Returns the subscriptions of an address, with choices for each. */
function subscriptionsScreen({ weekly, schedule, course }: Preferences): Screen {
	const weeklyText = {
		active: `You are subscribed. It comes ${schedule}, when there is something new.`,
		paused: 'until' in weekly ? `Paused until ${longDate(weekly.until)}.` : '',
		left: 'You are not subscribed.',
		never: 'You are not subscribed.',
	}[weekly.state];
	return {
		title: 'Email preferences',
		subscribed: isSubscribed(weekly),
		sections: [
			{
				title: site.newsletter,
				text: weeklyText,
				when: 'until' in weekly ? weekly.until.toISOString() : undefined,
				choices: WEEKLY[weekly.state],
			},
			...(course
				? [
						{
							title: 'The email course',
							text: courseSentence(course),
							when: course.nextAt?.toISOString(),
							choices: courseChoices(course).map((choice) => ({
								...choice,
								value: `course-${choice.value}`,
							})),
						},
					]
				: []),
		],
	};
}

/** Returns what a subscriber gets to read in the letter. */
function readingSections({
	weekly,
	cadence,
	cadences,
	topics,
	wantsWhole,
}: Preferences): Screen['sections'] {
	if (!isSubscribed(weekly)) return [];
	return [
		{
			title: 'How often',
			text: `${CADENCE_LABELS[cadence]}. Another choice counts for what is published from then on.`,
			choices: cadences
				.filter((one) => one !== cadence)
				.map((one) => ({ value: `often-${one}`, label: CADENCE_LABELS[one], quiet: true })),
		},
		...(topics.length > 1 ? [topicsSection(topics)] : []),
		{
			title: 'Reading in the letter',
			text: wantsWhole
				? 'The letter brings whole articles, as many as fit into an email.'
				: 'The letter brings a few lines of each article and a link.',
			choices: [
				wantsWhole
					? { value: 'read-excerpts', label: 'Send me excerpts' }
					: { value: 'read-whole', label: 'Send me whole articles' },
			],
		},
	];
}

function topicsSection(topics: Topic[]): Screen['sections'][number] {
	const chosen = topics.filter((topic) => topic.chosen).map(({ name }) => name);
	return {
		title: 'Topics',
		text:
			chosen.length === 0
				? 'The letter tells of all articles. Choose topics to hear of those alone.'
				: `The letter tells of articles on ${joinWithAnd(chosen)}. Remove all topics to hear of everything.`,
		choices: topics.map((topic) => ({
			value: `topic-${topic.id}`,
			label: `${topic.chosen ? 'Remove' : chosen.length === 0 ? 'Only' : 'Add'} ${topic.name}`,
			quiet: !topic.chosen,
		})),
	};
}

/** The preferences page before the subscriptions are requested. */
export const PREFERENCES_PROMPT: Screen = {
	title: 'Email preferences',
	sections: [
		{
			text: 'Choose, pause or end what you get by email.',
			choices: [{ value: '', label: 'Show my choices' }],
		},
	],
};

/** The page that an unsubscribe link opens. Opening it changes nothing. */
export const UNSUBSCRIBE_PROMPT: Screen = {
	title: 'Unsubscribe',
	sections: [
		{
			text: 'One click stops these emails to the address that this link was sent to.',
			choices: [{ value: '', label: 'Unsubscribe' }],
		},
	],
};

/**
 * The result of one click on "Unsubscribe": the time of the click, which marks everything that it ended, and when the
 * next lesson was due.
 */
export type Unsubscription = { at: Date; nextAt: Date | null };

/** The choice that undoes a click. It contains no address: the link with which it is sent decides whom it affects. */
export const UNDO_PATTERN = /^undo (\d{13})(?: (\d{13}))?$/;
const undoChoice = ({ at, nextAt }: Unsubscription) =>
	['undo', at.getTime(), ...(nextAt ? [nextAt.getTime()] : [])].join(' ');

/** Parses a choice of the form `UNDO_PATTERN`. */
export function parseUndo(choice: string): Unsubscription {
	const [, at, nextAt] = UNDO_PATTERN.exec(choice)!;
	return { at: new Date(Number(at)), nextAt: nextAt ? new Date(Number(nextAt)) : null };
}

/** Returns the screen after unsubscribing: what has ended, how to undo it, and what continues. */
export function unsubscribedScreen(
	{ weekly, course }: Preferences,
	list: 'weekly' | 'course',
	ended: Unsubscription | null,
): Screen {
	const stopped = course?.state === 'stopped';
	const text =
		list === 'course'
			? isSubscribed(weekly)
				? `The course has ended. You won’t get more lessons, but you will still get ${site.newsletter}.`
				: 'The course has ended. You won’t get more lessons.'
			: stopped
				? weekly.state === 'never'
					? 'The email course has stopped. You won’t get more emails.'
					: `You have left ${site.newsletter}, and the email course has stopped. You won’t get more emails.`
				: `You have left ${site.newsletter}. You won’t get more emails.`;
	return {
		title: 'You are unsubscribed',
		subscribed: isSubscribed(weekly),
		sections: [
			ended
				? {
						text: `${text} Unsubscribed by mistake? Undo restores what this click ended.`,
						choices: [{ value: undoChoice(ended), label: 'Undo', quiet: true }],
					}
				: { text, choices: [] },
		],
	};
}

/** Returns the screen after undo, without choices, which only the preferences page accepts. */
export function undoneScreen(preferences: Preferences): Screen {
	const screen = subscriptionsScreen(preferences);
	const { weekly, course } = preferences;
	const comes = isSubscribed(weekly) || course?.state === 'running' || course?.state === 'paused';
	return {
		...screen,
		title: comes ? 'Welcome back' : screen.title,
		sections: screen.sections.map((section) => ({ ...section, choices: [] })),
	};
}

function isSubscribed({ state }: Preferences['weekly']): boolean {
	return state === 'active' || state === 'paused';
}
