import { placesOf, type Part } from '#src/dashboard/kit/parts.ts';
import { SETTINGS } from '#src/dashboard/settings/parts.ts';
import { SITE_PARTS } from '#src/dashboard/site/parts.ts';

const placesIn = (screen: string, hint: string, parts: readonly Part[]) =>
	placesOf(parts).map(({ part, field = '', label, words }) => ({
		id: `${screen} ${part} ${field}`,
		label,
		words: `${hint} ${words}`,
		hint: field ? part : hint,
		query: { part, ...(field && { field }) },
		screen,
	}));

/** Names of each setting in the palette, with the screen and the query that lead to it. */
export const PLACES = [
	...placesIn('settings', 'Settings', SETTINGS),
	...placesIn('site', 'Site', SITE_PARTS),
];
