// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import '#tests/support/dialogs.ts';
import { BulkBar } from './BulkBar.tsx';

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

function show(chosen: number, total: number, each = 0) {
	const sent: unknown[] = [];
	vi.stubGlobal('fetch', async (_url: string, init?: RequestInit) => {
		if (init?.method !== 'POST') return Response.json({ readers: { each } });
		sent.push(JSON.parse(init.body as string));
		return Response.json({ changed: chosen, undo: 'u1', skipped: [] });
	});
	const selected = new Set(Array.from({ length: chosen }, (_, index) => `p${index}`));
	const props = { selected, total, categories: [], onDone: () => {}, onSelect: () => {} };
	render(
		<BulkBar {...props} filter={{ q: '' }}>
			None
		</BulkBar>,
	);
	return sent;
}

test.each(['Publish', 'Unpublish', 'Feature', 'Unfeature', 'Delete'])(
	'%s of many articles asks once with their number, and of a few does not',
	async (label) => {
		const sent = show(25, 10_001);
		fireEvent.click(screen.getByRole('button', { name: label }));
		await screen.findByRole('heading', { name: `${label} 25 posts?` });
		expect(sent).toEqual([]);
		fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
		expect(sent).toEqual([]);
		fireEvent.click(screen.getByRole('button', { name: label }));
		fireEvent.click(await screen.findByRole('button', { name: `${label} 25 posts` }));
		await waitFor(() =>
			expect(sent).toMatchObject([{ action: label.toLowerCase(), ids: { length: 25 } }]),
		);
		cleanup();
		const few = show(3, 10_001);
		fireEvent.click(screen.getByRole('button', { name: label }));
		await waitFor(() => expect(few).toHaveLength(1));
	},
);

test('publishing a few asks with the number of readers who are mailed each article', async () => {
	const sent = show(2, 10, 3);
	fireEvent.click(screen.getByRole('button', { name: 'Publish' }));
	expect(await screen.findByText(/3 readers who want each article get a letter/)).toBeTruthy();
	expect(sent).toEqual([]);
	fireEvent.click(await screen.findByRole('button', { name: 'Publish 2 posts' }));
	await waitFor(() => expect(sent).toMatchObject([{ action: 'publish' }]));
	cleanup();
	const hidden = show(2, 10, 3);
	fireEvent.click(screen.getByRole('button', { name: 'Unpublish' }));
	await waitFor(() => expect(hidden).toHaveLength(1));
});

test('all are offered where all can be chosen, and else the most that can be', () => {
	show(1, 27);
	expect(screen.getByRole('button', { name: 'Select all 27' })).toBeTruthy();
	cleanup();
	show(1, 10_001);
	expect(screen.getByRole('button', { name: 'Select the first 10,000 of 10,001' })).toBeTruthy();
	cleanup();
	show(10_000, 10_001);
	expect(screen.queryByRole('button', { name: /^Select/ })).toBeNull();
});
