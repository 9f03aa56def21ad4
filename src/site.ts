import { asciiSlug, slugify } from './lib/slug.ts';
import {
	type LetterTimes,
	scheduleWords,
	TEXT_KEYS,
	type TextKey,
	USUAL_TIMES,
	usualText,
	withTimes,
} from './texts.ts';

/** A link of the header or the footer: a path of this site, or an address elsewhere. */
export type SiteLink = { label: string; href: string };

/** Sections of the home page below its head, in their usual order. */
export const HOME_SECTIONS = [
	'offers',
	'featured',
	'categories',
	'states',
	'testimonials',
	'recent',
	'newsletter',
	'questions',
] as const;
export type HomeSection = (typeof HOME_SECTIONS)[number];

/** Offers that readers can ask for by email besides the letter. */
export const OFFERS = ['course', 'downloads'] as const;
export type Offer = (typeof OFFERS)[number];

/** Settings of the site that the admin can change. An empty text stands for what follows from the others: see `site`, and `TEXTS` for sentences of pages. */
export type SiteSettings = Record<TextKey, string> & {
	name: string;
	tagline: string;
	description: string;
	/** Name of the weekly letter. */
	newsletter: string;
	/** Byline of articles without one of their own. */
	author: string;
	publisher: string;
	/** Name and postal address of who runs the site, as its legal pages and letters give them. */
	operator: string;
	/** An SVG, or the path of a picture of the library. Empty for the mark that comes with the site. */
	logo: string;
	/** CSS hex color of the light theme, and of the dark one. */
	accent: string;
	accentDark: string;
	contactEmail: string;
	privacyEmail: string;
	senderEmail: string;
	/** An IANA name, in which the letter's hour is read. Empty for the one of the server. */
	timeZone: string;
	/** Whether articles ask their readers if they answered their question. */
	asksReaders: 'off' | 'on';
	/** Offers by email: the lessons and files that come with the site. */
	offered: readonly Offer[];
	/** Home is active on exactly "/", the others by path prefix. */
	navigation: readonly SiteLink[];
	footerLinks: readonly SiteLink[];
	/** `{url}` and `{text}` stand for the site's address and a sentence about it. */
	socialLinks: readonly SiteLink[];
	/** Those that are shown, in order. */
	sections: readonly HomeSection[];
	/** Whether figures and praise that nobody gave may be shown, where the server lets them. */
	inventedProof: 'on' | 'off';
	/** Whose content the site shows: the sample that comes with it, which its texts speak of, or the owner's own. */
	content: 'sample' | 'own';
};

/** Returns no texts. Its calls are marked as pure, or scripts that need a path would hold all texts. */
function noTexts() {
	return Object.fromEntries(TEXT_KEYS.map((key) => [key, ''])) as Record<TextKey, string>;
}

const SOURCE = 'https://github.com/groundtruth-ai/groundtruth';

export const DEFAULT_SETTINGS: SiteSettings = {
	name: 'Groundtruth',
	tagline: 'AI insights and best practices, checked',
	description: '',
	newsletter: '',
	author: '',
	publisher: '',
	operator: '',
	logo: '',
	accent: '#0e7490',
	accentDark: '#67e8f9',
	contactEmail: '',
	privacyEmail: '',
	senderEmail: '',
	timeZone: '',
	.../* @__PURE__ */ noTexts(),
	asksReaders: 'off',
	offered: OFFERS,
	navigation: [
		{ label: 'Home', href: '/' },
		{ label: 'Blog', href: '/blog' },
		{ label: 'AI by State', href: '/ai-best-practices' },
		{ label: 'About', href: '/about' },
		{ label: 'Newsletter', href: '/newsletter' },
	],
	footerLinks: [
		{ label: 'Blog', href: '/blog' },
		{ label: 'About Us', href: '/about' },
		{ label: 'Privacy Policy', href: '/privacy' },
		{ label: 'Terms of Service', href: '/terms' },
		{ label: 'Sitemap', href: '/sitemap' },
	],
	socialLinks: [
		{ label: 'Share on X', href: 'https://x.com/intent/post?url={url}&text={text}' },
		{
			label: 'Share on Facebook',
			href: 'https://www.facebook.com/sharer/sharer.php?u={url}',
		},
		{
			label: 'Share on LinkedIn',
			href: 'https://www.linkedin.com/sharing/share-offsite/?url={url}',
		},
		{ label: 'Source code', href: SOURCE },
	],
	sections: HOME_SECTIONS,
	inventedProof: 'on',
	content: 'sample',
};

