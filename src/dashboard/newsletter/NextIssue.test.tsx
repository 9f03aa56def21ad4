// @vitest-environment jsdom
import type { Editor } from '@tiptap/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { NextIssue as Stored } from '#src/features/newsletter/next-issue.ts';
import { NextIssue } from './NextIssue.tsx';
import '#tests/support/dialogs.ts';

let stored: Stored;
let sent: Record<string, unknown>[];
/** Lets the server answer what was sent. */
let answer: () => void;

beforeEach(() => {
	stored = {
		...{ mode: 'auto', subject: '', preview: '', note: '', posts: [], links: [], version: 1 },
		...{ at: '2026-06-04T08:00:00.000Z', timeZone: 'UTC', articles: [], leftOut: [] },
		...{ usual: { subject: 'News', preview: '' }, waiting: null, missed: null, recipients: 2 },
		readers: { each: 0, weekly: 2, monthly: 0 },
	};
	sent = [];
	vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
		if (!url.includes('next')) return Response.json({ rows: [] });
		if (init?.method !== 'PUT') return Response.json(stored);
		const { version: _, ...changes } = JSON.parse(init.body as string) as Stored;
		sent.push(changes);
		await new Promise<void>((resolve) => (answer = resolve));
		stored = { ...stored, ...changes, version: stored.version + 1 };
		return Response.json(stored);
	});
});
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const subject = () => screen.findByLabelText<HTMLInputElement>('Subject');
const type = async (text: string) => fireEvent.change(await subject(), { target: { value: text } });
const write = (text: string) => {
	const surface = document.querySelector<HTMLElement & { editor: Editor }>('.article-surface')!;
	act(() => void surface.editor.commands.insertContent(text));
};
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }));

test('what is typed while the issue is saved stays, to be saved next', async () => {
	render(<NextIssue onSent={() => {}} />);
	await type('First');
	save();
	await vi.waitFor(() => expect(sent).toEqual([{ subject: 'First' }]));
	await type('First, and more');
	write('Words of the meantime');
	await act(async () => answer());
	await vi.waitFor(() => expect(screen.getByText('Not saved')).toBeDefined());
	expect((await subject()).value).toBe('First, and more');
	save();
	const later = { subject: 'First, and more', note: '<p>Words of the meantime</p>' };
	await vi.waitFor(() => expect(sent[1]).toEqual(later));
});

test('words that were typed a moment before Save are saved', async () => {
	render(<NextIssue onSent={() => {}} />);
	await type('First');
	write('Just now');
	save();
	await vi.waitFor(() => expect(sent).toEqual([{ subject: 'First', note: '<p>Just now</p>' }]));
	await act(async () => answer());
	await screen.findByText('Saved');
});
