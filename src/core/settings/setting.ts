import * as z from 'zod/mini';
import { DEFAULT_ABBREVIATIONS, abbreviationsProblem } from './abbreviations.ts';

/** How new comments are moderated. */
const COMMENT_MODES = ['publish', 'hold-first', 'hold-all'] as const;
export type CommentMode = (typeof COMMENT_MODES)[number];

/** When the owner is emailed about new comments. */
const COMMENT_MAILS = ['at-once', 'daily', 'never'] as const;
export type CommentMails = (typeof COMMENT_MAILS)[number];
/** Hour of the day, by the site's clock, of the daily one. */
export const COMMENT_MAIL_HOUR = 8;

/** When the newsletter goes out. */
export const LETTER_CADENCES = ['weekly', 'fortnightly', 'monthly'] as const;
export const LETTER_DAYS = [
	'Sunday',
	'Monday',
	'Tuesday',
	'Wednesday',
	'Thursday',
	'Friday',
	'Saturday',
] as const;
/** Hours of the day; empty for `DIGEST_HOUR`. */
export const LETTER_HOURS = ['', ...Array.from({ length: 24 }, (_, hour) => String(hour))] as const;

/** With `on`, an email asks the owner of an address to confirm a signup before anything else is sent to it. */
export const CONFIRM_SIGNUP = ['off', 'on'] as const;

/** Figures of visits that the open page can show. */
export const OPEN_FIGURES = ['day', 'page', 'referrer', 'article', 'search'] as const;
export type OpenFigure = (typeof OPEN_FIGURES)[number];

/** Maximum number of blocked commenters. */
const MAX_BLOCKED = 1000;

/** Maximum number of refused words, and of characters in each. */
const REFUSED_WORDS_LIMITS = { most: 200, length: 50 };

const word = z
	.string()
	.check(
		z.trim(),
		z.toLowerCase(),
		z.regex(/[\p{L}\p{N}]/u, 'A word has a letter or a digit'),
		z.maxLength(
			REFUSED_WORDS_LIMITS.length,
			`Use ${REFUSED_WORDS_LIMITS.length} characters or fewer for a word`,
		),
	);

export const settingsInput = z.object({
	comments: z.enum(COMMENT_MODES, { error: 'Choose one of the three' }),
	commentMails: z.enum(COMMENT_MAILS, { error: 'Choose one of the three' }),
	/** Email addresses and names whose comments are hidden. */
	blocked: z.pipe(
		z
			.array(
				z
					.string()
					.check(
						z.trim(),
						z.toLowerCase(),
						z.minLength(1),
						z.maxLength(254, 'Use 254 characters or fewer for a name or an address'),
					),
				{ error: 'Give a list of addresses and names' },
			)
			.check(z.maxLength(MAX_BLOCKED, 'List 1,000 addresses and names or fewer')),
		z.transform((names) => [...new Set(names)]),
	),
	refusedWords: z.pipe(
		z
			.array(word, { error: 'Give a list of words' })
			.check(
				z.maxLength(REFUSED_WORDS_LIMITS.most, `List ${REFUSED_WORDS_LIMITS.most} words or fewer`),
			),
		z.transform((words) => [...new Set(words)]),
	),
	letterCadence: z.enum(LETTER_CADENCES, { error: 'Choose one of the three' }),
	letterDay: z.enum(LETTER_DAYS, { error: 'Choose a day of the week' }),
	letterHour: z.enum(LETTER_HOURS, { error: 'Choose an hour from 0 to 23' }),
	confirmSignup: z.enum(CONFIRM_SIGNUP, { error: 'Choose on or off' }),
	/** Figures that the open page shows, in this order; without any there is no such page. */
	openFigures: z.pipe(
		z.array(z.enum(OPEN_FIGURES, { error: `Choose of ${OPEN_FIGURES.join(', ')}` }), {
			error: 'Give a list of figures',
		}),
		z.transform((chosen) => OPEN_FIGURES.filter((one) => chosen.includes(one))),
	),
	/** Names that search treats as equal. */
	abbreviations: z.string().check(
		z.superRefine((text, context) => {
			const message = abbreviationsProblem(text);
			if (message) context.addIssue(message);
		}),
	),
});
/** Fields that are not sent stay as they are. */
export const settingsChange = z.partial(settingsInput);
export type SettingsChange = z.infer<typeof settingsChange>;
/** Settings that the admin can change. */
export type Settings = z.infer<typeof settingsInput>;
/** The settings with the number of their saves, for a form that others may have overtaken. */
export type StoredSettings = Settings & { version: number };

export const DEFAULTS: Settings = {
	comments: 'publish',
	commentMails: 'at-once',
	blocked: [],
	// product.md section 5.
	refusedWords: ['buy', 'sell', 'cheap', 'free', 'discount', 'viagra', 'casino'],
	letterCadence: 'weekly',
	letterDay: 'Thursday',
	letterHour: '',
	confirmSignup: 'off',
	openFigures: [],
	abbreviations: DEFAULT_ABBREVIATIONS,
};
