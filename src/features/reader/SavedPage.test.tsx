// @vitest-environment jsdom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $toasts } from '#src/components/ui/toast.store.ts';
import {
	$highlights,
	$likedPosts,
	$postLikeCounts,
	$readingHistory,
	$readingTitles,
	$savedPosts,
} from './reader.store.ts';
import { $articleRows } from './rows.store.ts';
import { SavedPage } from './SavedPage.tsx';

const time = '2026-03-04T12:00:00.000Z';
/** The server's response to the page's request. */
let answer: () => Promise<Response>;

beforeEach(() => {
	history.replaceState(null, '', '/saved');
	for (const store of [$readingHistory, $savedPosts, $likedPosts, $highlights]) store.set([]);
	$postLikeCounts.set({});
	$readingTitles.set({});
	$articleRows.set({});
	$toasts.set([]);
	answer = () => Promise.reject(new TypeError('no connection'));
	vi.stubGlobal(
		'fetch',
		vi.fn(() => answer()),
	);
});
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const part = (name: string) => within(screen.getByRole('heading', { name }).closest('section')!);

function undo() {
	const { action } = $toasts.get()[0]!;
	expect(action?.label).toBe('Undo');
	action!.run();
}

test('without any there is one frame, which says what comes there', () => {
	render(<SavedPage siteName="Groundtruth" />);
	expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['0 saved']);
	expect(screen.getByRole('link').getAttribute('href')).toBe('/blog');
	expect(screen.queryByRole('list')).toBeNull();
	expect(screen.queryByRole('button', { name: 'Export as Markdown' })).toBeNull();
	expect(fetch).not.toHaveBeenCalled();
});

test('with a saved article the frame is gone, also once that is removed', async () => {
	$savedPosts.set([{ id: '1', title: 'One', slug: 'one', savedAt: time }]);
	render(<SavedPage siteName="Groundtruth" />);
	const names = () => screen.getAllByRole('heading').map(({ textContent }) => textContent);
	expect(names()).toEqual(['Saved articles']);
	await userEvent.click(screen.getByRole('button', { name: 'Remove from saved articles: One' }));
	expect(part('Saved articles').getByText('0 saved')).toBeDefined();
	expect(names()).toEqual(['Saved articles']);
});

test('a saved article is linked, removed, and brought back by undo; the keyboard stays in its part', async () => {
	$savedPosts.set([
		{ id: '1', title: 'One', slug: 'one', savedAt: time },
		{ id: '2', title: 'Two', slug: 'two', savedAt: time },
	]);
	render(<SavedPage siteName="Groundtruth" />);
	const saved = part('Saved articles');
	expect(saved.getByRole('link', { name: 'One' }).getAttribute('href')).toBe('/blog/one');
	expect(saved.getAllByText('Saved March 4, 2026')).toHaveLength(2);
	await userEvent.click(saved.getByRole('button', { name: 'Remove from saved articles: One' }));
	expect(saved.queryByRole('link', { name: 'One' })).toBeNull();
	expect(saved.getByRole('link', { name: 'Two' })).toBeDefined();
	expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Saved articles' }));
	undo();
	await saved.findByRole('link', { name: 'One' });
	expect($savedPosts.get().map(({ id }) => id)).toEqual(['1', '2']);
});

test('a removed like lowers the count, and undo raises it', async () => {
	$likedPosts.set([{ id: '1', title: 'One', slug: 'one', likedAt: time }]);
	$postLikeCounts.set({ 1: 300 });
	render(<SavedPage siteName="Groundtruth" />);
	await userEvent.click(screen.getByRole('button', { name: 'Remove from liked articles: One' }));
	expect($postLikeCounts.get()).toEqual({ 1: 299 });
	undo();
	expect($postLikeCounts.get()).toEqual({ 1: 300 });
});

