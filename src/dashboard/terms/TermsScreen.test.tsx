// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { TermsScreen } from './TermsScreen.tsx';
import '#tests/support/dialogs.ts';

const term = (name: string) => ({
	...{ id: name, name, slug: name.toLowerCase(), description: '', posts: 1, version: 1 },
	...{ color: '#1a73e8', cover: '' },
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
