import * as z from 'zod/mini';
import { email, antiBotFields } from '#src/lib/email.ts';
import { emailField, missingText, nameField, type FormSpec } from '#src/lib/form.ts';
import { singleLine, normalizeLineBreaks } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';

export const TOPICS = ['General question', 'Request your state', 'Correction', 'Privacy'] as const;
/** Returns the topic in a query string, as in links to the form, or undefined. */
export function topicFromQuery(search: string): (typeof TOPICS)[number] | undefined {
	const requested = new URLSearchParams(search).get('topic');
	return TOPICS.find((topic) => topic === requested);
}

export const contactInput = z.object({
	name: z
		.string({ error: missingText('your name') })
		.check(
			z.maxLength(100, 'Use 100 characters or fewer'),
			z.overwrite(singleLine),
			z.minLength(1, missingText('your name')),
		),
	email: email(missingText('your email address')),
	topic: z.enum(TOPICS, { error: 'Choose one of the topics' }),
	message: z
		.string({ error: missingText('your message') })
		.check(
			z.overwrite(normalizeLineBreaks),
			z.maxLength(5000, 'Write 5000 characters or fewer'),
			z.trim(),
			z.minLength(1, missingText('your message')),
		),
	...antiBotFields,
});
export type ContactInput = z.infer<typeof contactInput>;

export const contactForm: FormSpec = {
	title: 'Write to us',
	submit: 'Send message',
	thanks: paths.thanks('contact'),
	fields: [
		nameField,
		emailField,
		{ name: 'topic', label: 'Topic', type: 'select', options: TOPICS },
		{ name: 'message', label: 'Message', type: 'textarea', maxLength: 5000, required: true },
	],
};