test('highlights lead to their text, and those that the article lost say so', async () => {
	const one = { url: '/blog/one', timestamp: time, title: 'One', prefix: '', suffix: '' };
	$highlights.set([
		{ ...one, text: 'still there', missing: false, slug: undefined },
		{ ...one, text: 'long gone', missing: true, slug: undefined },
	]);
	render(<SavedPage siteName="Groundtruth" />);
	const [there, gone] = part('Highlights').getAllByRole('listitem');
	expect(within(there!).getByRole('link').getAttribute('href')).toBe(
		'/blog/one#highlight-2026-03-04T12%3A00%3A00.000Z',
	);
	expect(there!.textContent).not.toContain('No longer');
	expect(gone!.textContent).toContain('No longer in the article');
	await userEvent.click(screen.getByRole('button', { name: 'Remove from highlights: long gone' }));
	expect($highlights.get().map(({ text }) => text)).toEqual(['still there']);
});

test('the history is shown by its titles, cleared at once and restored', async () => {
	$readingHistory.set(['1', '2']);
	$readingTitles.set({ 1: { title: 'One', slug: 'one' }, 2: { title: 'Two', slug: 'two' } });
	render(<SavedPage siteName="Groundtruth" />);
	const list = part('Reading history');
	expect(list.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['One', 'Two']);
	await userEvent.click(list.getByRole('button', { name: 'Clear history' }));
	expect(list.getByText('0 read')).toBeDefined();
	undo();
	expect(await list.findAllByRole('link')).toHaveLength(2);
});

test('what lists show of an article is loaded once, kept with it, and goes with it', async () => {
	const row = {
		...{ slug: 'one', title: 'One', excerpt: 'It is found in 9% of them.', author: '' },
		...{ category: 'data', readTime: 7, publishedAt: null, score: 0 },
	};
	answer = async () => Response.json([row, { ...row, slug: 'two' }]);
	const categories = [{ slug: 'data', name: 'Data', color: '#123456' }];
	$savedPosts.set([{ id: '1', title: 'One', slug: 'one', savedAt: time }]);
	const first = render(<SavedPage siteName="Groundtruth" categories={categories} />);
	await waitFor(() => expect(part('Saved articles').getByText('9%')).toBeDefined());
	expect(part('Saved articles').getByText('7 min read')).toBeDefined();
	expect(part('Saved articles').getByText('Data')).toBeDefined();
	expect(Object.keys($articleRows.get())).toEqual(['one']);
	expect(fetch).toHaveBeenCalledOnce();
	first.unmount();
	render(<SavedPage siteName="Groundtruth" categories={categories} />);
	expect(part('Saved articles').getByText('9%')).toBeDefined();
	expect(fetch).toHaveBeenCalledOnce();
	cleanup();
	$savedPosts.set([]);
	render(<SavedPage siteName="Groundtruth" />);
	await waitFor(() => expect($articleRows.get()).toEqual({}));
});

test('entries of the bare specified shape get title and address from the newest posts', async () => {
	answer = async () => Response.json([{ id: '1', slug: 'one', title: 'One' }]);
	$savedPosts.set([{ id: '1', title: 'One', slug: undefined, savedAt: time }]);
	$readingHistory.set(['1', 'unknown']);
	render(<SavedPage siteName="Groundtruth" />);
	await waitFor(() =>
		expect(part('Reading history').getByRole('link', { name: 'One' }).getAttribute('href')).toBe(
			'/blog/one',
		),
	);
	expect(part('Saved articles').getByRole('link').getAttribute('href')).toBe('/blog/one');
	expect(
		part('Reading history').getByText('1 article whose title is not known here'),
	).toBeDefined();
});

test('without a connection their titles lead to the search', async () => {
	$savedPosts.set([{ id: '1', title: 'Q & A', slug: undefined, savedAt: time }]);
	render(<SavedPage siteName="Groundtruth" />);
	await waitFor(() => expect(fetch).toHaveBeenCalledOnce());
	expect(screen.getByRole('link', { name: 'Q & A' }).getAttribute('href')).toBe(
		'/search?q=Q%20%26%20A',
	);
});

test('in place of a page that cannot be had it says why it is there', () => {
	history.replaceState(null, '', '/blog/not-saved');
	$savedPosts.set([{ id: '1', title: 'One', slug: 'one', savedAt: time }]);
	render(<SavedPage siteName="Groundtruth" />);
	expect(screen.getByRole('status').textContent).toContain('You are offline.');
	expect(screen.getByRole('link', { name: 'One' })).toBeDefined();
});