/** Returns the changes that leave the sample content, and what leads to it and to its makers, out of the site. */
export function withoutSamples({ navigation, socialLinks, sections }: SiteSettings) {
	const left: readonly HomeSection[] = ['offers', 'states', 'testimonials'];
	return {
		content: 'own' as const,
		inventedProof: 'off' as const,
		offered: [] as readonly Offer[],
		navigation: navigation.filter(({ href }) => href !== paths.states),
		socialLinks: socialLinks.filter(({ href }) => href !== SOURCE),
		sections: sections.filter((section) => !left.includes(section)),
	};
}

/** Pages and functions are bundled separately from the code that reads the settings, so they are passed through this global. */
const provided = globalThis as { [SETTINGS_KEY]?: SiteSettings; [TIMES_KEY]?: LetterTimes };
const SETTINGS_KEY = Symbol.for('site.settings');
const TIMES_KEY = Symbol.for('site.letter');

/** Makes `site` show these settings, and say when the letter comes where that is given. */
export function provideSettings(settings: SiteSettings, times?: LetterTimes): void {
	provided[SETTINGS_KEY] = settings;
	if (times) provided[TIMES_KEY] = times;
}

/** Returns the settings as of this build, or of a moment ago in a function. */
export const siteSettings = (): SiteSettings => provided[SETTINGS_KEY] ?? DEFAULT_SETTINGS;
/** Returns when the letter comes, as of this build, or of a moment ago in a function. */
export const letterTimes = (): LetterTimes => provided[TIMES_KEY] ?? USUAL_TIMES;

/**
 * Returns settings in which blank texts, names and addresses are filled: made from the others, or the usual ones. Without times,
 * their tokens stay.
 */
export function completed(settings: SiteSettings, times?: LetterTimes) {
	const { name, tagline, description, newsletter, author, publisher } = settings;
	const { contactEmail, privacyEmail, senderEmail } = settings;
	const host = `${asciiSlug(name) || 'site'}.example`;
	const isOwn = settings.content === 'own';
	const isWeekly = !times || times.cadence === 'weekly';
	const letter = newsletter || `${name} ${isWeekly ? 'Weekly' : 'Letter'}`;
	const texts = TEXT_KEYS.map((key) => {
		const text = (settings[key] || usualText(key, settings))
			.replaceAll('%NEWSLETTER%', () => letter)
			.replaceAll('%SITE_NAME%', () => name);
		// The welcome says the schedule of the moment when it is sent.
		return [key, times && key !== 'mailWelcome' ? withTimes(text, times) : text];
	});
	return {
		...settings,
		...(Object.fromEntries(texts) as Record<TextKey, string>),
		description:
			description ||
			(isOwn
				? `${name}: ${tagline}`
				: `${name} explains artificial intelligence to working engineers: checked articles, career guides for all 50 US states and a ${times?.cadence ?? 'weekly'} newsletter.`),
		newsletter: letter,
		author: author || name,
		publisher: publisher || name,
		privacyEmail: privacyEmail || contactEmail,
		senderEmail: senderEmail || contactEmail || `weekly@${host}`,
	};
}

/** The settings that were completed last: a page asks for them a hundred times. */
let known:
	| { settings: SiteSettings; times: LetterTimes; all: ReturnType<typeof completed> }
	| undefined;

function current() {
	const [settings, times] = [siteSettings(), letterTimes()];
	if (known?.settings !== settings || known.times !== times)
		known = { settings, times, all: completed(settings, times) };
	return known.all;
}

/**
 * Name, looks and links of the site, as of this build or call. Only for what runs on the server: an island gets
 * from its page what it shows of it, so that no script holds a name.
 */
