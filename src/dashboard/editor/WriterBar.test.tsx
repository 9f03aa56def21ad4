// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { $access } from '#src/core/session/session.store.ts';
import type { EditedPost } from '#src/features/posts/editing.api.ts';
import { emptyForm } from '#src/features/posts/editing.ts';
import { SaveStatus, saveStatusText } from './WriterBar.tsx';
import type { Writing } from './writing/machine.ts';

afterEach(cleanup);

const writing: Writing = {
	post: { id: 'p1' } as EditedPost,
	form: emptyForm,
	save: 'saved',
	message: '',
	savedAt: 0,
	conflict: null,
};

test('it says where the words are', () => {
	expect(saveStatusText(writing, true, 1000)).toBe('Saved just now');
	expect(saveStatusText({ ...writing, save: 'saving' }, true, 0)).toBe('Saving…');
	expect(saveStatusText({ ...writing, save: 'unreachable' }, false, 0)).toBe(
		'Offline: kept on this device',
	);
	expect(saveStatusText({ ...writing, save: 'unreachable', message: 'No answer.' }, true, 0)).toBe(
		'Kept on this device. No answer.',
	);
	expect(saveStatusText({ ...writing, post: null, savedAt: null }, true, 0)).toBe(
		'Nothing written yet',
	);
});

test('while a save waits for somebody to sign in, it does not say that it saves', () => {
	$access.set({ status: 'expired' });
	render(<SaveStatus writing={{ ...writing, save: 'saving' }} onRetry={() => {}} />);
	expect(screen.getByRole('status').textContent).toBe('Not on the server yet: sign in to save it');
	act(() => $access.set({ status: 'in' }));
	expect(screen.getByRole('status').textContent).toBe('Saving…');
});

test('where only this device has them, another try is offered, and only there', async () => {
	let tries = 0;
	const { rerender } = render(<SaveStatus writing={writing} onRetry={() => tries++} />);
	expect(screen.queryByRole('button')).toBeNull();
	rerender(<SaveStatus writing={{ ...writing, save: 'signed-out' }} onRetry={() => tries++} />);
	await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
	expect(tries).toBe(1);
});
