// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { dismissToast, toast, $toasts } from './toast.store.ts';
import { Toaster } from './Toaster.tsx';

afterEach(() => {
	act(() => $toasts.get().forEach(({ id }) => dismissToast(id)));
	cleanup();
	$toasts.set([]);
});

const show = (notice: Parameters<typeof toast>[0]) => act(() => void toast(notice));

test('a notice is a status, a failure an alert, and the newer replaces the older', () => {
	render(<Toaster />);
	show({ title: 'Comment posted!' });
	expect(screen.getByRole('status').textContent).toBe('Comment posted!');
	show({ title: 'Error', description: 'Please try again.', destructive: true });
	expect(screen.getByRole('alert').textContent).toBe('ErrorPlease try again.');
	expect(screen.queryByRole('status')).toBeNull();
});

test('F8 leads to it, and Escape dismisses it and leads back', async () => {
	render(
		<>
			<button>Save</button>
			<Toaster />
		</>,
	);
	screen.getByRole('button', { name: 'Save' }).focus();
	show({ title: 'Saved' });
	await userEvent.keyboard('{F8}');
	expect(document.activeElement).toBe(screen.getByRole('status'));
	await userEvent.keyboard('{Escape}');
	expect(screen.queryByRole('status')).toBeNull();
	expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Save' }));
});

test('Escape dismisses it from elsewhere, unless something else took the key', async () => {
	render(
		<>
			<input
				aria-label="Taken"
				onKeyDown={(event) => {
					event.preventDefault();
				}}
			/>
			<Toaster />
		</>,
	);
	show({ title: 'Saved' });
	await userEvent.type(screen.getByLabelText('Taken'), '{Escape}');
	expect(screen.getByRole('status')).toBeDefined();
	(document.activeElement as HTMLElement).blur();
	await userEvent.keyboard('{Escape}');
	expect(screen.queryByRole('status')).toBeNull();
});

test('its cross dismisses it', async () => {
	render(<Toaster />);
	show({ title: 'Saved' });
	await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
	expect(screen.queryByRole('status')).toBeNull();
});

test.each([
	[49, true],
	[50, false],
])('dragged %i pixels to the right it stays: %s', (distance, stays) => {
	render(<Toaster />);
	show({ title: 'Saved' });
	const card = screen.getByRole('status');
	fireEvent.pointerDown(card, { clientX: 100, clientY: 10 });
	fireEvent.pointerMove(card, { clientX: 100 + distance, clientY: 10 });
	fireEvent.pointerUp(card, { clientX: 100 + distance, clientY: 10 });
	expect(screen.queryByRole('status') !== null).toBe(stays);
});

test('a place that it names is a link', () => {
	render(<Toaster />);
	show({ title: 'Saved', description: 'It stays.', link: { label: 'See all', href: '/saved' } });
	expect(screen.getByRole('link', { name: 'See all' }).getAttribute('href')).toBe('/saved');
	expect(screen.getByRole('status').textContent).toContain('It stays. See all');
});
