import * as z from 'zod/mini';
import { antiBotFields } from '#src/lib/email.ts';
import type { FormSpec } from '#src/lib/form.ts';
import { severalLines } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';

/** Choices of an answer to the question under an article. */
export const ANSWERS = ['yes', 'no'] as const;
export const WORDS_LIMIT = 1000;

const NOTHING = 'Choose yes or no, or write what is missing';

/** A plain form sends an empty answer where none was chosen. */
const answer = z.pipe(
	z.transform((given) => given || undefined),
	z.optional(z.enum(ANSWERS, { error: 'Choose yes or no' })),
);

export const feedbackInput = z
	.object({
		postId: z.string().check(z.minLength(1), z.maxLength(100)),
		answer: z.optional(answer),
		words: z._default(
			z
				.string()
				.check(
					z.overwrite(severalLines),
					z.trim(),
					z.maxLength(WORDS_LIMIT, `Write ${WORDS_LIMIT} characters or fewer`),
				),
			'',
		),
		...antiBotFields,
	})
	.check(
		z.refine((given) => Boolean(given.answer ?? given.words), { path: ['words'], error: NOTHING }),
	);
export type FeedbackInput = z.infer<typeof feedbackInput>;

export const FEEDBACK_QUESTION = 'Did this answer your question?';
export const FEEDBACK_THANKS = 'Thank you. It goes to whoever looks after this article.';

export const feedbackForm: FormSpec = {
	title: FEEDBACK_QUESTION,
	submit: 'Send',
	thanks: paths.thanks('feedback'),
	fields: [
		{ name: 'postId', label: '', type: 'hidden' },
		{ name: 'answer', label: '', type: 'hidden' },
		{
			name: 'words',
			label: 'What is missing? (optional)',
			hint: 'It is not published, and nobody can answer it: leave out names and addresses.',
			type: 'textarea',
			maxLength: WORDS_LIMIT,
		},
	],
};

export const FEEDBACK_STATES = ['open', 'done', 'deleted'] as const;
export type FeedbackState = (typeof FEEDBACK_STATES)[number];

/** Words of a reader about an article, as the desk lists them. */
export type Feedback = {
	id: string;
	answer: (typeof ANSWERS)[number] | null;
	words: string;
	state: Exclude<FeedbackState, 'deleted'>;
	createdAt: string;
};

/** The answers under one article: how many readers chose yes and no so far, and their latest words. */
export type ArticleFeedback = {
	id: string;
	title: string;
	yes: number;
	no: number;
	words: Feedback[];
};

export const feedbackChange = z.object({ id: z.string(), state: z.enum(FEEDBACK_STATES) });
