// @vitest-environment jsdom
import type { Editor } from '@tiptap/core';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { $access, completeSignIn, postponeSignIn } from '#src/core/session/session.store.ts';
import type { Category } from '#src/features/categories/category.ts';
import type { EditedPost } from '#src/features/posts/editing.api.ts';
import { emptyForm, type PostForm } from '#src/features/posts/editing.ts';
import { Writer } from './Writer.tsx';
import { server } from '#src/dashboard/editor/writing/saving.store.ts';
import { startWriting } from '#src/dashboard/editor/writing/writing.store.ts';
import '#tests/support/dialogs.ts';
import { localTime } from '#src/lib/dates.ts';

/** By the server's clock, which is a day behind the browser's. */
const SAVED_AT = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString();
const FORM: PostForm = { ...emptyForm, title: 'A title', slug: 'x', categoryId: 'c1' };
const REVISION = { id: 'r1', reason: 'pause', title: 'Earlier', createdAt: SAVED_AT };
const LISTED = { ...REVISION, added: 3, removed: 0 };

/** A published post at the desk; `answers` by call, `DELETE /draft` for one, where it is not as usual. */
function open(
	answers: Record<string, () => Response | Promise<Response>> = {},
	values: Partial<EditedPost> = {},
) {
	const post = {
		id: 'p1',
		form: FORM,
		category: { name: 'A', slug: 'a' },
		version: 1,
		state: 'published',
		draft: null,
		path: '/blog/x',
		digest: 'd1',
		savedAt: SAVED_AT,
		...values,
	} as EditedPost;
	const calls: string[] = [];
	const usual: Record<string, () => Response> = {
		'GET /': () => Response.json(post),
		'PUT /': () => Response.json({ ...post, version: 2 }),
		'DELETE /': () => Response.json({ id: 'p1' }),
		'PUT /draft': () => Response.json({ version: 1 }),
		'DELETE /draft': () => Response.json({ id: 'p1' }),
		'GET /revisions': () => Response.json([LISTED]),
		'GET /revisions/r1': () => Response.json({ ...REVISION, form: FORM }),
		'POST /revisions/r1/restore': () => Response.json(post),
		'GET /api/admin/builds': () => Response.json([]),
	};
	vi.stubGlobal('fetch', async (address: string, { method = 'GET' } = {}) => {
		const name = `${method} ${address.replace('/api/admin/posts/p1', '') || '/'}`;
		calls.push(name);
		return (answers[name] ?? usual[name] ?? (() => new Response(null, { status: 404 })))();
	});
	const device = { save: async () => {}, remove: async () => {} };
	const writing = startWriting({ post, form: FORM }, { server, device, session: 's1' });
	const onDeleted = vi.fn();
	render(<Writer writing={writing} categories={[]} onClose={() => {}} onDeleted={onDeleted} />);
	const type = (title: string) =>
		fireEvent.change(screen.getByRole('textbox', { name: 'Title' }), { target: { value: title } });
	const press = (name: string) =>
		fireEvent.click(screen.getByRole('button', { name, hidden: true }));
	return { writing, calls, onDeleted, type, press };
}

const refused = () =>
	Response.json({ error: { code: 'unavailable', message: 'Not now.' } }, { status: 503 });

afterEach(cleanup);

test.each([
	[['Uncategorized', 'Articles'], 'id of Articles'],
	[['Uncategorized', 'Articles', 'Notes'], ''],
	[['Uncategorized'], ''],
])('of the categories %j a new article has “%s” from its first word on', (names, chosen) => {
	const device = { save: async () => {}, remove: async () => {} };
	const writing = startWriting({ post: null, form: emptyForm }, { server, device, session: 's1' });
	const categories: Category[] = names.map((name) => {
		const slug = name.toLowerCase();
		return { id: `id of ${name}`, name, slug, color: '#000000', description: '' };
	});
	const none = () => {};
	render(<Writer writing={writing} categories={categories} onClose={none} onDeleted={none} />);
	expect(writing.state.get().form.categoryId).toBe('');
	const title = screen.getByRole('textbox', { name: 'Title' });
	fireEvent.change(title, { target: { value: 'T' } });
	expect(writing.state.get().form).toMatchObject({ title: 'T', categoryId: chosen });
});

