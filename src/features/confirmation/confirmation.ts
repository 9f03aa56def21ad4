import type { EmailContent } from '#src/core/outbox/email-content.ts';
import type { Screen } from '#src/core/screen.ts';
import { RETENTION_DAYS } from '#src/core/retention.ts';
import { LESSONS } from '#src/features/course/course.ts';
import { DOWNLOADS, UPGRADES, type Upgrade } from '#src/features/downloads/download.ts';
import { plural } from '#src/lib/text.ts';
import { site } from '#src/site.ts';

/** The things that can be asked for with an address. */
export const WISHES = ['newsletter', 'course', ...UPGRADES] as const;
export type Wish = 'newsletter' | 'course' | Upgrade;

/** The answer to a form where the site asks by email first: the same for every address. */
export const UNCONFIRMED = {
	success: true as const,
	unconfirmed: true as const,
	message: 'Check your inbox: an email asks you to confirm.',
};

type Words = {
	/** The words that somebody agrees to. */
	wording: string;
	title: string;
	button: string;
	/** The sentence after it. */
	done: string;
};

/** Returns what confirming means. `schedule` is when the letter comes, in words. */
export function wordsOf(wish: Wish, email: string, schedule: string): Words {
	if (wish === 'newsletter')
		return {
			wording: `Send ${site.newsletter} to ${email}. It comes ${schedule}, when there is something new, and every letter has a link that ends it.`,
			title: 'Confirm your subscription',
			button: 'Yes, subscribe me',
			done: `You are subscribed to ${site.newsletter}. A welcome email is on its way.`,
		};
	if (wish === 'course')
		return {
			wording: `Send the email course to ${email}: ${plural(LESSONS.length, 'lesson')}, one a day. Every lesson has a link that ends it.`,
			title: 'Confirm your enrollment',
			button: 'Yes, start the course',
			done: 'You are enrolled. The lesson of Day 1 is on its way.',
		};
	return {
		wording: `Send the link to “${DOWNLOADS[wish].title}” to ${email}, once. Nothing else follows.`,
		title: 'Confirm your download',
		button: 'Yes, send me the link',
		done: `The link to “${DOWNLOADS[wish].title}” is on its way.`,
	};
}

/** The email that asks. It has no link to unsubscribe: nothing has begun. */
export function confirmEmail(words: Words, href: string): EmailContent {
	return {
		subject: `Please confirm: ${words.title.replace('Confirm ', '')}`,
		preview: 'One press on the page behind this link. Without it, nothing else comes.',
		label: 'Please confirm',
		title: words.title,
		blocks: [
			{ kind: 'text', text: words.wording },
			{ kind: 'button', label: 'Confirm', href },
			{
				kind: 'text',
				text: `The link opens a page with one button and works for ${RETENTION_DAYS.unconfirmed} days. If you do not press the button, nothing else is sent, and the address is forgotten after that.`,
			},
		],
		why: `You get this because somebody entered this address on ${site.name}. If that was not you, there is nothing to do.`,
	};
}

/** The page behind the link. Opening it changes nothing. */
export const confirmScreen = ({ title, wording, button }: Words): Screen => ({
	title,
	sections: [{ text: wording, choices: [{ value: 'yes', label: button }] }],
});

/** The page after the button was pressed, and whenever the link is opened again. */
export const confirmedScreen = ({ done }: Words): Screen => ({
	title: 'Confirmed',
	sections: [{ text: done, choices: [] }],
});

/** Shown for a link whose time is over, or whose request was replaced by a later one. */
export const EXPIRED =
	'This link no longer works. Please fill in the form once more, and use the link of the new email.';

/** Returns the proof that somebody agreed: when, by what, where the form was, and to which words. */
export function proofOf(
	{ page, createdAt }: { page: string; createdAt: Date },
	wording: string,
	now: Date,
): string {
	const asked = `asked for ${createdAt.toISOString()}${page && ` on ${page}`}`;
	return `Confirmed ${now.toISOString()} by the link in an email, ${asked}: “${wording}”`;
}

/** Reads what `proofOf` says; null for a consent in other words. */
export function readProof(consent: string) {
	const [, confirmedAt, askedAt, page, wording] =
		/^Confirmed (\S+) by the link in an email, asked for (\S+?)(?: on (\S+))?: “(.*)”$/s.exec(
			consent,
		) ?? [];
	return confirmedAt && askedAt && wording ? { confirmedAt, askedAt, page, wording } : null;
}
