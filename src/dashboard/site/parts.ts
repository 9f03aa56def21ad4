import { SITE_LABELS } from '#src/core/settings/site-form.ts';
import { TEXT_KEYS, type TextKey, textOf } from '#src/texts.ts';
import type { Part } from '#src/dashboard/kit/parts.ts';
import type { SiteKey } from './merge.ts';

/** Texts that are edited on the page that says them. */
export const ON_PAGES = TEXT_KEYS.filter((key) => {
	const { see, rule } = textOf(key);
	return see !== undefined && rule !== 'path';
});
/** Texts that no page shows. */
export const OFF_PAGES = TEXT_KEYS.filter((key) => !ON_PAGES.includes(key));
/** Returns the path of the page that says one of `ON_PAGES`. */
export const pathOf = (key: TextKey): string => textOf(key).see!.split('#', 1)[0]!;
export const ON_PAGE = 'On the page';

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
	timeZone: 'timezone hour clock newsletter',
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
const PAGES: readonly { name: string; words?: string; keys: readonly SiteKey[] }[] = [
	{
		name: 'Name',
		keys: ['name', 'tagline', 'description', 'newsletter', 'author', 'publisher', 'operator'],
	},
	{ name: ON_PAGE, words: 'sentences texts words copy pencil preview', keys: ON_PAGES },
	{
		name: 'Words',
		words: 'sentences texts copy',
		keys: [...OFF_PAGES, 'asksReaders', 'offered'],
	},
	{ name: 'Looks', keys: ['logo', 'accent', 'accentDark'] },
	{
		name: 'Mail',
		words: 'records DNS SPF DKIM DMARC arrive spam test',
		keys: ['contactEmail', 'privacyEmail', 'senderEmail', 'timeZone'],
	},
	{ name: 'Links', keys: ['navigation', 'footerLinks', 'socialLinks'] },
	{ name: 'Home page', keys: ['sections', 'inventedProof'] },
	{ name: 'History', keys: [] },
];

/** The parts of the site, in order. */
export const SITE_PARTS = PAGES.map(({ name, words, keys }) => ({
	...{ name, keys, ...(words && { words }) },
	fields: keys.map((key) => ({
		label: SITE_LABELS[key],
		...(WORDS[key] && { words: WORDS[key] }),
	})),
})) satisfies readonly Part[];
