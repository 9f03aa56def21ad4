// @vitest-environment jsdom
import type { Editor } from '@tiptap/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useState } from 'react';
import { $toasts } from '#src/components/ui/toast.store.ts';
import { $unsavedCopies } from '#src/dashboard/kit/unsaved.store.ts';
import { PageEditor } from './PageEditor.tsx';

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

test('what was typed before the page was lost is offered, taken, or thrown away and taken back', async () => {
	const page = {
		...{ slug: 'terms', path: '/terms', title: 'Terms', description: '', dated: '' },
		...{ content: '<p>Stored</p>', published: true, footer: false, questions: [] },
		...{ testimonials: [], version: 3, updatedAt: '2026-11-26T00:00:00.000Z', offer: null },
	};
	const lost = (version: number, title: string) => ({
		...{ of: 'page terms', version, base: page, form: { ...page, title }, at: Date.now() },
	});
	$unsavedCopies.set({
		'page terms|a': { ...lost(3, 'Older'), at: Date.now() - 1000 },
		'page terms|b': lost(2, 'Written on the train'),
		'page about|c': { ...lost(3, 'Another'), of: 'page about' },
		'page terms|d': { ...lost(3, 'Of a year ago'), at: 0 },
	});
	const sent: unknown[] = [];
	vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
		if (url.endsWith('/unsaved')) return Response.json({ copy: null });
		if (init?.method === 'GET') return Response.json(page);
		sent.push(JSON.parse(init!.body as string));
		return Response.json({ ...page, title: 'Written on the train', version: 4, undo: null });
	});
	render(<PageEditor slug="terms" onClose={() => {}} onMoved={() => {}} />);
	const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
	expect((await screen.findByRole('region', { name: 'Never saved' })).textContent).toContain(
		'was never saved',
	);
	press('Throw it away');
	expect(Object.keys($unsavedCopies.get())).not.toContain('page terms|b');
	$toasts.get().at(-1)!.action!.run();
	await screen.findByRole('button', { name: 'Go on with it' });
	press('Go on with it');
	const title = screen.getByLabelText<HTMLInputElement>('Title');
	expect(title.value).toBe('Written on the train');
	expect(screen.queryByRole('region', { name: 'Never saved' })).toBeNull();
	const ofTerms = () => Object.values($unsavedCopies.get()).filter(({ of }) => of === 'page terms');
	expect(ofTerms().map(({ form }) => form['title'])).toContain('Written on the train');
	press('Update');
	await vi.waitFor(() => expect(sent).toEqual([{ version: 2, title: 'Written on the train' }]));
	await vi.waitFor(() => expect(ofTerms().map(({ form }) => form['title'])).toEqual(['Older']));
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

test('a link of a page that leads nowhere is said before it is saved', async () => {
	const page = {
		...{ slug: 'start', path: '/start', title: 'Start', description: '', dated: '' },
		content:
			'<p><a href="/about">About</a>, <a href="/gone?a=1#b">gone</a> and <a href="/lost">lost</a>, <a href="https://example.com/">elsewhere</a></p>',
		...{ published: true, footer: false, questions: [], testimonials: [], version: 1, offer: null },
	};
	const asked: string[] = [];
	vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
		if (init?.method !== 'HEAD') return Response.json(page);
		asked.push(url);
		return new Response(null, { status: url === '/about' ? 200 : 404 });
	});
	render(<PageEditor slug="start" onClose={() => {}} onMoved={() => {}} />);
	await screen.findByText('No page is at /gone and /lost yet.');
	expect(asked.toSorted()).toEqual(['/about', '/gone', '/lost']);
});
