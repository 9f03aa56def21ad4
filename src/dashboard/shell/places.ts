import { placesIn, type Place } from '#src/dashboard/kit/parts.ts';
import { SETTINGS } from '#src/dashboard/settings/parts.ts';
import { SITE_PARTS } from '#src/dashboard/site/parts.ts';
import { SCREENS } from './screens.ts';

/** Names of each setting, with the screen and the query that lead to it. */
export const settings: readonly Place[] = [
	...placesIn('settings', 'Settings', SETTINGS),
	...placesIn('site', 'Site', SITE_PARTS),
	{
		id: 'schedule',
		label: 'Schedule of the letter',
		words: 'newsletter day hour how often weekly monthly confirm signup double opt-in',
		hint: 'Newsletter',
		screen: 'newsletter',
		query: {},
	},
];

/** The screens, where somebody looks for them among settings. */
export const screens: readonly Place[] = SCREENS.map(({ id, label, words = '', group }) => ({
	...{ id, label, words, hint: group, screen: id, query: {} },
}));
