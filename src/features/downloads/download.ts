import * as z from 'zod/mini';
import type { EmailContent } from '#src/core/outbox/email-content.ts';
import { email, antiBotFields } from '#src/lib/email.ts';
import { DAY } from '#src/lib/dates.ts';
import { emailField, failureWith, type FormSpec, type Sent } from '#src/lib/form.ts';
import { paths, site } from '#src/site.ts';

/** The content upgrades, in the order of product.md section 3. */
export const UPGRADES = ['pdf', 'cheatsheet', 'guide', 'template'] as const;
export type Upgrade = (typeof UPGRADES)[number];

type Download = {
	title: string;
	/** A sentence that describes it: of the guide, a text of the site. */
	summary?: string;
	/** Name of its file on the reader's computer, after the site's name. */
	fileName: string;
	type: string;
};

export const DOWNLOADS: Record<Upgrade, Download> = {
	pdf: {
		title: 'The field guide',
		summary: 'Every article of this site in one book, field by field, for reading and printing.',
		fileName: 'field-guide.pdf',
		type: 'application/pdf',
	},
	cheatsheet: {
		title: 'The cheat sheet',
		summary: 'Formulas, defaults and checks on two pages.',
		fileName: 'cheat-sheet.pdf',
		type: 'application/pdf',
	},
	guide: {
		title: 'The complete guide',
		fileName: 'guide.pdf',
		type: 'application/pdf',
	},
	template: {
		title: 'The project template',
		summary:
			'A document to fill in, for Word and as Markdown: question, data, baseline, evaluation, risks.',
		fileName: 'project-template.zip',
		type: 'application/zip',
	},
};

/** Returns the sentence that describes a download: of the guide, a text of the site. */
export const summaryOf = (kind: Upgrade): string => DOWNLOADS[kind].summary ?? site.words.guide;

/** Days for which the link of an email works. */
export const LINK_DAYS = 7;
export const LINK_MS = LINK_DAYS * DAY;

/**
 * Downloads that a build has made, as `manifest.json` in their folder: the file of each kind, named by its content so that
 * a new build replaces nothing that is being read, and the SHA-256 of its bytes.
 */
export const manifestSchema = z.partialRecord(
	z.enum(UPGRADES),
	z.object({ file: z.string().check(z.regex(/^[\w.-]+$/)), digest: z.string() }),
);
export type Manifest = z.infer<typeof manifestSchema>;

export const upgradeInput = z.object({
	email: email(),
	upgradeType: z.enum(UPGRADES, { error: 'Choose one of the downloads' }),
	/** The article that it was asked for on. */
	postId: z.optional(z.string().check(z.trim(), z.maxLength(100))),
	...antiBotFields,
});
export type UpgradeInput = z.infer<typeof upgradeInput>;

/** Answer to a request for a download: the same whether or not an email is sent. */
export type UpgradeAnswer = Sent;
export const REQUESTED = 'Check your email for the download link';

/** The toasts of the upgrade form (product.md section 8). */
export const upgradeSuccess = { title: 'Success! 🎉', description: REQUESTED };
export const upgradeFailure = failureWith(
	'Error',
	'Failed to send download link. Please try again.',
);

export const upgradeForm: FormSpec = {
	title: 'Get the download',
	submit: 'Send me the link',
	thanks: paths.thanks('upgrade'),
	fields: [
		{
			name: 'upgradeType',
			label: 'What to send',
			type: 'select',
			// The guide first: it is what is offered beside articles.
			options: (['guide', 'cheatsheet', 'pdf', 'template'] as const).map((value) => ({
				value,
				label: DOWNLOADS[value].title,
			})),
		},
		{ ...emailField, label: 'Email address' },
		{ name: 'postId', label: '', type: 'hidden' },
	],
};

export function downloadEmail(
	upgrade: Upgrade,
	href: string,
	links: NonNullable<EmailContent['links']>,
): EmailContent {
	const { title } = DOWNLOADS[upgrade];
	const summary = summaryOf(upgrade);
	return {
		subject: `Your download: ${title}`,
		preview: summary,
		label: 'Download',
		title,
		blocks: [
			{ kind: 'text', text: summary },
			{ kind: 'button', label: 'Download it', href },
			{ kind: 'text', text: site.words.mailDownload },
		],
		why: `You get this once, because somebody asked for it with this address on ${site.name}. If that was not you, there is nothing to do.`,
		links,
	};
}
