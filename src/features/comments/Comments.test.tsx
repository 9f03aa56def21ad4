// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderToString } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import { Comments } from './Comments.tsx';
import type { CommentView } from './comment.ts';

const old: CommentView = {
	id: '1',
	author: 'Grace',
	content: 'First of all',
	createdAt: '2026-01-02T03:04:05.000Z',
};

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

/** Answers the list with the prebuilt comment, and posts as the test says. */
function answer(post: () => Response): void {
	vi.stubGlobal('fetch', async (_url: string, init?: RequestInit) =>
		init?.method === 'POST' ? post() : Response.json([old]),
	);
}

async function fillAndPost() {
	render(<Comments postId="p1" initial={[old]} />);
	await userEvent.type(screen.getByLabelText('Name'), 'Ada');
	await userEvent.type(screen.getByLabelText('Email'), 'ada@example.com');
	await userEvent.type(screen.getByLabelText('Comment'), 'Lovely post');
	await userEvent.click(screen.getByRole('button', { name: 'Post comment' }));
	return screen.getByLabelText<HTMLTextAreaElement>('Comment');
}

test('a refused comment keeps what was typed and says why', async () => {
	answer(() =>
		Response.json(
			{ error: { code: 'rate_limited', message: 'Please wait a few minutes.' } },
			{ status: 429 },
		),
	);
	const field = await fillAndPost();
	expect((await screen.findByRole('alert')).textContent).toBe('Please wait a few minutes.');
	expect(field.value).toBe('Lovely post');
	expect(screen.getAllByRole('listitem')).toHaveLength(1);
});

test('a refused field says why beside itself and takes the focus', async () => {
	answer(() =>
		Response.json(
			{ error: { code: 'validation', message: 'No', fields: { content: 'appears to be spam' } } },
			{ status: 400 },
		),
	);
	const field = await fillAndPost();
	expect((await screen.findByRole('alert')).textContent).toBe('appears to be spam');
	expect(field.getAttribute('aria-invalid')).toBe('true');
	expect(document.activeElement).toBe(field);
});

test('a refusal that concerns no visible field is said all the same', async () => {
	answer(() =>
		Response.json(
			{ error: { code: 'validation', message: 'No', fields: { postId: 'Which article?' } } },
			{ status: 400 },
		),
	);
	await fillAndPost();
	expect((await screen.findByRole('alert')).textContent).toBe('Which article?');
});

test('an accepted comment stands first, and the form is empty', async () => {
	answer(() =>
		Response.json({ ...old, id: '2', author: 'Ada', content: 'Lovely post' }, { status: 201 }),
	);
	const field = await fillAndPost();
	expect((await screen.findByRole('status')).textContent).toBe('Comment posted!');
	expect(field.value).toBe('');
	const [first, second] = screen.getAllByRole('listitem');
	expect(first?.textContent).toContain('Lovely post');
	expect(second?.textContent).toContain('First of all');
});

test('the prebuilt comments stay when newer ones cannot be fetched', async () => {
	vi.stubGlobal('fetch', async () => {
		throw new TypeError('Failed to fetch');
	});
	render(<Comments postId="p1" initial={[old]} />);
	expect(await screen.findByText('First of all')).toBeDefined();
	expect(screen.queryByRole('alert')).toBeNull();
});

test('without JavaScript it is a plain POST to the same endpoint, with the comments in the page', () => {
	const html = renderToString(<Comments postId="p1" initial={[old]} />);
	expect(html).toContain('action="/api/comments" method="post"');
	expect(html).toContain('<input type="hidden" name="postId" value="p1"/>');
	expect(html).toContain('First of all');
	expect(html).not.toContain('<script');
	expect(html).not.toMatch(/<button[^>]* disabled/);
});
