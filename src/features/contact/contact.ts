import * as z from 'zod/mini';
import { email, antiBotFields } from '#src/lib/email.ts';
import { emailField, missingText, nameField, type FormSpec } from '#src/lib/form.ts';
import { singleLine, severalLines } from '#src/lib/text.ts';
import { paths, site } from '#src/site.ts';

/** Returns the topics that the site offers. Not for scripts, which do not know them. */
export const topicsOf = (): string[] => site.words.topics.split('\n');

/** Returns the topic in a query string, as in links to the form, if it is one of these. */
export function topicFromQuery(search: string, topics: readonly string[]): string | undefined {
	const requested = new URLSearchParams(search).get('topic');
	return topics.find((topic) => topic === requested);
}
export const OTHER_TOPIC = 'Choose one of the topics';

export const contactInput = z.object({
	name: z
		.string({ error: missingText('your name') })
		.check(
			z.maxLength(100, 'Use 100 characters or fewer'),
			z.overwrite(singleLine),
			z.minLength(1, missingText('your name')),
		),
	email: email(missingText('your email address')),
	/** One of the site's topics. */
	topic: z
		.string({ error: OTHER_TOPIC })
		.check(z.minLength(1, OTHER_TOPIC), z.maxLength(60, OTHER_TOPIC)),
	message: z
		.string({ error: missingText('your message') })
		.check(
			z.overwrite(severalLines),
			z.maxLength(5000, 'Write 5000 characters or fewer'),
			z.trim(),
			z.minLength(1, missingText('your message')),
		),
	...antiBotFields,
});
export type ContactInput = z.infer<typeof contactInput>;

/** Returns the form with the topics of the site. */
export const contactForm = (topics: readonly string[]): FormSpec => ({
	title: 'Write to us',
	submit: 'Send message',
	thanks: paths.thanks('contact'),
	fields: [
		nameField,
		emailField,
		{ name: 'topic', label: 'Topic', type: 'select', options: topics },
		{ name: 'message', label: 'Message', type: 'textarea', maxLength: 5000, required: true },
	],
});
