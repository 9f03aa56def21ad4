// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { TermsScreen } from './TermsScreen.tsx';
import '#tests/support/dialogs.ts';

const term = (name: string) => ({
	...{ id: name, name, slug: name.toLowerCase(), description: '', posts: 1, version: 1 },
	...{ color: '#1a73e8' },
});

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

test('what is typed of one category stays when another has been moved', async () => {
	let answer = () => {};
	vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
		if (init?.method === 'GET')
			return Response.json(url === '/api/admin/categories' ? [term('Vision'), term('Speech')] : []);
		await new Promise<void>((resolve) => (answer = resolve));
		return Response.json({ ...term('Vision'), undo: null });
	});
	render(<TermsScreen />);
	fireEvent.click(await screen.findByRole('button', { name: /^Move down.*Vision/, hidden: true }));
	fireEvent.click(screen.getByRole('button', { name: /^Edit.*Speech/ }));
	const field = await screen.findByLabelText<HTMLInputElement>('Name');
	fireEvent.change(field, { target: { value: 'Speech and sound' } });
	await act(async () => answer());
	expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Speech and sound');
});

test('a category moves one place with each press, and what was pressed keeps the focus', async () => {
	let order = ['Vision', 'Speech', 'Ethics'];
	const places: number[] = [];
	vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
		if (init?.method === 'GET')
			return Response.json(url === '/api/admin/categories' ? order.map(term) : []);
		const { position } = JSON.parse(init?.body as string) as { position: number };
		places.push(position);
		order = order.filter((name) => name !== 'Vision').toSpliced(position, 0, 'Vision');
		return Response.json({ ...term('Vision'), undo: null });
	});
	render(<TermsScreen />);
	const names = () =>
		screen.getAllByRole('button', { name: /^Edit/ }).map((button) => button.textContent?.slice(5));
	const down = await screen.findByRole('button', { name: 'Move down: Vision' });
	down.focus();
	fireEvent.click(down);
	expect(names()).toEqual(['Speech', 'Vision', 'Ethics']);
	fireEvent.click(down);
	expect(names()).toEqual(['Speech', 'Ethics', 'Vision']);
	// The last one goes no further.
	fireEvent.click(down);
	expect(document.activeElement).toBe(down);
	await vi.waitFor(() => expect(places).toEqual([1, 2]));
	await vi.waitFor(() => expect(order).toEqual(['Speech', 'Ethics', 'Vision']));
	expect(names()).toEqual(order);
});

test('who saved another field meanwhile is merged with, and nothing is asked', async () => {
	const sent: Record<string, unknown>[] = [];
	vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
		if (init?.method === 'GET')
			return Response.json(url === '/api/admin/categories' ? [term('Vision')] : []);
		sent.push(JSON.parse(init?.body as string) as Record<string, unknown>);
		const stored = { ...term('Vision'), description: 'Theirs.', version: 2 };
		if (sent.length > 1) return Response.json({ ...stored, undo: 'token' });
		const error = { code: 'conflict', message: 'Changed.' };
		return Response.json({ error, stored }, { status: 409 });
	});
	render(<TermsScreen />);
	fireEvent.click(await screen.findByRole('button', { name: /^Edit.*Vision/ }));
	fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Seeing' } });
	fireEvent.click(screen.getByRole('button', { name: 'Save' }));
	await vi.waitFor(() => expect(sent).toHaveLength(2));
	expect(sent[1]).toMatchObject({ version: 2, name: 'Seeing', description: 'Theirs.' });
});
