// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ImportSubscribers } from './ImportSubscribers.tsx';

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

test('what was checked of one file is not shown for another', async () => {
	let answer = () => {};
	vi.stubGlobal('fetch', async () => {
		await new Promise<void>((resolve) => (answer = resolve));
		const none = { completed: 0, unchanged: 0, keptAway: 0, reactivated: 0, unstated: 0 };
		return Response.json({ added: 1, ...none });
	});
	render(
		<ImportSubscribers
			onDone={() => {}}
			onClose={() => {}}
			onRunning={() => {}}
			onUndo={() => {}}
		/>,
	);
	const choose = (text: string) =>
		fireEvent.change(screen.getByLabelText('CSV file'), {
			target: { files: [new File([text], 'list.csv')] },
		});
	choose('email\nada@example.com');
	fireEvent.click(await screen.findByRole('button', { name: 'Check 1 address' }));
	fireEvent.click(screen.getByRole('button', { name: 'Another file' }));
	choose('email\nada@example.com\nbob@example.com');
	await screen.findByText(/^2 rows/);
	await act(async () => answer());
	expect(screen.queryByText('What this import will do:')).toBeNull();
	expect(screen.getByRole('button', { name: 'Check 2 addresses' })).toBeDefined();
});
