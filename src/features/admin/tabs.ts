import type { ComponentType } from 'react';

export type DeskTab = { id: string; label: string; load: () => Promise<ComponentType> };

/** The desk's tabs, in order. The code of each is loaded when it is first opened. */
export const TABS: readonly [DeskTab, ...DeskTab[]] = [
	{
		id: 'posts',
		label: 'Manage Posts',
		load: () => import('./PostList.tsx').then((module) => module.PostList),
	},
];
