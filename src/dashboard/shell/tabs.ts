import type { ComponentType } from 'react';

export type DashboardTab = { id: string; label: string; load: () => Promise<ComponentType> };

/** The desk's tabs, in order. The code of each is loaded when it is first opened. */
export const TABS: readonly [DashboardTab, ...DashboardTab[]] = [
	{
		id: 'posts',
		label: 'Manage Posts',
		load: () => import('#src/dashboard/posts/PostsTab.tsx').then((module) => module.PostsTab),
	},
	{
		id: 'create',
		label: 'Create Post',
		load: () => import('#src/dashboard/editor/EditorTab.tsx').then((module) => module.EditorTab),
	},
	{
		id: 'categories',
		label: 'Categories and tags',
		load: () => import('#src/dashboard/terms/TermsTab.tsx').then((module) => module.TermsTab),
	},
	{
		id: 'states',
		label: 'States',
		load: () => import('#src/dashboard/states/StatesTab.tsx').then((module) => module.StatesTab),
	},
	{
		id: 'comments',
		label: 'Comments',
		load: () =>
			import('#src/dashboard/comments/CommentsTab.tsx').then((module) => module.CommentsTab),
	},
	{
		id: 'subscribers',
		label: 'Subscribers',
		load: () =>
			import('#src/dashboard/subscribers/SubscribersTab.tsx').then(
				(module) => module.SubscribersTab,
			),
	},
	{
		id: 'mail',
		label: 'Mail',
		load: () => import('#src/dashboard/mail/MailTab.tsx').then((module) => module.MailTab),
	},
	{
		id: 'media',
		label: 'Media',
		load: () => import('#src/dashboard/media/MediaTab.tsx').then((module) => module.MediaTab),
	},
	{
		id: 'numbers',
		label: 'Numbers',
		load: () => import('#src/dashboard/stats/StatsTab.tsx').then((module) => module.StatsTab),
	},
	{
		id: 'settings',
		label: 'Settings',
		load: () =>
			import('#src/dashboard/settings/SettingsTab.tsx').then((module) => module.SettingsTab),
	},
];
