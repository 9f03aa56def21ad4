/** The parts of the settings, in order, with other words by which each is found. */
export const SETTINGS = [
	{
		name: 'New comments',
		words: 'moderation hold approve publish refused words spam blocked readers addresses',
	},
	{ name: 'Words that search knows', words: 'abbreviations synonyms list' },
	{ name: 'Open sessions', words: 'devices browsers end log out everywhere' },
	{
		name: 'Sign-in',
		words: 'second factor two authenticator app passkeys recovery codes security',
	},
	{
		name: 'Programs that write drafts',
		words: 'api token key bearer curl mcp model context protocol assistant obsidian revoke',
	},
	{
		name: 'Bluesky and Mastodon',
		words: 'networks social post share account handle app password token fediverse',
	},
	{ name: 'Password', words: 'change security account your email address login owner' },
	{
		name: 'Import and export',
		words: 'ghost wordpress markdown zip archive backup undo download everything migrate',
	},
	{ name: 'Earlier builds', words: 'rollback go back version of the site' },
	{ name: 'Errors of pages', words: 'browser scripts problems failures' },
	{ name: 'What is set up', words: 'environment variables server mail address facts' },
	{ name: 'Audit log', words: 'history actions undo who when changes' },
] as const;

export type SettingsPart = (typeof SETTINGS)[number]['name'];
