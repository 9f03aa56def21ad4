// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { $toasts } from '#src/components/ui/toast.store.ts';
import { DueList } from './DueList.tsx';

vi.mock('#src/dashboard/editor/publishing/programs.ts', () => {
	throw new Error('offline');
});
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

test('code that cannot be loaded is told of, and can be run again', async () => {
	const due = {
		sources: [],
		figures: [],
		programs: [{ id: 'p1', title: 'Quorums' }],
		feedback: [],
		asksReaders: false,
	};
	vi.stubGlobal('fetch', async () => Response.json(due));
	render(<DueList />);
	fireEvent.click(await screen.findByRole('button', { name: 'Run the code of 1 article' }));
	expect(await screen.findByText('Its code could not be run.')).toBeDefined();
	expect(screen.getByText('Done.')).toBeDefined();
});

test('words of a reader are marked as done, and opened again by the undo of that', async () => {
	const sent: unknown[] = [];
	let state = 'open';
	const words = () => ({
		id: 'w1',
		answer: 'no',
		words: 'What is W?',
		state,
		createdAt: '2026-03-01T00:00:00Z',
	});
	vi.stubGlobal(
		'fetch',
		async (path: string, { method, body }: { method: string; body: string }) => {
			if (method === 'PUT') {
				sent.push([path, JSON.parse(body)]);
				state = (JSON.parse(body) as { state: string }).state;
				return Response.json({ success: true });
			}
			const feedback = [{ id: 'p1', title: 'Quorums', yes: 2, no: 1, words: [words()] }];
			return Response.json({ sources: [], figures: [], programs: [], feedback, asksReaders: true });
		},
	);
	render(<DueList />);
	expect(await screen.findByText('2 yes, 1 no')).toBeDefined();
	fireEvent.click(screen.getByRole('button', { name: 'Done: What is W?' }));
	expect(await screen.findByText('Done: 1')).toBeDefined();
	expect(screen.getByRole('button', { name: 'Open again: What is W?' })).toBeDefined();
	$toasts.get().at(-1)!.action!.run();
	expect(await screen.findByRole('button', { name: 'Done: What is W?' })).toBeDefined();
	expect(sent).toEqual([
		['/api/admin/feedback/w1', { state: 'done' }],
		['/api/admin/feedback/w1', { state: 'open' }],
	]);
});

test('where articles ask nobody, the list leads to the switch', async () => {
	const due = { sources: [], figures: [], programs: [], feedback: [], asksReaders: false };
	vi.stubGlobal('fetch', async () => Response.json(due));
	render(<DueList />);
	fireEvent.click(await screen.findByRole('button', { name: 'Site' }));
	expect(location.search).toContain('tab=site');
});
