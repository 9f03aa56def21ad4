import type { Letter } from '#src/core/outbox/letter.ts';

/** `at` is an ISO date. */
export type SignInPayload = { browser: string; at: string };

/** Returns the email to the owner about a sign-in from a browser that had not signed in before. */
export function signInLetter({ browser, at }: SignInPayload, siteUrl: string): Letter {
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
					['Time', `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`],
				],
			},
			{ kind: 'text', text: 'If it was you, there is nothing to do.' },
			{
				kind: 'text',
				text: 'If it was not, somebody has your password: change it under Settings, which ends all other sessions. If that is refused, “npm run admin” on the server sets a new password and ends all sessions.',
			},
			{ kind: 'button', label: 'Open Settings', href: `${siteUrl}/admin?tab=settings` },
		],
		why: 'You get this because you own the site.',
	};
}
