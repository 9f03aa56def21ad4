// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { SearchResult } from './search.api.ts';
import { SearchBox } from './SearchBox.tsx';

const result = (title: string): SearchResult => ({
	id: title,
	slug: 'a-post',
	title,
	excerpt: null,
	featuredImage: null,
	category: { name: 'Vision', slug: 'vision' },
	readTime: 5,
	publishedAt: '2026-01-02T12:00:00.000Z',
});

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

function Box() {
	const [query, setQuery] = useState('');
	return <SearchBox query={query} onQuery={setQuery} />;
}

/** Renders the box over a server whose answers the test gives, by query. */
function setup() {
	const asked: string[] = [];
	const answers = new Map<string, (response: Response) => void>();
	vi.stubGlobal('fetch', (url: string) => {
		const query = new URL(url, 'http://test').searchParams.get('q') ?? '';
		asked.push(query);
		return new Promise<Response>((resolve) => answers.set(query, resolve));
	});
	render(<Box />);
	const field = screen.getByLabelText('Search articles');
	const reply = (query: string, results: SearchResult[]) =>
		answers.get(query)?.(Response.json(results));
	return { asked, field, reply };
}

test('fewer than three characters ask for more and search nothing', async () => {
	const { asked, field } = setup();
	await userEvent.type(field, 'ab');
	await new Promise((resolve) => setTimeout(resolve, 250));
	expect(screen.getByText('Type at least 3 characters to search.')).toBeDefined();
	expect(asked).toEqual([]);
});

test('while it searches there are three skeleton rows, then the results', async () => {
	const { asked, field, reply } = setup();
	await userEvent.type(field, 'kalman');
	expect(screen.getByRole('status', { name: 'Searching' }).children).toHaveLength(3);
	await waitFor(() => expect(asked).toEqual(['kalman']));
	reply('kalman', [result('The Kalman filter')]);
	const link = await screen.findByRole('link', { name: /The Kalman filter/ });
	expect(link.getAttribute('href')).toBe('/blog/a-post');
	expect(screen.queryByRole('status', { name: 'Searching' })).toBeNull();
});

test('nothing found names the query', async () => {
	const { asked, field, reply } = setup();
	await userEvent.type(field, 'zzz');
	await waitFor(() => expect(asked).toEqual(['zzz']));
	reply('zzz', []);
	expect((await screen.findByText(/No articles found for/)).textContent).toBe(
		'No articles found for “zzz”',
	);
});

test('a late answer never overwrites a newer one', async () => {
	const { asked, field, reply } = setup();
	await userEvent.type(field, 'old');
	await waitFor(() => expect(asked).toEqual(['old']));
	await userEvent.type(field, 'er');
	await waitFor(() => expect(asked).toEqual(['old', 'older']));
	reply('older', [result('Newer')]);
	await screen.findByRole('link', { name: /Newer/ });
	reply('old', [result('Late')]);
	await new Promise((resolve) => setTimeout(resolve, 20));
	expect(screen.getByRole('link', { name: /Newer/ })).toBeDefined();
	expect(screen.queryByRole('link', { name: /Late/ })).toBeNull();
});