test('where a post could not be deleted, writing goes on and is saved by itself', async () => {
	const { calls, onDeleted, type, press } = open({ 'DELETE /': refused });
	press('Delete');
	await vi.waitFor(() => expect(calls).toContain('DELETE /'));
	await screen.findByRole('textbox', { name: 'Title' });
	type('Another title');
	await vi.waitFor(() => expect(calls).toContain('PUT /draft'));
	expect(onDeleted).not.toHaveBeenCalled();
});

test('a preview link that could not be copied, as over plain http, is shown and selected', async () => {
	const { press } = open({ 'POST /preview': () => Response.json({ url: '/preview/abc' }) });
	press('Copy preview link');
	const field = await screen.findByRole<HTMLInputElement>('textbox', {
		name: 'It shows this draft for seven days',
	});
	expect(field.value).toMatch(/^http.*\/preview\/abc$/);
	await vi.waitFor(() => expect(field.selectionEnd).toBe(field.value.length));
	expect(document.activeElement).toBe(field);
});

test('Save that is pressed while a save runs saves once more what was typed since', async () => {
	const first = Promise.withResolvers<Response>();
	let saves = 0;
	const post = (title: string, version: number) =>
		Response.json({
			...{ id: 'p1', form: { ...FORM, title }, category: { name: 'A', slug: 'a' }, version },
			...{ state: 'published', draft: null, path: '/blog/x', digest: 'd1', savedAt: SAVED_AT },
		});
	const { writing, calls, type } = open({
		'PUT /': () => (++saves === 1 ? first.promise : post('Second', 3)),
	});
	const save = () => fireEvent.keyDown(document, { key: 's', ctrlKey: true });
	const sent = () => calls.filter((call) => call === 'PUT /').length;
	type('First');
	save();
	await vi.waitFor(() => expect(sent()).toBe(1));
	type('Second');
	save();
	save();
	await act(async () => first.resolve(post('First', 2)));
	await vi.waitFor(() => expect(sent()).toBe(2));
	await vi.waitFor(() => expect(writing.state.get().save).toBe('saved'));
	expect(writing.state.get().form.title).toBe('Second');
	save();
	await vi.waitFor(() => expect(sent()).toBe(3));
});

test('a build that failed after a save is told of, whatever the clock of the browser says', async () => {
	const failed = {
		state: 'failed',
		doing: null,
		done: null,
		total: null,
		reason: 'No space left.',
		startedAt: SAVED_AT,
		endedAt: SAVED_AT,
	};
	const { press } = open({ 'GET /api/admin/builds': () => Response.json([failed]) });
	press('Update');
	await screen.findByText('No space left.');
});

test('HTML that is closed by accident is there again; canceled, it is not', async () => {
	open();
	const text = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'HTML' });
	const dialog = () => text().closest('dialog')!;
	const look = () => {
		const name = 'HTML of the article';
		fireEvent.click(screen.getAllByRole('button', { name, hidden: true })[0]!);
		return text().value;
	};
	look();
	fireEvent.change(text(), { target: { value: '<p>By hand</p>' } });
	fireEvent(dialog(), new Event('cancel', { cancelable: true }));
	expect(look()).toBe('<p>By hand</p>');
	fireEvent.click(within(dialog()).getByRole('button', { name: 'Cancel' }));
	expect(look()).toBe('');
});

test('what was typed a moment ago is a version of its own before changes are discarded', async () => {
	const { calls, type, press } = open();
	type('Another title');
	press('Discard changes');
	await vi.waitFor(() => expect(calls).toContain('GET /'));
	expect(calls).toEqual(['PUT /draft', 'DELETE /draft', 'GET /']);
});

