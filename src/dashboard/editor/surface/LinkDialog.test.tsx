// @vitest-environment jsdom
import type { Editor } from '@tiptap/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { LinkDialog } from './LinkDialog.tsx';
import '#tests/support/dialogs.ts';

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

test('articles that were found for words are not offered beside an address', async () => {
	const rows = [{ id: 'p', slug: 'quorums', title: 'Quorums' }];
	vi.stubGlobal('fetch', async () => Response.json({ rows, total: 1 }));
	const editor = { getAttributes: () => ({}) } as unknown as Editor;
	render(<LinkDialog editor={editor} open onClose={() => {}} />);
	const field = screen.getByLabelText('Address or title of an article');
	fireEvent.change(field, { target: { value: 'quorums' } });
	await screen.findByText('Quorums');
	fireEvent.change(field, { target: { value: 'https://example.com' } });
	expect(screen.queryByText('Quorums')).toBeNull();
});
