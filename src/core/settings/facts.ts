import type { Env } from '#src/lib/env.ts';
import { plural } from '#src/lib/text.ts';
import { site } from '#src/site.ts';
import { showsInvented } from './invented.ts';

/** Setup of the site, without secrets. */
export type SiteFacts = { name: string; value: string; isSet: boolean }[];

/** Returns what the environment says about the site, for the admin. Says whether a secret is set, never its value. */
export function siteFacts(env: Env): SiteFacts {
	const when = (isSet: boolean, yes: string, no: string) => ({ value: isSet ? yes : no, isSet });
	const emailjs = ['PUBLIC_KEY', 'PRIVATE_KEY', 'SERVICE_ID', 'TEMPLATE_ID'] as const;
	const missing = emailjs.filter((name) => !env[`EMAILJS_${name}`]).length;
	return [
		{ name: 'Site', value: `${site.name}, ${env.SITE_URL}`, isSet: true },
		{ name: 'Database', value: placeOf(env.DATABASE_URL), isSet: true },
		{
			name: 'Mail',
			...when(
				Boolean(env.SMTP_URL),
				`Sent through ${env.SMTP_URL ? new URL(env.SMTP_URL).hostname : ''}`,
				'SMTP_URL is not set: emails stay in a folder on one machine, and in the outbox elsewhere',
			),
		},
		{ name: 'Sender', value: env.MAIL_FROM ?? site.email.from, isSet: true },
		{
			name: 'MailerLite',
			...when(
				Boolean(env.MAILERLITE_API_KEY),
				'Subscribers are copied there',
				'MAILERLITE_API_KEY is not set: nothing is copied',
			),
		},
		{
			name: 'EmailJS',
			...when(
				missing === 0,
				'Sends the welcome email',
				missing === emailjs.length
					? 'Not set: the welcome email goes out like all others'
					: `${plural(missing, 'variable')} of four missing: not used`,
			),
		},
		{
			name: 'Build hook',
			...when(
				Boolean(env.BUILD_HOOK_URL),
				'Called when posts change',
				'Not set: the one-machine server builds by itself, Netlify needs it',
			),
		},
		{
			name: 'Invented proof',
			...when(
				showsInvented(env),
				'On: the site shows invented figures',
				env.INVENTED_PROOF
					? 'Turned off under Site, Home page: only real figures'
					: 'Off: only real figures',
			),
		},
		{
			name: 'Google Analytics',
			...when(
				Boolean(env.GA_MEASUREMENT_ID),
				env.GA_MEASUREMENT_ID ?? '',
				'Not set: nothing of it is loaded',
			),
		},
		{
			name: 'Proxy',
			...when(env.TRUST_PROXY, 'X-Forwarded-For is believed', 'X-Forwarded-For is not believed'),
		},
	];
}

/** Returns a database's location without anything secret. */
function placeOf(url: string): string {
	if (url.startsWith('file:') || url === ':memory:') return 'A file on this machine';
	return `The server ${new URL(url).host}`;
}
