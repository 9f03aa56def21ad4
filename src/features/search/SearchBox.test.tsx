// @vitest-environment jsdom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { MESSAGES } from '#src/lib/errors.ts';
import type { Findings, Found } from './search.api.ts';
import { forgetSearches, $recentSearches } from './search.store.ts';
import { SearchBox } from './SearchBox.tsx';
import type { Search } from './useSearch.ts';

type Row = Found & Pick<Findings, 'corrected' | 'partial'>;
const result = (title: string, values: Partial<Row> = {}): Row => ({
	kind: 'article',
	title,
	url: '/blog/a-post',
	snippet: '',
	by: 'words',
	note: 'Vision · Jan 2, 2026 · 5 min read',
	marks: [],
	...values,
});

afterEach(() => {
	cleanup();
	forgetSearches();
	vi.unstubAllGlobals();
});

function Box({ initial, onChoose }: { initial: Search; onChoose: () => void }) {
	const [search, setSearch] = useState(initial);
	return <SearchBox search={search} onSearch={setSearch} onChoose={onChoose} />;
}

/** Renders the box over a server whose answers the test gives, by query. Each test has queries of its own: answers are kept. */
function setup(given: Partial<Search> & { categories?: boolean } = {}) {
	const asked: string[] = [];
	const { categories = true, ...initial } = given;
	const answers = new Map<string, (response: Response | Promise<never>) => void>();
	vi.stubGlobal('fetch', (url: string) => {
		const { pathname, searchParams } = new URL(url, 'http://test');
		if (pathname === '/api/categories')
			return categories
				? Promise.resolve(Response.json([{ name: 'Vision', slug: 'vision' }]))
				: Promise.reject(new TypeError('no network'));
		const query = [...searchParams.values()].join(' in ');
		asked.push(query);
		return new Promise<Response>((resolve) => answers.set(query, resolve));
	});
	const onChoose = vi.fn();
	render(<Box initial={{ query: '', category: '', kind: '', ...initial }} onChoose={onChoose} />);
	// jsdom cannot follow links.
	document.addEventListener('click', (event) => event.preventDefault());
	const field = screen.getByLabelText<HTMLInputElement>('Search articles');
	const reply = (query: string, ...results: Row[]) => {
		const [{ corrected, partial } = {}] = results as Partial<Row>[];
		const kinds = [...new Set(results.map(({ kind }) => kind))];
		const total = results.length;
		answers.get(query)?.(Response.json({ results, total, kinds, corrected, partial }));
	};
	const fail = (query: string) => answers.get(query)?.(Promise.reject(new TypeError('no network')));
	/** Puts words at the end at once: of letters that come one by one, a busy machine may ask in between. */
	const enter = async (words: string) => {
		await userEvent.click(field);
		await userEvent.paste(words);
	};
	const search = async (query: string, ...results: Row[]) => {
		await enter(query);
		await waitFor(() => expect(asked).toContain(query));
		reply(query, ...results);
	};
	return { asked, field, enter, reply, fail, search, onChoose };
}

test('fewer than three characters ask for more and search nothing', async () => {
	const { asked, field } = setup();
	await userEvent.type(field, 'ab');
	await new Promise((resolve) => setTimeout(resolve, 250));
	expect(screen.getByText('Type at least 3 characters to search.')).toBeDefined();
	expect(asked).toEqual([]);
});

test.each(['c#', '学'])('%s is asked for, although it is short', async (query) => {
	const { search } = setup();
	await search(query, result('One'));
	expect(await screen.findByText('One')).toBeDefined();
});

test('while it searches there are three skeleton rows, then the results', async () => {
	const { asked, enter, reply } = setup();
	await enter('kalman');
	expect(screen.getByRole('status', { name: 'Searching' }).children).toHaveLength(3);
	await waitFor(() => expect(asked).toEqual(['kalman']));
	reply('kalman', result('The Kalman filter'));
	const link = await screen.findByRole('link', { name: /The Kalman filter/ });
	expect(link.getAttribute('href')).toBe('/blog/a-post');
	expect(screen.queryByRole('status', { name: 'Searching' })).toBeNull();
	expect(screen.getByText('1 article')).toBeDefined();
});