test('what was typed a moment ago is a version of its own before an earlier one is restored', async () => {
	const { calls, type, press } = open();
	type('Another title');
	press('Earlier versions');
	fireEvent.click(await screen.findByText('A pause in writing'));
	fireEvent.click(await screen.findByText('Restore this version'));
	await vi.waitFor(() => expect(calls).toContain('POST /revisions/r1/restore'));
	expect(calls.indexOf('PUT /draft')).toBeGreaterThanOrEqual(0);
	expect(calls.indexOf('PUT /draft')).toBeLessThan(calls.indexOf('POST /revisions/r1/restore'));
});

test('what the server does not take is neither discarded nor replaced', async () => {
	const { writing, calls, type, press } = open({ 'PUT /draft': refused });
	type('Another title');
	press('Discard changes');
	await vi.waitFor(() => expect(writing.state.get().save).toBe('unreachable'));
	press('Earlier versions');
	fireEvent.click(await screen.findByText('A pause in writing'));
	fireEvent.click(await screen.findByText('Restore this version'));
	await screen.findByText('Not now.');
	expect(calls).not.toContain('DELETE /draft');
	expect(calls).not.toContain('POST /revisions/r1/restore');
	expect(writing.state.get().form.title).toBe('Another title');
});

test('a post says that it is published once its minute has come', async () => {
	vi.useFakeTimers({ shouldAdvanceTime: true });
	try {
		const publishedAt = new Date(Date.now() + 60_000).toISOString();
		open({}, { state: 'scheduled', publishedAt });
		expect(screen.getByText('Scheduled')).toBeTruthy();
		expect(screen.getByText(`for ${localTime(publishedAt)}`)).toBeTruthy();
		await vi.advanceTimersByTimeAsync(60_000);
		expect(screen.queryByText('Scheduled')).toBeNull();
		expect(screen.queryByText(`for ${localTime(publishedAt)}`)).toBeNull();
		expect(screen.getByText('Published')).toBeTruthy();
	} finally {
		vi.useRealTimers();
	}
});

test('while there are two versions, nothing is saved or published over the choice', async () => {
	const stale = () =>
		Response.json({ error: { code: 'conflict', message: 'Changed.' } }, { status: 409 });
	const theirs = { form: { ...FORM, title: 'Theirs' }, category: { name: 'A', slug: 'a' } };
	const { writing, calls, type } = open({
		'PUT /draft': stale,
		'GET /': () =>
			Response.json({ id: 'p1', version: 2, draft: null, savedAt: SAVED_AT, ...theirs }),
	});
	type('Mine');
	await writing.flush();
	await screen.findByText('Two versions of this post');
	for (const name of ['Update', 'Preview', 'More actions'])
		expect(screen.queryByRole('button', { name })).toBeNull();
	fireEvent.keyDown(document, { key: 's', ctrlKey: true });
	fireEvent.keyDown(document, { key: 'Enter', ctrlKey: true, shiftKey: true });
	expect(calls).not.toContain('PUT /');
});

test('a version with another place changed is merged, and writing goes on', async () => {
	let isStale = true;
	const error = { code: 'conflict', message: 'Changed.' };
	const theirs = { form: { ...FORM, excerpt: 'Theirs' }, category: { name: 'A', slug: 'a' } };
	const { writing, calls, type } = open({
		'PUT /draft': () =>
			isStale ? Response.json({ error }, { status: 409 }) : Response.json({ version: 1 }),
		'GET /': () => {
			isStale = false;
			return Response.json({ id: 'p1', version: 2, draft: null, updatedAt: SAVED_AT, ...theirs });
		},
	});
	type('Mine');
	await act(() => writing.flush());
	await vi.waitFor(() => expect(writing.state.get().save).toBe('saved'));
	expect(writing.state.get().form).toMatchObject({ title: 'Mine', excerpt: 'Theirs' });
	expect(calls.filter((call) => call === 'PUT /draft')).toHaveLength(2);
	expect(screen.queryByText('Two versions of this post')).toBeNull();
	expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Title' }).value).toBe('Mine');
});

