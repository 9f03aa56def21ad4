// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';
import { $address, openTab, readAddress, setQuery } from './address.store.ts';

const TABS = ['posts', 'comments'];

beforeEach(() => {
	$address.set({ tab: '', queries: {} });
	history.replaceState(null, '', '/admin');
	readAddress(location.search, TABS);
});

test('without a tab, or with one that there is not, the first is open', () => {
	expect($address.get().tab).toBe('posts');
	readAddress('?tab=nowhere', TABS);
	expect($address.get().tab).toBe('posts');
});

test('a tab and its query are in the address, and a tab comes back as it was left', () => {
	openTab('comments');
	setQuery('comments', { state: 'waiting', q: 'a b' });
	expect(location.search).toBe('?tab=comments&state=waiting&q=a+b');
	openTab('posts');
	expect(location.search).toBe('?tab=posts');
	openTab('comments');
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

test('a tab that is not open changes what it has, and not the address', () => {
	setQuery('comments', { q: 'late' }, 'replace');
	expect(location.search).toBe('');
	expect($address.get()).toMatchObject({ tab: 'posts', queries: { comments: { q: 'late' } } });
});
