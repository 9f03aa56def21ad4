// @vitest-environment jsdom
import type { Editor } from '@tiptap/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useState } from 'react';
import { PageEditor } from './PageEditor.tsx';

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

test('a page is deleted also while somebody types in it', async () => {
	const page = {
		...{ slug: 'imprint', path: '/imprint', title: 'Imprint', description: '', dated: '' },
		...{ content: '<p>Who</p>', published: true, footer: true, questions: [], testimonials: [] },
		...{ version: 1, offer: null },
	};
	vi.stubGlobal('fetch', async (_url: string, init?: RequestInit) =>
		Response.json(init?.method === 'GET' ? page : { undo: null }),
	);
	function Screen() {
		const [isOpen, setOpen] = useState(true);
		const close = () => setOpen(false);
		return isOpen ? <PageEditor slug="imprint" onClose={close} onMoved={() => {}} /> : 'Closed';
	}
	render(<Screen />);
	fireEvent.click(await screen.findByRole('button', { name: 'Delete' }));
	const surface = document.querySelector<HTMLElement & { editor: Editor }>('.article-surface')!;
	act(() => void surface.editor.commands.insertContent('More'));
	expect(await screen.findByText('Closed')).toBeDefined();
});
