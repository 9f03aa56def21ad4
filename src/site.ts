/** Everything that makes this site yours: put your own name here. */
export const site = {
	name: 'Groundtruth',
	tagline: 'AI insights and best practices, checked',
	description:
		'Groundtruth explains artificial intelligence to working engineers: checked articles, career guides for all 50 US states and a weekly newsletter.',
	newsletter: 'Groundtruth Weekly',
	/** Suffix of an article's title in search results, unless its author set one. */
	titleSuffix: (year: number) => `Complete Guide ${year}`,
	author: 'Groundtruth',
	language: 'en-US',
	email: {
		contact: 'hello@groundtruth.example',
		privacy: 'privacy@groundtruth.example',
		from: 'Groundtruth <weekly@groundtruth.example>',
	},
	source: 'https://github.com/groundtruth-ai/groundtruth',
} as const;

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
	{ path: '/category/:slug', examples: ['/category/machine-learning'], like: '/blog' },
	{ path: '/category/:slug/page/:page', examples: [], like: '/blog' },
	{ path: '/tag/:slug', examples: ['/tag/evaluation'], like: '/blog' },
	{ path: '/tag/:slug/page/:page', examples: [], like: '/blog' },
	{ path: '/about', label: 'About' },
	{ path: '/ai-best-practices', label: 'AI by State', shows: 'states' },
	{ path: '/states', isAlias: true, like: '/ai-best-practices' },
	{
		path: '/ai-best-practices/:state',
		// One with all figures, and one without some.
		examples: ['/ai-best-practices/california', '/ai-best-practices/wyoming'],
	},
	{ path: '/ai-best-practices/compare', shows: 'states' },
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
		examples: ['/thanks/comment', '/thanks/comment-waits', '/thanks/enroll', '/thanks/upgrade'],
		isHidden: true,
	},
	{ path: '/unsubscribe', isHidden: true },
	{ path: '/preferences', isHidden: true },
	{ path: '/course', isHidden: true },
];

/** Returns the page at a path, or `undefined`, for example for a 404. */
export function pageAt(pathname: string): PageKind | undefined {
	const matches = ({ path }: PageKind) =>
		new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(pathname);
	return PAGES.find(({ path }) => path === pathname) ?? PAGES.find(matches);
}

/** Returns the addresses to visit of these pages, in order. */
export function examplesOf(pages: readonly PageKind[]): string[] {
	return pages.flatMap(({ path, examples = [path] }) => examples);
}

/** The header's links, in order. Home is active on exactly "/", the others by path prefix. */
export const navigation = [
	{ label: 'Home', href: '/' },
	{ label: 'Blog', href: '/blog' },
	{ label: 'AI by State', href: '/ai-best-practices' },
	{ label: 'About', href: '/about' },
	{ label: 'Newsletter', href: '/newsletter' },
] as const;

export const quickLinks = [
	{ label: 'Blog', href: '/blog' },
	{ label: 'About Us', href: '/about' },
	{ label: 'Privacy Policy', href: '/privacy' },
	{ label: 'Terms of Service', href: '/terms' },
	{ label: 'Sitemap', href: '/sitemap' },
] as const;

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

/** Returns the footer's links to networks' share pages for this site. */
export function socialLinks(url: string) {
	const shared = encodeURIComponent(url);
	const text = encodeURIComponent(`${site.name}: ${site.tagline}`);
	return [
		{ label: 'Share on X', href: `https://x.com/intent/post?url=${shared}&text=${text}` },
		{ label: 'Share on Facebook', href: `https://www.facebook.com/sharer/sharer.php?u=${shared}` },
		{
			label: 'Share on LinkedIn',
			href: `https://www.linkedin.com/sharing/share-offsite/?url=${shared}`,
		},
		{ label: 'Source code', href: site.source },
	];
}

export const paths = {
	post: (slug: string) => `/blog/${slug}`,
	/** Path of a page's Markdown version. */
	markdown: (path: string) => `${path}.md`,
	/** Path of a list's feed; `/` stands for all articles. */
	feed: (path: string, file: string) => `${path.replace(/\/$/, '')}/${file}`,
	category: (slug: string, page = 1) => paged(`/category/${slug}`, page),
	tag: (slug: string, page = 1) => paged(`/tag/${slug}`, page),
	blog: (page = 1) => paged('/blog', page),
	states: '/ai-best-practices',
	compareStates: '/ai-best-practices/compare',
	state: (slug: string) => `/ai-best-practices/${slug}`,
	saved: '/saved',
	search: (query: string) => `/search?q=${encodeURIComponent(query)}`,
	issue: (date: string) => `/newsletter/${date}`,
	thanks: (form: string) => `/thanks/${form}`,
};

/** Paths of the social pictures, which the build draws. */
export const pictures = {
	site: '/social/site.png',
	post: (slug: string) => `/social/blog/${slug}.png`,
	category: (slug: string) => `/social/category/${slug}.png`,
	state: (slug: string) => `/social/state/${slug}.png`,
};

function paged(path: string, page: number): string {
	return page === 1 ? path : `${path}/page/${page}`;
}

/** Returns whether a navigation link is the current page's (product.md section 2, header). */
export function isActive(href: string, pathname: string): boolean {
	return href === '/' ? pathname === '/' : pathname === href || pathname.startsWith(`${href}/`);
}
