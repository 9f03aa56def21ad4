// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $address } from '#src/dashboard/kit/address.store.ts';
import type { ModeratedComment } from '#src/features/comments/moderation.ts';
import { CommentsScreen } from './CommentsScreen.tsx';

const comment: ModeratedComment = {
	...{ id: 'c1', author: 'Ada', email: 'ada@example.com', content: 'Why?', state: 'waiting' },
	...{ createdAt: '2026-01-01T00:00:00.000Z', answers: null, isReply: false, byOwner: false },
	...{ pinned: false, editedAt: null, earlier: [], post: { id: 'p', title: 'A', slug: 'a' } },
};
let sent: unknown[];

beforeEach(() => {
	sent = [];
	$address.set({ screen: 'comments', queries: {} });
	vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
		if (init?.method === 'GET') {
			const rows = url.includes('state=hidden') ? [] : [comment];
			const counts = { waiting: 1, visible: 0, hidden: 0 };
			return Response.json({ rows, total: rows.length, page: 1, pageSize: 50, counts });
		}
		sent.push(JSON.parse(init?.body as string));
		return Response.json({ id: 'c2' });
	});
});
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const field = () => screen.findByLabelText<HTMLTextAreaElement>('Reply to Ada');
const type = async (text: string) => fireEvent.change(await field(), { target: { value: text } });

test('a reply is published once, however often its button is pressed', async () => {
	render(<CommentsScreen />);
	fireEvent.click(await screen.findByRole('button', { name: 'Reply' }));
	await type('Because.');
	const button = screen.getByRole('button', { name: 'Publish reply' });
	fireEvent.click(button);
	fireEvent.click(button);
	await screen.findByText('Reply published.');
	expect(sent).toEqual([{ parentId: 'c1', content: 'Because.' }]);
});

test('a reply that is being written outlives another filter', async () => {
	render(<CommentsScreen />);
	fireEvent.click(await screen.findByRole('button', { name: 'Reply' }));
	await type('Because');
	fireEvent.click(screen.getByRole('radio', { name: /^Hidden/ }));
	await screen.findByText('Nothing matches.');
	fireEvent.click(screen.getByRole('radio', { name: 'All' }));
	expect((await field()).value).toBe('Because');
});
