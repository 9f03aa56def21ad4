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

test('a check asks only what its file can answer', async () => {
	let keptAway = 0;
	vi.stubGlobal('fetch', async () => {
		const none = { added: 0, completed: 0, unchanged: 0, reactivated: 0, unstated: 0 };
		return Response.json({ ...none, keptAway });
	});
	render(
		<ImportSubscribers
			onDone={() => {}}
			onClose={() => {}}
			onRunning={() => {}}
			onUndo={() => {}}
		/>,
	);
	const asked = () =>
		screen
			.getAllByRole('combobox')
			.map((one) => one.closest('.field')!.querySelector('label')!.textContent);
	const check = async (text: string) => {
		fireEvent.change(screen.getByLabelText('CSV file'), {
			target: { files: [new File([text], 'list.csv')] },
		});
		return screen.findByRole('button', { name: /^Check 1 address/ });
	};
	const again = /^Make people active again/;
	const button = await check('email,first name\nada@example.com,Ada');
	expect(asked()).toEqual(['Email', 'First name']);
	// A column that is free may be anything.
	fireEvent.change(screen.getByLabelText('First name'), { target: { value: '-1' } });
	expect(asked()).toHaveLength(9);
	fireEvent.change(screen.getByLabelText('First name'), { target: { value: '1' } });
	await vi.waitFor(() => expect(button.textContent).toBe('Check 1 address'));
	fireEvent.click(button);
	await screen.findByText('What this import will do:');
	expect(screen.queryByLabelText(again)).toBeNull();
	fireEvent.click(screen.getByRole('button', { name: 'Back' }));
	keptAway = 1;
	fireEvent.click(await screen.findByRole('button', { name: 'Check 1 address' }));
	expect(await screen.findByLabelText(again)).toBeDefined();
});