export const site = {
	get name() {
		return siteSettings().name;
	},
	get tagline() {
		return siteSettings().tagline;
	},
	get description() {
		return current().description;
	},
	get newsletter() {
		return current().newsletter;
	},
	/** Suffix of an article's title in search results, unless its author set one; or empty. */
	titleSuffix: (year: number) => current().titleSuffix.replaceAll('%YEAR%', String(year)),
	get author() {
		return current().author;
	},
	get publisher() {
		return current().publisher;
	},
	/** Texts of pages, as the admin or the site's content has them. */
	get words() {
		return current();
	},
	/** When the letter comes, in words: "on Thursdays". */
	get letterWhen() {
		return scheduleWords(letterTimes());
	},
	get operator() {
		return siteSettings().operator;
	},
	language: 'en-US',
	get email() {
		const { contactEmail: contact, privacyEmail: privacy, senderEmail } = current();
		return { contact, privacy, from: `${mailName(site.name)} <${senderEmail}>` };
	},
	get logo() {
		return siteSettings().logo;
	},
	/** Path of the logo as a file. */
	get logoPath() {
		const { logo } = siteSettings();
		return logo === '' ? '/favicon.svg' : logo.startsWith('<') ? '/logo.svg' : logo;
	},
	get accent() {
		const { accent: light, accentDark: dark } = siteSettings();
		return { light, dark };
	},
	get navigation() {
		return siteSettings().navigation;
	},
	get footerLinks() {
		return siteSettings().footerLinks;
	},
	get sections() {
		return siteSettings().sections;
	},
	/** Whether articles ask their readers if they answered their question. */
	get asksReaders() {
		return siteSettings().asksReaders === 'on';
	},
	/** Returns whether readers can ask for an offer by email. */
	offers: (offer: Offer) => siteSettings().offered.includes(offer),
	/** Whether texts may speak of the sample content. */
	get hasSamples() {
		return siteSettings().content === 'sample';
	},
	/** Addresses of the publisher elsewhere. */
	get profiles() {
		return siteSettings()
			.socialLinks.map(({ href }) => href)
			.filter((href) => !/\{(url|text)\}/.test(href));
	},
};

/** Returns the custom properties of an accent color that differs from the style sheet's. */
export function accentStyle(): string | undefined {
	const { light, dark } = site.accent;
	const isUsual = light === DEFAULT_SETTINGS.accent && dark === DEFAULT_SETTINGS.accentDark;
	if (isUsual) return undefined;
	const strong = [`color-mix(in oklab,${light},#000 20%)`, `color-mix(in oklab,${dark},#fff 45%)`];
	return `--color-accent:light-dark(${light},${dark});--color-accent-strong:light-dark(${strong.join()})`;
}

/** Returns a name as the sender of an email: quoted where it has more than words. */
function mailName(name: string): string {
	return /^[\p{L}\p{N} ]+$/u.test(name) ? name : `"${name.replace(/["\\]/g, '')}"`;
}

/** A page, or a kind of page whose address has `:parameters`. */
type PageKind = {
	path: string;
	/** Addresses that tests, screenshots and benchmarks visit; its own by default. */
	examples?: readonly string[];
	/** Search engines must not list it. */
	isHidden?: true;
	/** Search engines may list it, but the sitemap leaves it out: it is another page's second address. */
	isAlias?: true;
	/** The kind of things that it lists: its last change is the newest of theirs. */
	shows?: 'articles' | 'states' | 'issues';
	/** Name among the main pages of the sitemap for readers. */
	label?: string;
	/** A page of the same build, where slow checks are run instead. */
	like?: string;
};

