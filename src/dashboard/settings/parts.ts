import type { Part } from '#src/dashboard/kit/parts.ts';

/** The parts of the settings, in order. */
export const SETTINGS = [
	{
		name: 'New comments',
		group: 'Readers',
		words: 'moderation',
		fields: [
			{ label: 'New comments', words: 'hold approve publish moderation first-time authors' },
			{ label: 'Email me about new comments', words: 'notifications daily never at once' },
			{ label: 'Refused words', words: 'spam filter list buy viagra' },
			{ label: 'Blocked addresses and names', words: 'ban mute readers shadow' },
		],
	},
	{
		name: 'Words that search knows',
		group: 'Readers',
		words: 'list',
		fields: [
			{ label: 'Names for the same thing', words: 'abbreviations synonyms acronyms' },
			{ label: 'Also looks for', words: 'related words synonyms' },
		],
	},
	{
		name: 'Password',
		group: 'You',
		words: 'security account login owner profile',
		fields: [
			{ label: 'Current password', words: 'change new' },
			{ label: 'Your address', words: 'email login account owner' },
		],
	},
	{
		name: 'Sign-in',
		group: 'You',
		words: 'second factor two security',
		fields: [
			{ label: 'Authenticator app', words: 'totp codes 2fa two factor' },
			{ label: 'Passkeys', words: 'webauthn security key fingerprint' },
		],
	},
	{
		name: 'Open sessions',
		group: 'You',
		words: 'devices browsers end log out sign out everywhere',
		fields: [],
	},
	{
		name: 'Programs that write drafts',
		group: 'Connections',
		words: 'integrations api key bearer curl mcp model context protocol assistant obsidian revoke',
		fields: [{ label: 'Name of a program', words: 'token api key' }],
	},
	{
		name: 'Bluesky and Mastodon',
		group: 'Connections',
		words: 'networks social post share account handle app password token fediverse',
		fields: [
			{ label: 'Bluesky', words: 'handle app password atproto' },
			{ label: 'Mastodon', words: 'server access token fediverse' },
		],
	},
	{
		name: 'Import and export',
		group: 'Data and server',
		words: 'ghost wordpress substack notion markdown zip migrate',
		fields: [
			{ label: 'Import a file', words: 'upload ghost wordpress substack notion markdown' },
			{ label: 'Export everything', words: 'download backup zip' },
			{ label: 'Make an archive', words: 'whole backup restore database everything' },
		],
	},
	{
		name: 'Earlier builds',
		group: 'Data and server',
		words: 'rollback go back version of the site',
		fields: [],
	},
	{
		name: 'Errors of pages',
		group: 'Data and server',
		words: 'browser scripts problems failures',
		fields: [],
	},
	{
		name: 'What is set up',
		group: 'Data and server',
		words: 'environment variables server facts',
		fields: [
			{ label: 'Site', words: 'SITE_URL custom web address domain' },
			{ label: 'Database', words: 'DATABASE_URL' },
			{ label: 'Mail', words: 'SMTP_URL server outgoing email' },
			{ label: 'Sender', words: 'MAIL_FROM from' },
			{ label: 'Invented proof', words: 'INVENTED_PROOF likes readers sample figures' },
			{ label: 'Google Analytics', words: 'GA_MEASUREMENT_ID tracking' },
		],
	},
	{
		name: 'Audit log',
		group: 'Data and server',
		words: 'history actions undo who when changes',
		fields: [],
	},
] as const satisfies readonly Part[];

export type SettingsPart = (typeof SETTINGS)[number]['name'];
