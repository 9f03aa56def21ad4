import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { listCategories } from '#src/features/categories/categories.api.ts';
import { getEditedPost } from '#src/features/posts/editing.api.ts';
import { queryOf, SCREENS, titleOf } from './screens.ts';

test('whatever opens a screen names one that there is', async () => {
	const named = new Map<string, string>();
	for await (const file of glob('src/dashboard/**/*.{ts,tsx}'))
		for (const [, id] of readFileSync(file, 'utf8').matchAll(
			/(?:openScreen|returnToScreen|screenAddress)\(\s*'([^']*)'/g,
		))
			if (!file.includes('.test.')) named.set(id!, file);
	expect(named.size).toBeGreaterThan(5);
	const ids = SCREENS.map(({ id }) => id);
	expect([...named].filter(([id]) => !ids.includes(id))).toEqual([]);
});

test('the editor asks for what it reads first before its code is there', () => {
	const { reads } = SCREENS.find(({ id }) => id === 'create')!;
	expect(reads!(new URLSearchParams('tab=create'))).toEqual([listCategories.path]);
	expect(reads!(new URLSearchParams('tab=create&post=one'))).toEqual([
		listCategories.path,
		getEditedPost.path.replace(':id', 'one'),
	]);
});

test('the home opens first, and asks for nothing before it is known who is there', () => {
	expect(SCREENS[0].id).toBe('home');
	expect(SCREENS[0].reads).toBeUndefined();
});

test('no two screens have one key', () => {
	const keys = SCREENS.flatMap(({ key }) => key ?? []);
	expect(new Set(keys).size).toBe(keys.length);
});

test('the editor is headed by what is in it: a new article or one that is stored', () => {
	const editor = SCREENS.find(({ id }) => id === 'create')!;
	expect(titleOf(editor, {})).toBe('Create Post');
	expect(titleOf(editor, { create: {}, posts: { post: 'one' } })).toBe('Create Post');
	expect(titleOf(editor, { create: { post: 'one' } })).toBe('Edit Post');
	const list = SCREENS.find(({ id }) => id === 'posts')!;
	expect(titleOf(list, { create: { post: 'one' } })).toBe('Manage Posts');
});

test('the editor opens by its name with a new article, not with a stored one that was left there', () => {
	const queries = { create: { post: 'one' }, posts: { q: 'words' } };
	expect(queryOf('create', queries)).toEqual({});
	expect(queryOf('create', { create: {} })).toEqual({});
	expect(queryOf('posts', queries)).toEqual({ q: 'words' });
	expect(queryOf('media', queries)).toBeUndefined();
});
