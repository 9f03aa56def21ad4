import type { ComponentType } from 'react';

export type DeskTab = { id: string; label: string; load: () => Promise<ComponentType> };

/** The desk's tabs, in order. The code of each is loaded when it is first opened. */
export const TABS: readonly [DeskTab, ...DeskTab[]] = [
	{
		id: 'posts',
		label: 'Manage Posts',
		load: () => import('#src/features/editor/PostsTab.tsx').then((module) => module.PostsTab),
	},
	{
		id: 'create',
		label: 'Create Post',
		load: () => import('#src/features/editor/EditorTab.tsx').then((module) => module.EditorTab),
	},
];
