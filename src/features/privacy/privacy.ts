import * as z from 'zod/mini';
import type { EmailContent } from '#src/core/outbox/email-content.ts';
import type { Screen } from '#src/core/screen.ts';
import { email, antiBotFields } from '#src/lib/email.ts';
import { emailField, type FormSpec } from '#src/lib/form.ts';
import { paths, site } from '#src/site.ts';

/** A request for the data of an address. */
export const dataInput = z.object({ email: email(), ...antiBotFields });

/** The same whether or not anything is stored, and whether or not an email was sent within the hour. */
export type DataResponse = { success: true; message: string };
export const DATA_REQUESTED =
	'A link is on its way to that address, one an hour at most. It works for a day: to choose what comes, and to see or erase what is stored.';

export const dataForm: FormSpec = {
	title: 'Get a new link',
	submit: 'Email me the link',
	thanks: paths.thanks('data'),
	fields: [{ ...emailField, label: 'Email address' }],
};

export const DATA_CHOICES = ['data-link', 'data-download', 'data-erase', 'data-erase-now'] as const;

/** Returns whether a choice of the preferences page is about stored data rather than subscriptions. */
export const isDataChoice = (choice = ''): choice is (typeof DATA_CHOICES)[number] =>
	DATA_CHOICES.some((known) => known === choice);

type Section = Screen['sections'][number];
const HELD_TEXT =
	'Everything that is stored about this address: the newsletter, the course, comments, messages, answers under articles that name it, and emails.';

/**
 * Returns the part about personal data on the preferences page. A link that may have been forwarded only offers
 * to request one with access.
 */
export function dataSection(seesData: boolean): Section {
	return seesData
		? {
				title: 'Your data',
				text: HELD_TEXT,
				choices: [
					{
						value: 'data-download',
						label: 'Download what is held about me',
						quiet: true,
						isFile: true,
					},
					{ value: 'data-erase', label: 'Erase everything', quiet: true },
				],
			}
		: {
				title: 'Your data',
				text: `${HELD_TEXT} To see or erase it you need another link, which comes to this address and works for a day.`,
				choices: [{ value: 'data-link', label: 'Email me the link', quiet: true }],
			};
}

const BACK_CHOICE = { value: '', label: 'Back to my choices', quiet: true };

/** The screen for a link without access to personal data, or with expired access. */
export const DATA_LINK_REQUIRED: Screen = {
	title: 'This needs another link',
	sections: [{ ...dataSection(false), title: 'This link gives no access to your data' }],
};

export const DATA_SENT: Screen = {
	title: 'Check your inbox',
	sections: [
		{
			text: 'A link is on its way to the address that this page is about, one an hour at most. It works for a day.',
			choices: [BACK_CHOICE],
		},
	],
};

/** Asks for confirmation before anything is erased. */
export const ERASE_PROMPT: Screen = {
	title: 'Erase everything?',
	sections: [
		{
			text: 'Your subscription, your place in the course, your messages, our emails to you and your comments, with their text, will be deleted. This cannot be undone.',
			choices: [
				{ value: 'data-erase-now', label: 'Erase everything for good' },
				{ value: '', label: 'Keep everything', quiet: true },
			],
		},
	],
};

export const ERASED: Screen = {
	title: 'Everything is erased',
	subscribed: false,
	sections: [
		{
			text: 'Nothing about this address is stored here any more. Comments have left the articles; the stored pages follow within minutes. You won’t get more emails unless somebody enters the address again.',
			choices: [],
		},
	],
};

/**
 * Returns the email with the link to personal data. The links in its footer, as in every email, give no access
 * to it.
 */
export function dataEmail(link: string, links: NonNullable<EmailContent['links']>): EmailContent {
	return {
		subject: 'Your link: choose what comes, see or erase your data',
		preview: 'The link that you asked for. It works for a day.',
		label: 'Your link',
		title: 'What you get, and what is held about you',
		blocks: [
			{
				kind: 'text',
				text: 'Behind this link you can choose what you get, go on with the course, download everything that is stored about this address, or erase all of it. It works for a day.',
			},
			{ kind: 'button', label: 'Choose, see or erase', href: link },
			{
				kind: 'text',
				text: 'Anyone with this link can do the same, so please do not forward this email.',
			},
		],
		why: `You get this once, because somebody asked for it with this address on ${site.name}. If that was not you, there is nothing to do.`,
		links,
	};
}
