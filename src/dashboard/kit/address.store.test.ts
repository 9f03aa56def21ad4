// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';
import { $address, openScreen, readAddress, setQuery } from './address.store.ts';

const SCREENS = ['posts', 'comments'];

beforeEach(() => {
	$address.set({ screen: '', queries: {} });
	history.replaceState(null, '', '/admin');
	readAddress(location.search, SCREENS);
});

test('without a screen, or with one that there is not, the first is open', () => {
	expect($address.get().screen).toBe('posts');
	readAddress('?tab=nowhere', SCREENS);
	expect($address.get().screen).toBe('posts');
});

test('a screen and its query are in the address, and a screen comes back as it was left', () => {
	openScreen('comments');
	setQuery('comments', { state: 'waiting', q: 'a b' });
	expect(location.search).toBe('?tab=comments&state=waiting&q=a+b');
	openScreen('posts');
	expect(location.search).toBe('?tab=posts');
	openScreen('comments');
	expect(location.search).toBe('?tab=comments&state=waiting&q=a+b');
	setQuery('comments', { q: '' });
	expect($address.get().queries['comments']).toEqual({ state: 'waiting' });
});

test('typing replaces the address, choosing adds to the history', () => {
	const before = history.length;
	setQuery('posts', { q: 'k' }, 'replace');
	expect(history.length).toBe(before);
	setQuery('posts', { state: 'draft' });
	expect(history.length).toBe(before + 1);
	// The same again is no step.
	setQuery('posts', { state: 'draft' });
	expect(history.length).toBe(before + 1);
});

test('a screen that is not open changes what it has, and not the address', () => {
	setQuery('comments', { q: 'late' }, 'replace');
	expect(location.search).toBe('');
	expect($address.get()).toMatchObject({ screen: 'posts', queries: { comments: { q: 'late' } } });
});
