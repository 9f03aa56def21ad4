// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { $toasts } from '#src/components/ui/toast.store.ts';
import { $letterDraft } from './draft.store.ts';
import { WriteLetter } from './WriteLetter.tsx';
import '#tests/support/dialogs.ts';

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	$toasts.set([]);
	$letterDraft.set({});
});

test('a letter that was discarded by mistake is taken back', async () => {
	vi.stubGlobal('fetch', async () => Response.json([]));
	$letterDraft.set({ subject: 'News', content: '<p>An hour of work.</p>' });
	render(<WriteLetter onSent={() => {}} />);
	fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
	expect($letterDraft.get()).toEqual({});
	act(() => $toasts.get()[0]!.action!.run());
	expect($letterDraft.get()).toMatchObject({ subject: 'News', content: '<p>An hour of work.</p>' });
	expect(screen.getByLabelText<HTMLInputElement>('Subject of the letter').value).toBe('News');
	expect(await screen.findByText('An hour of work.')).toBeDefined();
});

test('a letter asks once, with the number of people, and the second press of a double click is no answer', async () => {
	const sent: string[] = [];
	vi.stubGlobal('fetch', async (url: string) => {
		if (url.includes('/categories')) return Response.json([{ id: 'm', name: 'MLOps' }]);
		if (url.endsWith('/letters/check')) {
			const near = 'Its readers get another letter within a day: “News”.';
			return Response.json({ readers: 12, bytes: 110 * 1024, near });
		}
		if (url.endsWith('/letters')) {
			sent.push(url);
			return Response.json({}, { status: 201 });
		}
		return Response.json([]);
	});
	$letterDraft.set({ subject: 'News', content: '<p>Words</p>', topic: 'm' });
	render(<WriteLetter onSent={() => {}} />);
	await screen.findByText('MLOps');
	fireEvent.click(screen.getByRole('button', { name: 'Send the letter' }));
	const button = await screen.findByRole('button', { name: 'Send to 12 people' });
	expect(screen.getByText('Send to 12 people who chose MLOps or all topics?')).toBeDefined();
	expect(screen.getByText(/another letter within a day/)).toBeDefined();
	expect(screen.getByText(/has 110 KB as it leaves/)).toBeDefined();
	fireEvent.click(button, { detail: 2 });
	expect(sent).toEqual([]);
	fireEvent.click(button, { detail: 1 });
	fireEvent.click(button, { detail: 1 });
	await vi.waitFor(() => expect($toasts.get()[0]?.title).toBe('The letter goes out'));
	expect(sent).toHaveLength(1);
});

test('whoever asks for a letter has the cursor in its subject, and one that was begun takes no focus', async () => {
	vi.stubGlobal('fetch', async () => Response.json([]));
	render(<WriteLetter onSent={() => {}} />);
	fireEvent.click(screen.getByRole('button', { name: 'Write a letter' }));
	expect(document.activeElement).toBe(screen.getByLabelText('Subject of the letter'));
	cleanup();
	$letterDraft.set({ subject: 'News', content: '' });
	render(<WriteLetter onSent={() => {}} />);
	expect(document.activeElement).toBe(document.body);
});
