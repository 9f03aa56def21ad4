// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import {
	addHighlight,
	clearHistory,
	removeFromHistory,
	$highlights,
	inventLikes,
	$likedPosts,
	markMissing,
	$postLikeCounts,
	$readingHistory,
	$readingTitles,
	recordRead,
	removeHighlight,
	$savedPosts,
	toggleLike,
	toggleSave,
	unlike,
	unsave,
} from './reader.store.ts';

const post = (id: string) => ({ id, slug: `slug-${id}`, title: `Title ${id}` });
const stored = (key: string) => JSON.parse(localStorage.getItem(key) ?? 'null') as unknown;

beforeEach(() => {
	for (const store of [$readingHistory, $savedPosts, $likedPosts, $highlights]) store.set([]);
	$postLikeCounts.set({});
	$readingTitles.set({});
	window.gtag = vi.fn();
});

test('a like is kept with its date and counted; the next one takes it back', () => {
	toggleLike(post('a'));
	expect(stored('likedPosts')).toEqual([
		{ id: 'a', title: 'Title a', likedAt: expect.stringMatching(/^\d{4}-.*Z$/), slug: 'slug-a' },
	]);
	expect(stored('postLikeCounts')).toEqual({ a: 1 });
	toggleLike(post('a'));
	expect(stored('likedPosts')).toEqual([]);
	expect(stored('postLikeCounts')).toEqual({ a: 0 });
	expect(vi.mocked(window.gtag!).mock.calls.map(([, name]) => name)).toEqual(['like', 'unlike']);
});

test('no count falls below 0', () => {
	$likedPosts.set([{ id: 'a', title: 'A', likedAt: 1, slug: undefined }]);
	toggleLike(post('a'));
	expect($postLikeCounts.get()).toEqual({ a: 0 });
});

test('likes are invented once', () => {
	vi.spyOn(Math, 'random').mockReturnValueOnce(0.5).mockReturnValueOnce(0.9);
	inventLikes('a');
	inventLikes('a');
	expect(stored('postLikeCounts')).toEqual({ a: 300 });
	toggleLike(post('a'));
	expect(stored('postLikeCounts')).toEqual({ a: 301 });
});

test('an article is saved and taken back', () => {
	expect(toggleSave(post('a'))).toBe(true);
	expect(toggleSave(post('b'))).toBe(true);
	expect(stored('savedPosts')).toMatchObject([{ id: 'b' }, { id: 'a', title: 'Title a' }]);
	expect(toggleSave(post('b'))).toBe(false);
	expect(stored('savedPosts')).toMatchObject([{ id: 'a' }]);
	expect(vi.mocked(window.gtag!).mock.calls.map(([, name]) => name)).toEqual([
		'save',
		'save',
		'unsave',
	]);
});

test('what is removed comes back where it was, once', () => {
	for (const id of ['a', 'b', 'c']) toggleSave(post(id));
	const undo = unsave($savedPosts.get()[1]!);
	expect($savedPosts.get().map(({ id }) => id)).toEqual(['c', 'a']);
	undo();
	undo();
	expect($savedPosts.get().map(({ id }) => id)).toEqual(['c', 'b', 'a']);
});

test('a like that is taken back and restored counts as before', () => {
	toggleLike(post('a'));
	const undo = unlike($likedPosts.get()[0]!);
	expect($postLikeCounts.get()).toEqual({ a: 0 });
	undo();
	expect($likedPosts.get()).toHaveLength(1);
	expect($postLikeCounts.get()).toEqual({ a: 1 });
});

test('the history holds the last 20 articles, and titles of no others', () => {
	for (let n = 1; n <= 21; n++) recordRead(post(String(n)), 'a.b');
	expect($readingHistory.get()).toHaveLength(20);
	expect($readingHistory.get()[0]).toBe('21');
	expect($readingHistory.get()).not.toContain('1');
	expect(Object.keys($readingTitles.get())).toHaveLength(20);
	expect($readingTitles.get()['1']).toBeUndefined();
	expect(stored('readingHistory')).toEqual($readingHistory.get());
});

test('the history is cleared and restored, with what was read in between first', () => {
	for (const id of ['a', 'b']) recordRead(post(id), '');
	const undo = clearHistory();
	expect($readingHistory.get()).toEqual([]);
	recordRead(post('c'), '');
	undo();
	expect($readingHistory.get()).toEqual(['c', 'b', 'a']);
	removeFromHistory('b')();
	expect($readingHistory.get()).toEqual(['c', 'b', 'a']);
});

test('a highlight is kept with its text, address and time, and removed alone', () => {
	const at = { url: 'http://localhost/blog/a' };
	addHighlight({ ...at, text: 'the first passage' });
	addHighlight({ ...at, text: 'the second passage' });
	expect(stored('highlights')).toEqual([
		{ ...at, text: 'the second passage', timestamp: expect.any(String) },
		{ ...at, text: 'the first passage', timestamp: expect.any(String) },
	]);
	const undo = removeHighlight($highlights.get()[0]!);
	expect($highlights.get().map(({ text }) => text)).toEqual(['the first passage']);
	undo();
	expect($highlights.get()).toHaveLength(2);
});

test('a highlight is noted as missing, and as back, and written only when that changes', () => {
	addHighlight({ url: '/blog/a', text: 'a passage' });
	const note = (missing: boolean) => markMissing(new Map([[$highlights.get()[0]!, missing]]));
	const before = $highlights.get();
	note(false);
	expect($highlights.get()).toBe(before);
	note(true);
	expect($highlights.get()[0]).toMatchObject({ text: 'a passage', missing: true });
	note(false);
	expect($highlights.get()[0]).toMatchObject({ missing: false });
});