/** Every page, in reading order. A test compares them with the files of src/pages. */
export const PAGES: readonly PageKind[] = [
	{ path: '/', label: 'Home', shows: 'articles' },
	{ path: '/blog', shows: 'articles' },
	{ path: '/blog/page/:page', examples: [], like: '/blog' },
	{ path: '/blog/:slug', examples: ['/blog/attention-in-plain-arithmetic'] },
	{ path: '/blog/:slug/changes', examples: [], isHidden: true },
	{ path: '/blog/:slug/versions/:version', examples: [], isHidden: true },
	{ path: '/category/:slug', examples: ['/category/machine-learning'], like: '/blog' },
	{ path: '/category/:slug/page/:page', examples: [], like: '/blog' },
	{ path: '/tag/:slug', examples: ['/tag/evaluation'], like: '/blog' },
	{ path: '/tag/:slug/page/:page', examples: [], like: '/blog' },
	{ path: '/series/:slug', examples: ['/series/measuring-honestly'] },
	{ path: '/author/:slug', examples: [] },
	{ path: '/author/:slug/page/:page', examples: [], like: '/blog' },
	{ path: '/about', label: 'About' },
	{ path: '/corrections', label: 'Corrections', shows: 'articles' },
	{ path: '/ai-best-practices', label: 'AI by State', shows: 'states' },
	{ path: '/states', isAlias: true, like: '/ai-best-practices' },
	{
		path: '/ai-best-practices/:state',
		// One with all figures, and one without some.
		examples: ['/ai-best-practices/california', '/ai-best-practices/wyoming'],
	},
	{ path: '/ai-best-practices/compare', shows: 'states' },
	{ path: '/data', label: 'Data', shows: 'states' },
	{ path: '/newsletter', shows: 'issues' },
	{ path: '/newsletter/:date', examples: [] },
	{ path: '/contact' },
	{ path: '/privacy', label: 'Privacy Policy', like: '/about' },
	{ path: '/terms', label: 'Terms of Service', like: '/about' },
	{ path: '/sitemap', shows: 'articles' },
	{ path: '/search', isHidden: true },
	{ path: '/saved', isHidden: true },
	{ path: '/admin', isHidden: true },
	{ path: '/preview', examples: [], isHidden: true },
	{
		path: '/thanks/:form',
		examples: [
			'/thanks/comment',
			'/thanks/comment-waits',
			'/thanks/confirm',
			'/thanks/enroll',
			'/thanks/feedback',
			'/thanks/upgrade',
		],
		isHidden: true,
	},
	{ path: '/unsubscribe', isHidden: true },
	{ path: '/preferences', isHidden: true },
	{ path: '/course', isHidden: true },
	{ path: '/:slug', examples: [], like: '/about' },
];

/** First parts of addresses that are taken by what is no page, and the screens for what is missing. */
const TAKEN = [
	...['404', '404-article', '404-category', '404-state', '404-tag'],
	// Feeds of other programs.
	...['atom', 'authors', 'categories', 'feed', 'feeds', 'post', 'posts', 'rss', 'rss2', 'tags'],
	...[
		'api',
		'confirm',
		'conversation',
		'data',
		'home',
		'index',
		'letters',
		'mcp',
		'media',
		'moderate',
		'open',
		'run-frame',
		'social',
		'styleguide',
	],
];

/** Returns whether a page of the admin's own can have this slug: no other page and nothing else of the site begins with it. */
export function isFreeSlug(slug: string): boolean {
	const isTaken = TAKEN.includes(slug) || PAGES.some(({ path }) => path.split('/')[1] === slug);
	return slug !== '' && slugify(slug) === slug && !isTaken;
}

/** Made when they are first used: browsers, which need none, would load the list of pages for them. */
let patterns: Map<string, RegExp> | undefined;

/** Returns the page at a path, or `undefined`, for example for a 404. */
export function pageAt(pathname: string): PageKind | undefined {
	patterns ??= new Map(
		PAGES.map(({ path }) => [path, new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)]),
	);
	const matches = ({ path }: PageKind) =>
		path === '/:slug' ? isFreeSlug(pathname.slice(1)) : patterns!.get(path)!.test(pathname);
	return PAGES.find(({ path }) => path === pathname) ?? PAGES.find(matches);
}

/** Returns the addresses to visit of these pages, in order. */
export function examplesOf(pages: readonly PageKind[]): string[] {
	return pages.flatMap(({ path, examples = [path] }) => examples);
}

