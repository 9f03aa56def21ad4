// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $address } from '#src/dashboard/kit/address.store.ts';
import '#tests/support/dialogs.ts';
import { MessagesScreen } from './MessagesScreen.tsx';

const rows = ['Newest', 'Second', 'Third'].map((topic, index) => ({
	...{ id: `m${index}`, name: 'Ada', email: 'ada@example.com', topic, excerpt: 'Words.' },
	...{ state: 'read', deletedAt: null, createdAt: '2026-01-01T00:00:00.000Z', replies: 0 },
}));

beforeEach(() => {
	$address.set({ screen: 'messages', queries: { messages: { message: 'm1' } } });
	vi.stubGlobal('fetch', async (url: string) => {
		const one = rows.find(({ id }) => url.endsWith(`/messages/${id}`));
		if (one) return Response.json({ ...one, message: 'Words.', version: 1, replies: [] });
		if (url.includes('/messages'))
			return Response.json({ rows, total: 3, page: 1, pageSize: 50, counts: { new: 0 } });
		return Response.json({ transport: 'smtp' });
	});
});
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const shown = (topic: string) => screen.findByRole('heading', { name: topic });
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

test('from a message one goes to those beside it in the list, by buttons and by J and K', async () => {
	render(<MessagesScreen />);
	await shown('Second');
	await vi.waitFor(() => expect(button('Next').disabled).toBe(false));
	fireEvent.click(button('Next'));
	await shown('Third');
	expect(button('Next').disabled).toBe(true);
	fireEvent.keyDown(document.body, { key: 'j' });
	await shown('Third');
	fireEvent.keyDown(document.body, { key: 'k' });
	await shown('Second');
	fireEvent.click(button('Previous'));
	await shown('Newest');
	expect(button('Previous').disabled).toBe(true);
});

test('letters that are typed into an answer lead nowhere', async () => {
	render(<MessagesScreen />);
	await shown('Second');
	await vi.waitFor(() => expect(button('Next').disabled).toBe(false));
	fireEvent.keyDown(screen.getByLabelText('Answer to Ada'), { key: 'j' });
	fireEvent.keyDown(document.body, { key: 'j', ctrlKey: true });
	$address.set({ ...$address.get(), screen: 'home' });
	fireEvent.keyDown(document.body, { key: 'j' });
	expect($address.get().queries['messages']).toEqual({ message: 'm1' });
});
