import { expect, test } from 'vitest';
import {
	highlightAddress,
	likesAfter,
	highlight,
	isNamedBy,
	isOnPage,
	isRead,
	isSelectable,
	likedPost,
	likesShown,
	recommend,
	addToHistory,
	savedPost,
} from './reader.ts';

const ids = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`);

test('the history holds 20 ids, the newest first', () => {
	expect(addToHistory(ids(19), 'new')).toEqual(['new', ...ids(19)]);
	expect(addToHistory(ids(20), 'new')).toEqual(['new', ...ids(19)]);
});

test('an article read again moves to the front and is there once', () => {
	expect(addToHistory(['a', 'b', 'c'], 'c')).toEqual(['c', 'a', 'b']);
	expect(addToHistory(ids(20), 'p19')).toHaveLength(20);
});

test.each([
	[0, true, 1],
	[1, false, 0],
	[0, false, 0],
	[549, true, 550],
])('a count of %s, liked %s, becomes %s', (count, liked, after) => {
	expect(likesAfter(count, liked)).toBe(after);
});

test('where likes are not invented only the own one shows, whatever an earlier visit invented', () => {
	expect(likesShown(321, false, true)).toBe(321);
	expect(likesShown(321, false, false)).toBe(0);
	expect(likesShown(322, true, false)).toBe(1);
});

test.each([
	[10, false],
	[11, true],
	[299, true],
	[300, false],
])('a selection of %s characters has a toolbar: %s', (length, shows) => {
	expect(isSelectable('x'.repeat(length))).toBe(shows);
	expect(isSelectable(` \n${'x'.repeat(length)} `)).toBe(shows);
});

test.each([
	[9, 0, false],
	[10, 0, true],
	[0, 24.9, false],
	[0, 25, true],
])('after %s seconds and %s percent an article counts as read: %s', (seconds, percent, read) => {
	expect(isRead(seconds, percent)).toBe(read);
});

test('entries of exactly the specified shape are right, and so are those with more', () => {
	const time = '2026-01-02T03:04:05.000Z';
	expect(savedPost.safeParse({ id: 'p1', title: 'One', savedAt: time }).success).toBe(true);
	expect(savedPost.safeParse({ id: 'p1', title: 'One', savedAt: Date.parse(time) }).success).toBe(
		true,
	);
	expect(likedPost.safeParse({ id: 'p1', title: 'One', likedAt: time }).success).toBe(true);
	const mark = { text: 'a passage', url: 'https://site.example/blog/one', timestamp: time };
	expect(highlight.safeParse(mark).success).toBe(true);
	expect(highlight.safeParse({ ...mark, url: '/blog/one' }).success).toBe(true);
	expect(savedPost.parse({ id: 'p1', title: 'One', savedAt: time, color: 'red' })).toMatchObject({
		color: 'red',
	});
});

test('an extra of the wrong kind costs only itself', () => {
	const time = '2026-01-02T03:04:05.000Z';
	expect(savedPost.parse({ id: 'p1', title: 'One', savedAt: time, slug: 7 })).toEqual({
		id: 'p1',
		title: 'One',
		savedAt: time,
		slug: undefined,
	});
});

test.each([
	[savedPost, { id: '', title: 'One', savedAt: 1 }],
	[savedPost, { id: 'p1', savedAt: 1 }],
	[savedPost, { id: 'p1', title: 'One', savedAt: 'yesterday' }],
	[likedPost, { id: 'p1', title: 'One', savedAt: 1 }],
	[highlight, { text: '', url: '/blog/one', timestamp: 1 }],
	[highlight, { text: 'a passage', url: 'https://', timestamp: 1 }],
	[highlight, { text: 'a passage', url: '/blog/one' }],
])('an entry that could break a page is none', (schema, value) => {
	expect(schema.safeParse(value).success).toBe(false);
});

test('a highlight belongs to its path on any host, and links to its text while that is there', () => {
	const mark = highlight.parse({
		text: 'two-dimensional, #1',
		url: 'https://old.example/blog/one',
		timestamp: 1,
	});
	expect(isOnPage(mark, '/blog/one')).toBe(true);
	expect(isOnPage(mark, '/blog/one-more')).toBe(false);
	const address = highlightAddress(mark);
	expect(address).toBe('/blog/one#highlight-1');
	const { hash } = new URL(address, 'http://any');
	expect(isNamedBy(hash, mark)).toBe(true);
	expect(isNamedBy(hash, { ...mark, timestamp: '2026-11-28T10:00:00.000Z' })).toBe(false);
	expect(highlightAddress({ ...mark, missing: true })).toBe('/blog/one');
});

test('recommendations are three others in an order of chance', () => {
	const posts = ids(4).map((id) => ({ id }));
	const draws = (...values: number[]) => {
		const left = values.values();
		return () => left.next().value ?? 0;
	};
	expect(recommend(posts, 'p1', 3, draws(0.3, 0.2, 0.1))).toEqual([
		{ id: 'p3' },
		{ id: 'p2' },
		{ id: 'p0' },
	]);
	expect(recommend(posts, 'other', 3, draws(0.4, 0.1, 0.2, 0.3)).map(({ id }) => id)).toEqual([
		'p1',
		'p2',
		'p3',
	]);
	expect(recommend([{ id: 'p1' }], 'p1', 3, Math.random)).toEqual([]);
});
