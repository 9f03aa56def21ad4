import type { ComponentType } from 'react';

/** Groups of the sidebar, in order. */
export const GROUPS = ['Write', 'Readers', 'Site'] as const;

export type Screen = {
	/** Its name in the address: `?tab=…`. */
	id: string;
	/** After G it leads there. */
	key?: string;
	label: string;
	group: (typeof GROUPS)[number];
	/** Path of its icon, drawn with a line in a square of 24. */
	icon: string;
	/** Is in the sidebar only while it is open: the palette and another screen lead to it. */
	isRare?: true;
	/** Other words by which the palette finds it. */
	words?: string;
	load: () => Promise<ComponentType>;
	/** Addresses of what it reads first, so that they are on their way with its code. */
	reads?: (query: URLSearchParams) => string[];
};

/** Screens that are one with another by now, by their former names in the address. */
export const MOVED: Readonly<Record<string, string>> = { visits: 'numbers' };

/** The screens of the admin, in order. The code of each is loaded when it is first opened. */
export const SCREENS: readonly [Screen, ...Screen[]] = [
	{
		id: 'home',
		key: 'h',
		label: 'Home',
		group: 'Write',
		icon: 'M4 11.5 12 5l8 6.5M6.5 10v9.5h11V10M10 19.5v-5h4v5',
		words: 'start overview dashboard inbox waits waiting today news since last visit',
		// Asked for once it is known who is there: whoever signs in first would be refused it.
		load: () => import('#src/dashboard/home/HomeScreen.tsx').then((module) => module.HomeScreen),
	},
	{
		id: 'posts',
		key: 'p',
		label: 'Manage Posts',
		group: 'Write',
		icon: 'M5 4h14v16H5zM8.5 8.5h7M8.5 12h7M8.5 15.5h4',
		words: 'articles drafts list',
		load: () => import('#src/dashboard/posts/PostsScreen.tsx').then((module) => module.PostsScreen),
	},
	{
		id: 'create',
		key: 'w',
		label: 'Create Post',
		group: 'Write',
		icon: 'm4 20 1-5L16 4l4 4L9 19zM13.5 6.5l4 4',
		words: 'write editor article',
		load: () =>
			import('#src/dashboard/editor/EditorScreen.tsx').then((module) => module.EditorScreen),
		reads: (query) => {
			const post = query.get('post');
			return ['/api/categories', ...(post ? [`/api/admin/posts/${encodeURIComponent(post)}`] : [])];
		},
	},
	{
		id: 'pages',
		key: 'a',
		label: 'Pages',
		group: 'Write',
		icon: 'M7 3h7l4 4v14H7zM14 3v4h4M10 12h5M10 16h5',
		words: 'about privacy terms imprint questions faq testimonials footer text',
		load: () => import('#src/dashboard/pages/PagesScreen.tsx').then((module) => module.PagesScreen),
	},
	{
		id: 'categories',
		key: 't',
		label: 'Categories and tags',
		group: 'Write',
		icon: 'M4 4h8l8 8-8 8-8-8zM8 8h.01',
		words: 'topics taxonomy merge rename series reading paths order authors bylines staff writers',
		load: () => import('#src/dashboard/terms/TermsScreen.tsx').then((module) => module.TermsScreen),
	},
	{
		id: 'states',
		key: 's',
		label: 'States',
		group: 'Write',
		icon: 'M4 6l5-2 6 2 5-2v14l-5 2-6-2-5 2zM9 4v14M15 6v14',
		words: 'guides figures years wages jobs import',
		load: () =>
			import('#src/dashboard/states/StatesScreen.tsx').then((module) => module.StatesScreen),
	},
	{
		id: 'media',
		key: 'i',
		label: 'Media',
		group: 'Write',
		icon: 'M4 5h16v14H4zM4 16l4.5-4.5 4 4 3-3L20 17M15 9h.01',
		words: 'pictures images photos upload',
		load: () => import('#src/dashboard/media/MediaScreen.tsx').then((module) => module.MediaScreen),
	},
	{
		id: 'comments',
		key: 'c',
		label: 'Comments',
		group: 'Readers',
		icon: 'M4 5h16v11H11l-4 4v-4H4z',
		words: 'moderation approve hide',
		load: () =>
			import('#src/dashboard/comments/CommentsScreen.tsx').then((module) => module.CommentsScreen),
	},
	{
		id: 'messages',
		key: 'm',
		label: 'Messages',
		group: 'Readers',
		icon: 'M4 13h4l1.5 3h5l1.5-3h4M4 13l3-8h10l3 8v6H4z',
		words: 'inbox contact form answer',
		load: () =>
			import('#src/dashboard/messages/MessagesScreen.tsx').then((module) => module.MessagesScreen),
	},
	{
		id: 'subscribers',
		key: 'r',
		label: 'Subscribers',
		group: 'Readers',
		icon: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-3.5 2.5-6 6-6s6 2.5 6 6M16 4.5a3.5 3.5 0 0 1 0 6M18 14.5c2 .8 3 2.8 3 5.5',
		words: 'newsletter addresses readers members',
		load: () =>
			import('#src/dashboard/subscribers/SubscribersScreen.tsx').then(
				(module) => module.SubscribersScreen,
			),
	},
	{
		id: 'newsletter',
		key: 'l',
		label: 'Newsletter',
		group: 'Readers',
		icon: 'M5 3h14v18H5zM8 7h8M8 11h3v4H8zM14 11h2M14 15h2M8 18h8',
		words: 'letter issue digest approve skip schedule send topics pause course lessons',
		load: () =>
			import('#src/dashboard/newsletter/NewsletterScreen.tsx').then(
				(module) => module.NewsletterScreen,
			),
	},
	{
		id: 'mail',
		key: 'o',
		label: 'Mail',
		group: 'Readers',
		icon: 'M4 6h16v12H4zM4 7l8 6 8-6',
		words: 'outbox newsletter letter email',
		load: () => import('#src/dashboard/mail/MailScreen.tsx').then((module) => module.MailScreen),
	},
	{
		id: 'numbers',
		key: 'n',
		label: 'Numbers',
		group: 'Site',
		icon: 'M4 20h16M7 20v-6M12 20V5M17 20v-9',
		words:
			'statistics analytics views shares visits visitors pages referrers campaigns searches funnels traffic sources read through',
		load: () =>
			import('#src/dashboard/visits/NumbersScreen.tsx').then((module) => module.NumbersScreen),
	},
	{
		id: 'site',
		key: 'y',
		label: 'Site',
		group: 'Site',
		icon: 'M4 6h16v13H4zM4 10h16M7 8h.01M9.5 8h.01',
		load: () => import('#src/dashboard/site/SiteScreen.tsx').then((module) => module.SiteScreen),
	},
	{
		id: 'redirects',
		key: 'd',
		label: 'Redirects',
		group: 'Site',
		icon: 'M4 17v-4a4 4 0 0 1 4-4h12M16 5l4 4-4 4',
		words: 'former old addresses moved 301 forward urls slugs permalinks',
		load: () =>
			import('#src/dashboard/redirects/RedirectsScreen.tsx').then(
				(module) => module.RedirectsScreen,
			),
	},
	{
		id: 'settings',
		key: 'e',
		label: 'Settings',
		group: 'Site',
		icon: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM8 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
		load: () =>
			import('#src/dashboard/settings/SettingsScreen.tsx').then((module) => module.SettingsScreen),
	},
	{
		id: 'setup',
		label: 'Set up your site',
		group: 'Site',
		icon: 'M5 12l4 4L19 6',
		isRare: true,
		words: 'first run start empty delete all sample content name reset',
		load: () => import('#src/dashboard/setup/SetupScreen.tsx').then((module) => module.SetupScreen),
	},
];

type Queries = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Returns whether the article in the editor is one that is stored. */
export const isStoredPost = (queries: Queries): boolean => Boolean(queries['create']?.['post']);

/** Returns with what a screen opens by its name: as it was left, and the editor with a new article instead of a stored one. */
export const queryOf = (
	id: string,
	queries: Queries,
): Readonly<Record<string, string>> | undefined =>
	id === 'create' && isStoredPost(queries) ? {} : queries[id];

/** Returns the heading of a screen. */
export const titleOf = ({ id, label }: Pick<Screen, 'id' | 'label'>, queries: Queries): string =>
	id === 'create' && isStoredPost(queries) ? 'Edit Post' : label;
