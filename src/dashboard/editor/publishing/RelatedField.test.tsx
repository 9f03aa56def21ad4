// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RelatedField } from './RelatedField.tsx';

const POSTS = [
	{ slug: 'kalman', title: 'The Kalman filter', state: 'published' },
	{ slug: 'pid', title: 'PID by experiment', state: 'published' },
	{ slug: 'notes', title: 'Notes on filters', state: 'draft' },
	{ slug: 'own', title: 'A filter of its own', state: 'published' },
];

let value = '';
function Related({ start = '' }: { start?: string }) {
	const [given, setGiven] = useState(start);
	value = given;
	return <RelatedField value={given} own="own" error={undefined} onChange={setGiven} />;
}

beforeEach(() => {
	vi.stubGlobal('fetch', async (url: string) => {
		const { pathname, searchParams } = new URL(url, 'http://x');
		if (pathname === '/api/admin/chosen') {
			const asked = searchParams.get('slugs') ?? '';
			const known = POSTS.filter(({ slug }) => asked.split(', ').includes(slug));
			return Response.json({ asked, posts: known.map((post) => ({ given: post.slug, ...post })) });
		}
		const q = (searchParams.get('q') ?? '').toLowerCase();
		return Response.json({ rows: POSTS.filter(({ title }) => title.toLowerCase().includes(q)) });
	});
});
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const field = () => screen.getByRole('combobox', { name: 'Related articles' });

test('an article is chosen by its title with the keyboard; the article itself is not offered', async () => {
	render(<Related />);
	await userEvent.type(field(), 'filter');
	await screen.findByRole('option', { name: /Kalman/ });
	expect(screen.getByRole('option', { name: /Notes.*draft/ })).toBeDefined();
	expect(screen.queryByRole('option', { name: /of its own/ })).toBeNull();
	await userEvent.keyboard('{ArrowDown}{Enter}');
	expect(value).toBe('kalman');
	expect(await screen.findByRole('button', { name: 'Remove The Kalman filter' })).toBeDefined();
	// Enter waits for what is offered.
	await userEvent.type(field(), 'pid{Enter}');
	await vi.waitFor(() => expect(value).toBe('kalman, pid'));
	expect((field() as HTMLInputElement).value).toBe('');
	await userEvent.keyboard('{Backspace}');
	expect(value).toBe('kalman');
});

test('an address that is pasted is taken; a title of nothing is not', async () => {
	render(<Related />);
	await userEvent.click(field());
	await userEvent.paste('http://site.example/blog/pid/');
	await userEvent.keyboard('{Enter}');
	expect(value).toBe('pid');
	await userEvent.type(field(), 'zzz{Enter}');
	await userEvent.tab();
	expect(value).toBe('pid');
	expect((field() as HTMLInputElement).value).toBe('');
});

test('the writer is told which of them readers are not shown', async () => {
	render(<Related start="notes, nowhere, pid" />);
	const told = await screen.findByRole('status');
	expect(told.textContent).toContain('“Notes on filters” is a draft.');
	expect(told.textContent).toContain('No article has the address “nowhere”.');
	expect(told.textContent).not.toContain('PID');
	await userEvent.click(screen.getByRole('button', { name: 'Remove Notes on filters' }));
	await userEvent.click(screen.getByRole('button', { name: 'Remove nowhere' }));
	expect(screen.queryByRole('status')).toBeNull();
});

test('of three no more is offered', async () => {
	render(<Related start="kalman, notes, x" />);
	await userEvent.type(field(), 'pid');
	await screen.findByRole('button', { name: 'Remove The Kalman filter' });
	expect(screen.queryByRole('option', { name: /PID/ })).toBeNull();
});
