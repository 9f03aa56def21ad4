import * as z from 'zod/mini';
import type { Letter } from '#src/features/mail/letter.ts';
import type { Screen } from '#src/features/mail/screen.ts';
import { email, robotFields } from '#src/lib/email.ts';
import { emailField, type FormSpec } from '#src/lib/form.ts';
import { paths, site } from '#src/site.ts';

/** Who wants to know what is held about an address. */
export const dataInput = z.object({ email: email(), ...robotFields });

/** The same whether or not anything is held, and whether or not a mail was sent this hour. */
export type DataAnswer = { success: true; message: string };
export const DATA_REQUESTED =
	'A link is on its way to that address. It shows what is held, and can erase it.';

export const dataForm: FormSpec = {
	title: 'See or erase your data',
	submit: 'Mail me the link',
	thanks: paths.thanks('data'),
	fields: [{ ...emailField, label: 'Email address' }],
};

export const DATA_CHOICES = ['data-download', 'data-erase', 'data-erase-now'] as const;

/** What the preferences page offers everybody who has a link to it. */
export const YOUR_DATA: Screen['sections'][number] = {
	title: 'Your data',
	text: 'Everything that is stored about this address: the newsletter, the course, comments, messages and mails.',
	choices: [
		{ value: 'data-download', label: 'Download what is held about me', quiet: true, isFile: true },
		{ value: 'data-erase', label: 'Erase everything', quiet: true },
	],
};

/** Asks before anything is erased. */
export const ERASE: Screen = {
	title: 'Erase everything?',
	sections: [
		{
			text: 'Your subscription, your place in the course, your messages, our mails to you and your comments, with their text, will be deleted. This cannot be undone: nobody can bring any of it back.',
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
			text: 'Nothing about this address is stored here any more. Comments have left the articles; the stored pages follow within minutes. No mail will come, unless somebody enters the address again.',
			choices: [],
		},
	],
};

export function dataLetter(links: NonNullable<Letter['links']>): Letter {
	return {
		subject: 'Your data: see it, or erase it',
		preview: 'The link that you asked for.',
		label: 'Your data',
		title: 'What is held about you',
		blocks: [
			{
				kind: 'text',
				text: 'Behind this link you can download everything that is stored about this address, choose what you get, or erase all of it.',
			},
			{ kind: 'button', label: 'See, download or erase', href: links.preferences },
			{
				kind: 'text',
				text: 'Whoever has this link can do the same: please do not forward this mail.',
			},
		],
		why: `You get this once, because somebody asked for it with this address on ${site.name}. If that was not you, there is nothing to do.`,
		links,
	};
}
