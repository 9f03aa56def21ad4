import { SITE_LABELS } from '#src/core/settings/site-form.ts';
import { TEXT_KEYS } from '#src/texts.ts';
import type { Part } from '#src/dashboard/kit/parts.ts';
import type { SiteKey } from './merge.ts';

/** Other words by which fields are found. */
const WORDS: { [Key in SiteKey]?: string } = {
	name: 'title of the site brand',
	tagline: 'slogan subtitle',
	description: 'search results feeds meta SEO',
	newsletter: 'newsletter title',
	author: 'byline',
	publisher: 'structured data organization',
	operator: 'postal address imprint legal',
	logo: 'icon favicon picture mark brand',
	accent: 'brand hue theme',
	accentDark: 'brand hue theme',
	contactEmail: 'reply-to email contact hello',
	privacyEmail: 'email gdpr data',
	senderEmail: 'from email newsletter MAIL_FROM',
	timeZone: 'hour clock newsletter',
	homeTitle: 'hero heading',
	homeText: 'hero intro',
	topics: 'form subjects',
	notFound: '404',
	mailWelcome: 'subscription mail',
	guide: 'PDF upgrade',
	asksReaders: 'feedback helpful answered',
	offered: 'course lessons downloads guide PDF upgrade',
	navigation: 'menu header',
	footerLinks: 'footer menu',
	socialLinks: 'share footer x facebook linkedin source code',
	sections: 'order hide blocks',
	inventedProof: 'likes readers testimonials demonstration made up figures INVENTED_PROOF',
};

/** The pages of the screen, with the fields that each saves. */
const PAGES: readonly { name: string; keys: readonly SiteKey[] }[] = [
	{
		name: 'Name',
		keys: ['name', 'tagline', 'description', 'newsletter', 'author', 'publisher', 'operator'],
	},
	{ name: 'Words', keys: [...TEXT_KEYS, 'asksReaders', 'offered'] },
	{ name: 'Looks', keys: ['logo', 'accent', 'accentDark'] },
	{ name: 'Mail', keys: ['contactEmail', 'privacyEmail', 'senderEmail', 'timeZone'] },
	{ name: 'Links', keys: ['navigation', 'footerLinks', 'socialLinks'] },
	{ name: 'Home page', keys: ['sections', 'inventedProof'] },
	{ name: 'History', keys: [] },
];

/** The parts of the site, in order. */
export const SITE_PARTS = PAGES.map(({ name, keys }) => ({
	...{ name, keys },
	fields: keys.map((key) => ({
		label: SITE_LABELS[key],
		...(WORDS[key] && { words: WORDS[key] }),
	})),
})) satisfies readonly Part[];
