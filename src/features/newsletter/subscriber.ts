import * as z from 'zod/mini';
import { email, robotFields } from '#src/lib/email.ts';
import type { FormSpec } from '#src/lib/form.ts';
import { paths } from '#src/site.ts';

/** Which form a signup came from (specification section 7). */
export const SOURCES = [
	'Newsletter Signup Form',
	'Newsletter Button',
	'Newsletter Modal',
	'Floating Newsletter',
] as const;
export type Source = (typeof SOURCES)[number];

export const subscriberInput = z.object({
	email: email(),
	source: z.optional(z.string().check(z.trim(), z.maxLength(100))),
	...robotFields,
});
export type SubscriberInput = z.infer<typeof subscriberInput>;

/** The same for an address that is new and for one already known, so that nobody can find out who reads us. */
export type SubscribeAnswer = { success: true; message: string };

export const SUBSCRIBED = 'Successfully subscribed to newsletter!';

export const signupForm: FormSpec = {
	title: 'Subscribe to the newsletter',
	submit: 'Subscribe',
	thanks: paths.thanks('subscribe'),
	fields: [
		{
			name: 'email',
			label: 'Email address',
			type: 'email',
			maxLength: 255,
			required: true,
			autoComplete: 'email',
		},
		{ name: 'source', label: '', type: 'hidden' },
	],
};