test('versions of the same minute are told apart', async () => {
	const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 30, second)).toISOString();
	const { press } = open({
		'GET /revisions': () =>
			Response.json([
				{ ...REVISION, createdAt: at(41) },
				{ ...REVISION, id: 'r2', createdAt: at(12) },
			]),
	});
	press('Earlier versions');
	await screen.findByText(/:41/);
	expect(screen.getByText(/:12/)).toBeTruthy();
});

test('the version that was chosen last is shown, whichever arrives last', async () => {
	const first = Promise.withResolvers<Response>();
	const version = (id: string, title: string) =>
		Response.json({ ...REVISION, id, form: { ...FORM, title } });
	const { press } = open({
		'GET /revisions': () =>
			Response.json([
				{ ...REVISION, reason: 'publish' },
				{ ...REVISION, id: 'r2' },
			]),
		'GET /revisions/r1': () => first.promise,
		'GET /revisions/r2': () => version('r2', 'Second'),
	});
	press('Earlier versions');
	fireEvent.click(await screen.findByText('Saved to the post'));
	fireEvent.click(screen.getByText('A pause in writing'));
	await screen.findByText('Second');
	await act(async () => first.resolve(version('r1', 'First')));
	expect(screen.getByRole('button', { name: /A pause/ }).getAttribute('aria-pressed')).toBe('true');
	expect(screen.queryByText('First')).toBeNull();
});

const write = (text: string) => {
	const surface = document.querySelector<HTMLElement & { editor: Editor }>('.article-surface')!;
	act(() => void surface.editor.commands.insertContent(text));
};

test('words that were typed a moment before the text is left are given out', () => {
	const { writing } = open();
	write('The last words');
	cleanup();
	expect(writing.state.get().form.content).toBe('<p>The last words</p>');
});

test('what waits for a sign-in is saved once there is one, whoever asked for it', async () => {
	const closed = () =>
		Response.json({ error: { code: 'unauthorized', message: 'No.' } }, { status: 401 });
	let answer: (() => Response) | undefined = closed;
	const { writing, type } = open({
		'PUT /draft': () => answer?.() ?? Response.json({ version: 1 }),
	});
	type('Another title');
	const saved = writing.flush();
	await vi.waitFor(() => expect($access.get().status).toBe('expired'));
	postponeSignIn();
	await saved;
	expect(writing.state.get().save).toBe('signed-out');
	answer = undefined;
	completeSignIn();
	await vi.waitFor(() => expect(writing.state.get().save).toBe('saved'));
});

test('Enter of an input method replaces nothing', () => {
	const { press } = open();
	write('a word');
	press('Find in the text');
	fireEvent.change(screen.getByRole('textbox', { name: 'Find' }), { target: { value: 'word' } });
	const by = screen.getByRole('textbox', { name: 'Replace with' });
	fireEvent.keyDown(by, { key: 'Enter', isComposing: true });
	expect(document.querySelector('.article-surface')!.textContent).toBe('a word');
	fireEvent.keyDown(by, { key: 'Enter' });
	expect(document.querySelector('.article-surface')!.textContent).toBe('a ');
});

test('HTML goes into its block, whatever came above it meanwhile', () => {
	open();
	const { editor } = document.querySelector<HTMLElement & { editor: Editor }>('.article-surface')!;
	act(() => {
		editor.commands.setContent([
			{ type: 'paragraph', content: [{ type: 'text', text: 'Before' }] },
			{ type: 'html', attrs: { html: '<details>Old</details>' } },
		]);
	});
	fireEvent.click(screen.getByRole('button', { name: 'Edit HTML' }));
	act(() => void editor.commands.insertContentAt(0, '<p>Above</p>'));
	const text = screen.getByRole('textbox', { name: 'HTML' });
	fireEvent.change(text, { target: { value: '<p>New</p>' } });
	fireEvent.click(screen.getByRole('button', { name: 'Use this HTML' }));
	expect(editor.getText({ blockSeparator: ' ' }).trim()).toBe('Above Before New');
});