/** The footer's five categories, in order. A renamed one is shown under its new name. */
export const footerCategories = [
	'machine-learning',
	'natural-language-processing',
	'computer-vision',
	'ai-ethics',
	'data-science',
] as const;

/** How many categories the home page shows: the first of their order. */
export const HOME_CATEGORIES = 9;

/** Addresses of categories that netlify.toml redirects. They follow a category that is renamed. */
export const CATEGORY_ALIASES: Readonly<Record<string, string>> = { 'ethics-ai': 'ai-ethics' };

/** Returns the footer's links elsewhere: to networks' share pages for this site, and the like. */
export function socialLinks(url: string): SiteLink[] {
	const shared = encodeURIComponent(url);
	const text = encodeURIComponent(`${site.name}: ${site.tagline}`);
	return siteSettings().socialLinks.map(({ label, href }) => ({
		label,
		href: href.replaceAll('{url}', shared).replaceAll('{text}', () => text),
	}));
}

export const paths = {
	page: (slug: string) => `/${slug}`,
	post: (slug: string) => `/blog/${slug}`,
	/** Older comments of an article, by its id, without JavaScript. `place` is that of a comment. */
	olderComments: (id: string, place: string) =>
		`/blog/${id}/comments?before=${encodeURIComponent(place)}`,
	/** The page of an article's changes. */
	changes: (slug: string) => `/blog/${slug}/changes`,
	/** An article before its first change, its second, and so on. */
	version: (slug: string, number: number) => `/blog/${slug}/versions/${number}`,
	/** Path of a page's Markdown version. */
	markdown: (path: string) => `${path}.md`,
	/** Path of a list's feed; `/` stands for all articles. */
	feed: (path: string, file: string) => `${path.replace(/\/$/, '')}/${file}`,
	category: (slug: string, page = 1) => paged(`/category/${slug}`, page),
	tag: (slug: string, page = 1) => paged(`/tag/${slug}`, page),
	series: (slug: string) => `/series/${slug}`,
	author: (slug: string, page = 1) => paged(`/author/${slug}`, page),
	blog: (page = 1) => paged('/blog', page),
	states: '/ai-best-practices',
	compareStates: '/ai-best-practices/compare',
	data: '/data',
	state: (slug: string) => `/ai-best-practices/${slug}`,
	saved: '/saved',
	search: (query: string) => `/search?q=${encodeURIComponent(query)}`,
	corrections: '/corrections',
	issue: (date: string) => `/newsletter/${date}`,
	thanks: (form: string) => `/thanks/${form}`,
};

/** Icons besides the mark itself, made by the build. Phones of Apple look for the first, feed readers show the last. */
export const ICONS = {
	manifest: '/site.webmanifest',
	pictures: [
		{ path: '/apple-touch-icon.png', pixels: 180 },
		{ path: '/icon-192.png', pixels: 192 },
		{ path: '/icon-512.png', pixels: 512 },
	],
	/** Its mark stands inside the circle that every launcher leaves. */
	maskable: { path: '/icon-maskable.png', pixels: 512 },
} as const;

/** Paths of the social pictures, which the build draws. */
export const pictures = {
	site: '/social/site.png',
	post: (slug: string) => `/social/blog/${slug}.png`,
	category: (slug: string) => `/social/category/${slug}.png`,
	state: (slug: string) => `/social/state/${slug}.png`,
};

/** Where the figures of the states are downloaded. */
export const DATA_FILES = [
	{ path: '/data/states.csv', type: 'text/csv', label: 'CSV' },
	{ path: '/data/states.json', type: 'application/json', label: 'JSON' },
] as const;
/** The license of the sample content and of its own part of the data. */
export const CONTENT_LICENSE = 'https://creativecommons.org/licenses/by/4.0/';

function paged(path: string, page: number): string {
	return page === 1 ? path : `${path}/page/${page}`;
}

/** Returns whether a navigation link is the current page's (product.md section 2, header). */
export function isActive(href: string, pathname: string): boolean {
	return href === '/' ? pathname === '/' : pathname === href || pathname.startsWith(`${href}/`);
}
