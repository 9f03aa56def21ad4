// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { $toasts } from '#src/components/ui/toast.store.ts';
import { AppError } from '#src/lib/errors.ts';
import '#tests/support/dialogs.ts';
import { AskButton } from './AskButton.tsx';
import { useSubmit } from './useSubmit.ts';

afterEach(() => {
	cleanup();
	$toasts.set([]);
});

test('nothing is done by one press or a double one; a refusal is said, and can be answered again', async () => {
	const work = vi.fn(async () => {});
	work.mockRejectedValueOnce(new AppError('unavailable', 'Not now.'));
	render(<AskButton label="Stop" title="Stop it?" text="For good." answer="Yes" work={work} />);
	await userEvent.dblClick(screen.getByRole('button', { name: 'Stop' }));
	expect(work).not.toHaveBeenCalled();
	await userEvent.click(screen.getByRole('button', { name: 'Yes' }));
	expect(screen.getByRole('alert').textContent).toBe('Not now.');
	await userEvent.keyboard('{Enter}');
	await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
	expect(work).toHaveBeenCalledTimes(2);
});

function Form({ work, title }: { work: () => Promise<void>; title?: string }) {
	const { busy, errors, failure, send } = useSubmit(title, true);
	return (
		<form onSubmit={send(work)}>
			<input name="first" />
			<input name="second" />
			<button>{busy ? 'Busy' : 'Send'}</button>
			<output>{errors['second'] ?? failure}</output>
		</form>
	);
}

test('a form runs once at a time, and shows its first wrong field with the focus', async () => {
	const { promise, reject } = Promise.withResolvers<void>();
	const work = vi.fn(() => promise);
	render(<Form work={work} title="Not sent" />);
	await userEvent.type(screen.getAllByRole('textbox')[0]!, 'a{Enter}{Enter}');
	expect(work).toHaveBeenCalledTimes(1);
	expect(screen.getByRole('button').textContent).toBe('Busy');
	reject(new AppError('validation', 'No.', { fields: { second: 'Write it.' } }));
	await screen.findByText('Write it.');
	expect(document.activeElement).toBe(screen.getAllByRole('textbox')[1]);
	expect($toasts.get()).toHaveLength(0);
	work.mockRejectedValueOnce(new AppError('unavailable', 'Not now.'));
	await userEvent.click(screen.getByRole('button', { name: 'Send' }));
	await screen.findByText('Not now.');
	expect($toasts.get()[0]).toMatchObject({ title: 'Not sent', description: 'Not now.' });
});
