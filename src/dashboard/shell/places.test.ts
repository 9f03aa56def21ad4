import { expect, test } from 'vitest';
import { hasWords } from '#src/dashboard/kit/has-words.ts';
import { screens, settings } from './places.ts';

test('what writers call a setting elsewhere leads to it', () => {
	const found = (words: string) =>
		[...settings, ...screens]
			.filter((place) => hasWords(`${place.label} ${place.words}`, words))
			.map(({ label, hint }) => `${label} (${hint})`);
	const wanted = {
		title: 'Name (Name)',
		favicon: 'Logo (Looks)',
		timezone: 'Time zone (Mail)',
		'brand color': 'Accent color, light theme (Looks)',
		sender: 'Sender of mail (Mail)',
		menu: 'Navigation (Links)',
		'meta description': 'Description (Name)',
		'custom domain': 'Site (What is set up)',
		integrations: 'Programs that write drafts (Settings)',
		'api key': 'Name of a program (Programs that write drafts)',
		'two-factor': 'Authenticator app (Sign-in)',
		'log out everywhere': 'Open sessions (Settings)',
		profile: 'Password (Settings)',
		backup: 'Export everything (Import and export)',
		migrate: 'Import and export (Settings)',
		spam: 'Refused words (New comments)',
		history: 'Audit log (Settings)',
		'delete all content': 'Set up your site (Site)',
		members: 'Subscribers (Readers)',
		staff: 'Categories and tags (Write)',
		'double opt-in': 'Schedule of the letter (Newsletter)',
		analytics: 'Numbers (Site)',
		permalinks: 'Redirects (Site)',
	};
	const missing = Object.entries(wanted).filter(([words, place]) => !found(words).includes(place));
	expect(
		missing.map(([words, place]) => `${words}: ${place}, found ${found(words).join(', ')}`),
	).toEqual([]);
});
