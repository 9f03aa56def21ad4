// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { $toasts } from '#src/components/ui/toast.store.ts';
import { $letterDraft } from './draft.store.ts';
import { WriteLetter } from './WriteLetter.tsx';

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
	expect($letterDraft.get()).toEqual({ subject: 'News', content: '<p>An hour of work.</p>' });
	expect(screen.getByLabelText<HTMLInputElement>('Subject of the letter').value).toBe('News');
	expect(await screen.findByText('An hour of work.')).toBeDefined();
});