test('what was found is marked in title and passage', async () => {
	const { search } = setup();
	await search(
		'bayes',
		result('On Bayes', { snippet: 'What the Bayesians say', marks: ['bayes', 'bayesians'] }),
	);
	await screen.findByRole('link', { name: /On Bayes/ });
	expect([...document.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual([
		'Bayes',
		'Bayesians',
	]);
});

test('nothing found names the query', async () => {
	const { search } = setup();
	await search('zzz');
	expect((await screen.findByText(/No articles found for/)).textContent).toBe(
		'No articles found for “zzz”',
	);
	expect(screen.queryByRole('button', { name: 'Search all categories' })).toBeNull();
});

test('a typo is corrected, says so, and marks what was meant', async () => {
	const { field, search } = setup();
	await search(
		'tranformer',
		result('Transformers', { corrected: 'transformer', marks: ['transformers'] }),
	);
	const suggestion = await screen.findByRole('button', { name: 'transformer' });
	expect(suggestion.parentElement?.textContent).toBe('Did you mean transformer?');
	expect(document.querySelector('mark')?.textContent).toBe('Transformers');
	expect(screen.queryByText(/No articles found/)).toBeNull();
	await userEvent.click(suggestion);
	expect(field.value).toBe('transformer');
	expect(document.activeElement).toBe(field);
});

test('where no article has all words, it says so', async () => {
	const { search, asked, field, reply } = setup();
	await search('two words', result('One of them', { partial: true }));
	await screen.findByRole('link', { name: /One of them/ });
	expect(
		screen.getByText('No article has all of these words. These have most of them:'),
	).toBeDefined();
	await userEvent.clear(field);
	await userEvent.type(field, 'oneword');
	await waitFor(() => expect(asked).toContain('oneword'));
	reply('oneword', result('What is near it', { partial: true }));
	expect(await screen.findByText('No article has this word. These are near it:')).toBeDefined();
});

test('what only its meaning found is marked as such', async () => {
	const { search } = setup();
	await search('ship', result('On ships'), result('On boats', { by: 'meaning' }));
	const marked = await screen.findByRole('link', { name: /On boats/ });
	expect(
		within(marked).getByText('Near in meaning · Vision · Jan 2, 2026 · 5 min read'),
	).toBeDefined();
	expect(screen.getAllByText(/Near in meaning/)).toHaveLength(1);
	cleanup();
	const other = setup();
	await other.search('vessel', result('On boats', { by: 'meaning', partial: true }));
	expect(
		await screen.findByText('Nothing has these words. These are near in meaning:'),
	).toBeDefined();
});

test('where nothing is found the categories are offered', async () => {
	const { search, onChoose } = setup();
	await search('qqq');
	const link = await screen.findByRole('link', { name: 'Vision' });
	expect(link.getAttribute('href')).toBe('/category/vision');
	await userEvent.click(link);
	expect(onChoose).toHaveBeenCalledOnce();
});

test('categories that cannot be had are missed aloud, and everything is searched', async () => {
	const { search } = setup({ categories: false });
	expect(await screen.findByText('Unable to load categories')).toBeDefined();
	expect(screen.queryByRole('combobox', { name: 'Category' })).toBeNull();
	await search('everything', result('All of it'));
	expect(await screen.findByRole('link', { name: /All of it/ })).toBeDefined();
});

test('a late answer never overwrites a newer one', async () => {
	const { asked, enter, reply } = setup();
	await enter('old');
	await waitFor(() => expect(asked).toEqual(['old']));
	await enter('er');
	await waitFor(() => expect(asked).toEqual(['old', 'older']));
	reply('older', result('Newer'));
	await screen.findByRole('link', { name: /Newer/ });
	reply('old', result('Late'));
	await new Promise((resolve) => setTimeout(resolve, 20));
	expect(screen.getByRole('link', { name: /Newer/ })).toBeDefined();
	expect(screen.queryByRole('link', { name: /Late/ })).toBeNull();
});

test('what was asked before is answered at once, without asking again', async () => {
	const { asked, field, search } = setup();
	await search('gradient', result('Gradients'));
	await screen.findByRole('link', { name: /Gradients/ });
	await userEvent.type(field, 's');
	await waitFor(() => expect(asked).toContain('gradients'));
	await userEvent.type(field, '{Backspace}');
	expect(screen.getByRole('link', { name: /Gradients/ })).toBeDefined();
	await new Promise((resolve) => setTimeout(resolve, 250));
	expect(asked.filter((query) => query === 'gradient')).toHaveLength(1);
});

test('without a network it says so, keeps the query, and can ask again', async () => {
	const { asked, field, enter, fail, reply } = setup();
	await enter('offline');
	await waitFor(() => expect(asked).toEqual(['offline']));
	fail('offline');
	expect((await screen.findByRole('alert')).textContent).toContain(MESSAGES.network);
	expect(field.value).toBe('offline');
	await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
	expect(screen.getByRole('status', { name: 'Searching' })).toBeDefined();
	await waitFor(() => expect(asked).toEqual(['offline', 'offline']));
	reply('offline', result('Online'));
	expect(await screen.findByRole('link', { name: /Online/ })).toBeDefined();
	expect(screen.queryByRole('alert')).toBeNull();
});

test('arrow keys go through the results and back, letters go on typing, Enter opens the first', async () => {
	const { field, search, onChoose } = setup();
	await search('keys', result('First'), result('Second'));
	const first = await screen.findByRole('link', { name: /First/ });
	await userEvent.keyboard('{ArrowDown}');
	expect(document.activeElement).toBe(first);
	await userEvent.keyboard('{ArrowDown}{ArrowDown}');
	expect(document.activeElement).toBe(screen.getByRole('link', { name: /Second/ }));
	await userEvent.keyboard('{ArrowUp}{ArrowUp}');
	expect(document.activeElement).toBe(field);
	await userEvent.keyboard('{ArrowDown}t');
	expect(document.activeElement).toBe(field);
	expect(field.value).toBe('keyst');
	await userEvent.keyboard('{Backspace}');
	expect(onChoose).not.toHaveBeenCalled();
	await userEvent.keyboard('{Enter}');
	expect(onChoose).toHaveBeenCalledOnce();
});

test('one category is searched, and from nothing there the way leads to all', async () => {
	const { asked, enter, reply } = setup();
	await enter('edge');
	const choice = await screen.findByRole('combobox', { name: 'Category' });
	await userEvent.selectOptions(choice, 'Vision');
	await waitFor(() => expect(asked).toContain('edge in vision'));
	reply('edge in vision');
	expect((await screen.findByText(/No articles found/)).textContent).toBe(
		'No articles found for “edge” in Vision',
	);
	// It was not replaced while results came, which would lose the focus.
	expect(document.contains(choice)).toBe(true);
	await enter('s');
	await waitFor(() => expect(asked.at(-1)).toBe('edges in vision'));
	reply('edges in vision');
	await userEvent.click(await screen.findByRole('button', { name: 'Search all categories' }));
	await waitFor(() => expect(asked.at(-1)).toBe('edges'));
});

test('results stand in groups, the best first, and one kind of them can be chosen', async () => {
	const { asked, search } = setup();
	await search(
		'pay',
		result('AI in Ohio', { kind: 'state', url: '/ai-best-practices/ohio#figures' }),
		result('Pay'),
		result('AI in Iowa', { kind: 'state', url: '/ai-best-practices/iowa#figures' }),
	);
	await screen.findByRole('link', { name: /Ohio/ });
	const groups = screen.getAllByRole('region').map((group) => group.getAttribute('aria-label'));
	expect(groups).toEqual(['State guides', 'Articles']);
	const guides = screen.getByRole('region', { name: 'State guides' });
	expect(
		within(guides)
			.getAllByRole('link')
			.map((link) => link.getAttribute('href')),
	).toEqual(['/ai-best-practices/ohio#figures', '/ai-best-practices/iowa#figures']);
	expect(screen.getByText('3 results')).toBeDefined();
	expect(screen.getByRole('button', { name: 'Everything', pressed: true })).toBeDefined();
	await userEvent.click(screen.getByRole('button', { name: 'State guides' }));
	await waitFor(() => expect(asked).toContain('pay in state'));
});

test('a search that led to an article is remembered, and can be repeated and forgotten', async () => {
	const { field, search } = setup();
	expect(screen.queryByRole('region', { name: 'Recent searches' })).toBeNull();
	await search('filters', result('Filters'));
	expect($recentSearches.get()).toEqual([]);
	await userEvent.click(await screen.findByRole('link', { name: /Filters/ }));
	expect($recentSearches.get()).toEqual(['filters']);
	await userEvent.clear(field);
	const recent = screen.getByRole('region', { name: 'Recent searches' });
	await userEvent.click(within(recent).getByRole('button', { name: 'filters' }));
	expect(field.value).toBe('filters');
	await userEvent.clear(field);
	await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
	expect(screen.queryByRole('region', { name: 'Recent searches' })).toBeNull();
	expect($recentSearches.get()).toEqual([]);
});

test('six searches are remembered, each once, the latest first', async () => {
	const { rememberSearch } = await import('./search.store.ts');
	for (const query of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'three'])
		rememberSearch(query);
	expect($recentSearches.get()).toEqual(['three', 'seven', 'six', 'five', 'four', 'two']);
});
