// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BlogRow } from './blog-list.ts';
import { BlogList } from './BlogList.tsx';

const categories = [
	{ slug: 'vision', name: 'Vision', color: '#0E7490' },
	{ slug: 'robotics', name: 'Robotics', color: '#0E7490' },
	{ slug: 'empty', name: 'Empty', color: '#0E7490' },
];
const row = (n: number, values: Partial<BlogRow> = {}): BlogRow => ({
	slug: `post-${n}`,
	title: `Post ${n}`,
	excerpt: null,
	author: 'Ada',
	category: 'vision',
	readTime: 5,
	publishedAt: '2026-01-02T12:00:00.000Z',
	score: 0,
	...values,
});

beforeEach(() => {
	history.replaceState(null, '', '/blog');
});
afterEach(cleanup);

function serve(rows?: BlogRow[]) {
	const asked = vi.fn();
	vi.stubGlobal('fetch', async (url: string) => {
		asked(url);
		if (!rows) throw new TypeError('no network');
		return Response.json(rows);
	});
	return asked;
}

function show(search = '') {
	history.replaceState(null, '', `/blog${search}`);
	return render(
		<BlogList total={3} categories={categories} notify={<button>Notify me</button>}>
			<p>Prebuilt</p>
		</BlogList>,
	);
}
const titles = () =>
	screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
const choose = (category: string) =>
	userEvent.selectOptions(screen.getAllByRole('combobox', { name: 'Category' })[0]!, category);

test('until somebody filters or sorts, the prebuilt list stands and nothing is loaded', () => {
	const asked = serve([]);
	show();
	expect(screen.getByText('Prebuilt').parentElement?.hidden).toBe(false);
	expect(screen.getByRole('heading', { name: '3 Articles' })).toBeDefined();
	expect(asked).not.toHaveBeenCalled();
});

test('one article is told as one', () => {
	expect(renderToString(<BlogList total={1} categories={categories} />)).toContain('>1 Article<');
});

test('a category is filtered in the browser, in the address, and back', async () => {
	const asked = serve([row(1), row(2, { category: 'robotics' }), row(3)]);
	show();
	await choose('Vision');
	expect(await screen.findByRole('heading', { name: '2 Articles' })).toBeDefined();
	expect(titles()).toEqual(['Post 1', 'Post 3']);
	expect(location.search).toBe('?category=vision');
	expect(screen.getByText('Prebuilt').parentElement?.hidden).toBe(true);
	await choose('Robotics');
	expect(screen.getByRole('heading', { name: '1 Article' })).toBeDefined();
	await choose('All Categories');
	expect(location.pathname + location.search).toBe('/blog');
	expect(screen.getByText('Prebuilt').parentElement?.hidden).toBe(false);
	expect(asked).toHaveBeenCalledOnce();
	history.back();
	expect(await screen.findByRole('heading', { name: '1 Article' })).toBeDefined();
	expect(titles()).toEqual(['Post 2']);
});

test('a chip filters in place, and opens the page of its category where another tab is wanted', async () => {
	serve([row(1), row(2, { category: 'robotics' })]);
	show();
	const chip = screen.getByRole<HTMLAnchorElement>('link', { name: 'Vision' });
	expect(chip.pathname).toBe('/category/vision');
	expect(fireEvent.click(chip, { ctrlKey: true })).toBe(true);
	expect(location.search).toBe('');
	expect(fireEvent.click(chip)).toBe(false);
	expect(await screen.findByRole('heading', { name: '1 Article' })).toBeDefined();
	expect(location.search).toBe('?category=vision');
	expect(chip.getAttribute('aria-current')).toBe('true');
	fireEvent.click(screen.getByRole('link', { name: 'All' }));
	expect(location.pathname + location.search).toBe('/blog');
});

test('while the full list loads there are nine skeletons', async () => {
	vi.stubGlobal('fetch', () => new Promise(() => {}));
	show('?sort=trending');
	const waiting = await screen.findByRole('status', { name: 'Loading articles' });
	expect(waiting.children).toHaveLength(9);
});

test('the address sorts by views with a time decay, the newest first among equals', async () => {
	serve([row(1), row(2, { score: 5 }), row(3), row(4, { score: 9.5 })]);
	show('?sort=trending');
	await screen.findByRole('heading', { name: '4 Articles' });
	expect(titles()).toEqual(['Post 4', 'Post 2', 'Post 1', 'Post 3']);
	expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Sort' }).value).toBe('trending');
});

test('nothing found says so, with a way back and a way to be told', async () => {
	serve([row(1)]);
	show('?category=empty');
	const heading = await screen.findByRole('heading', { name: 'No AI articles found' });
	const empty = within(heading.parentElement!);
	expect(empty.getByRole('button', { name: 'Notify me' })).toBeDefined();
	await userEvent.selectOptions(
		empty.getByRole('combobox', { name: 'Category' }),
		'All Categories',
	);
	expect(screen.queryByText('No AI articles found')).toBeNull();
	expect(screen.getByText('Prebuilt').parentElement?.hidden).toBe(false);
});

test('a list that cannot be loaded says so, and can be asked for again', async () => {
	serve();
	show('?category=vision');
	const alert = await screen.findByRole('alert');
	expect(alert.textContent).toContain('Error loading posts');
	serve([row(1)]);
	await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
	expect(await screen.findByRole('link', { name: 'Post 1' })).toBeDefined();
	expect(screen.queryByRole('alert')).toBeNull();
});

test('24 cards are shown, and 24 more when asked for, which then have the focus', async () => {
	serve(Array.from({ length: 60 }, (_, n) => row(n)));
	show('?category=vision');
	await screen.findByRole('heading', { name: '60 Articles' });
	expect(titles()).toHaveLength(24);
	await userEvent.click(screen.getByRole('button', { name: 'Show more articles' }));
	expect(titles()).toHaveLength(48);
	expect(document.activeElement?.textContent).toBe('Post 24');
	expect(history.state).toEqual({ shown: 48 });
	await userEvent.click(screen.getByRole('button', { name: 'Show more articles' }));
	expect(titles()).toHaveLength(60);
	expect(screen.queryByRole('button', { name: 'Show more articles' })).toBeNull();
	await choose('All Categories');
	history.back();
	await screen.findByRole('heading', { name: '60 Articles' });
	expect(titles()).toHaveLength(60);
});

test('a card has what a card shows', async () => {
	serve([row(1, { excerpt: 'In short', picture: '/media/1.webp' }), row(2)]);
	show('?category=vision');
	const link = await screen.findByRole('link', { name: 'Post 1' });
	const card = link.closest('article')!;
	expect(link.getAttribute('href')).toBe('/blog/post-1');
	expect(card.textContent).toBe('VisionPost 1In shortAda · Jan 2, 2026 · 5 min read');
	expect(card.querySelector('img')?.getAttribute('src')).toBe('/media/1.webp');
	expect(card.querySelector('svg')).toBeNull();
	expect(
		screen.getByRole('link', { name: 'Post 2' }).closest('article')!.querySelector('svg'),
	).not.toBeNull();
});
