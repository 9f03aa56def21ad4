import type { EmailContent } from '#src/core/outbox/email-content.ts';
import { RESET_MINUTES } from './session.ts';

const NOT_ME =
	'If it was not, somebody has your password: change it under Settings, which ends all other sessions. If that is refused, “npm run admin” on the server sets a new password and ends all sessions.';

const timeOf = (at: string) => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;

/** `at` is an ISO date. */
export type SignInPayload = { browser: string; at: string };

/** Returns the email to the owner about a sign-in from a browser that had not signed in before. */
export function signInEmail({ browser, at }: SignInPayload, siteUrl: string): EmailContent {
	const title = 'Somebody signed in from a new browser';
	return {
		subject: 'A sign-in from a new browser',
		preview: `${browser} had not signed in to your site before.`,
		label: 'Sign-in',
		title,
		blocks: [
			{
				kind: 'facts',
				items: [
					['Browser', browser],
					['Time', timeOf(at)],
				],
			},
			{ kind: 'text', text: 'If it was you, there is nothing to do.' },
			{ kind: 'text', text: NOT_ME },
			{
				kind: 'button',
				label: 'Open Settings',
				href: `${siteUrl}/admin?tab=settings&part=Open+sessions`,
			},
		],
		why: 'You get this because you own the site.',
	};
}

/** `at` is an ISO date. */
export type ChangePayload = { action: string; at: string };

/** Returns the email to the owner about a change to how one signs in. */
export function accountChangeEmail({ action, at }: ChangePayload, siteUrl: string): EmailContent {
	return {
		subject: 'Your sign-in was changed',
		preview: `Somebody who was signed in ${action}.`,
		label: 'Sign-in',
		title: 'Your sign-in was changed',
		blocks: [
			{
				kind: 'facts',
				items: [
					['What', action],
					['Time', timeOf(at)],
				],
			},
			{ kind: 'text', text: 'If it was you, there is nothing to do.' },
			{ kind: 'text', text: NOT_ME },
			{ kind: 'button', label: 'Open Settings', href: `${siteUrl}/admin?tab=settings` },
		],
		why: 'You get this because you own the site.',
	};
}

/** Returns the email with a link to a new password. */
export function resetEmail(link: string): EmailContent {
	return {
		subject: 'A new password',
		preview: `The link works once, for ${RESET_MINUTES} minutes.`,
		label: 'Sign-in',
		title: 'Choose a new password',
		blocks: [
			{
				kind: 'text',
				text: `Somebody asked for a new password for your site. The link works once, for ${RESET_MINUTES} minutes, and ends all sessions. An authenticator app or a passkey is still asked for.`,
			},
			{ kind: 'button', label: 'Choose a new password', href: link },
			{ kind: 'text', text: 'If it was not you, there is nothing to do: nothing has changed.' },
		],
		why: 'You get this because somebody typed your address at the sign-in of your site.',
	};
}
