// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderToString } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import { $toasts } from '#src/components/ui/toast.store.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { Comments } from './Comments.tsx';
import type { CommentView } from './comment.ts';
import { $commenter, rememberOwn } from './own.store.ts';

const old: CommentView = {
	id: '1',
	author: 'Grace',
	content: 'First of all',
	createdAt: '2026-01-02T03:04:05.000Z',
	parentId: null,
	byOwner: false,
	pinned: false,
	editedAt: null,
};

afterEach(() => {
	cleanup();
	sessionStorage.clear();
	$commenter.set({});
	$toasts.set([]);
	vi.unstubAllGlobals();
});

/** Serves the list with the prebuilt comment, and handles posts as the test says. */
function answer(post: () => Response): void {
	vi.stubGlobal('fetch', async (_url: string, init?: RequestInit) =>
		init?.method === 'POST' ? post() : Response.json([old]),
	);
}

/** The toast of a comment that was published. */
const posted = () => $toasts.get().find(({ title }) => title === 'Comment posted!');

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

test('what the button sends is said before it, and by it', async () => {
	answer(() => Response.json({}, { status: 500 }));
	const first = render(<Comments postId="p1" initial={[old]} />);
	const button = screen.getByRole('button', { name: 'Post comment' });
	const box = screen.getByLabelText<HTMLInputElement>(/^Tell me/);
	expect(box.checked).toBe(false);
	expect(box.compareDocumentPosition(button)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
	const wordsOf = (element: HTMLElement) =>
		document.getElementById(element.getAttribute('aria-describedby')!)!.textContent;
	expect(wordsOf(screen.getByLabelText('Email'))).toBe('It is never shown.');
	expect(wordsOf(screen.getByLabelText('Comment'))).toContain('three backticks');
	expect(wordsOf(button)).toBe('Leave a comment');
	await userEvent.click(screen.getByRole('button', { name: 'Reply to Grace' }));
	expect(wordsOf(button)).toBe('Reply to Grace');
	// The choice outlasts a reload, as what was typed does.
	await userEvent.click(box);
	await userEvent.type(screen.getByLabelText('Name'), 'Ada');
	first.unmount();
	render(<Comments postId="p1" initial={[old]} />);
	expect(screen.getByLabelText<HTMLInputElement>(/^Tell me/).checked).toBe(true);
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

test('an accepted comment stands first, and an answer needs only its text', async () => {
	answer(() =>
		Response.json({ ...old, id: '2', author: 'Ada', content: 'Lovely post' }, { status: 201 }),
	);
	const field = await fillAndPost();
	await waitFor(() => expect(posted()).toBeDefined());
	// Told once: the comment itself stands below.
	expect(screen.queryByText('Comment posted!')).toBeNull();
	expect(field.value).toBe('');
	expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Ada');
	expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.com');
	const [first, second] = screen.getAllByRole('listitem');
	expect(first?.textContent).toContain('Lovely post');
	expect(second?.textContent).toContain('First of all');
});

test('the prebuilt comments stay when newer ones cannot be fetched', async () => {
	vi.stubGlobal('fetch', async () => {
		throw new TypeError('Failed to fetch');
	});
	render(<Comments postId="p1" initial={[old]} />);
	expect((await screen.findByRole('alert')).textContent).toContain('could not be loaded');
	expect(screen.getByText('First of all')).toBeDefined();
	vi.stubGlobal('fetch', async () => Response.json([old]));
	await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
	await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test('a list that could not be loaded is not called empty', async () => {
	vi.stubGlobal('fetch', async () => Response.json({}, { status: 500 }));
	render(<Comments postId="p1" initial={[]} />);
	expect(await screen.findByText('Comments could not be loaded.')).toBeDefined();
	expect(screen.queryByText(/No comments yet/)).toBeNull();
});

test('without JavaScript it is a plain POST to the same endpoint, with the comments in the page', () => {
	const html = renderToString(<Comments postId="p1" initial={[old]} />);
	expect(html).toContain('action="/api/comments" method="post"');
	expect(html).toContain('<input type="hidden" name="postId" value="p1"/>');
	expect(html).toContain('First of all');
	expect(html).not.toContain('<script');
	expect(html).not.toMatch(/<button[^>]* disabled/);
});

/** A server whose answer to a post the test gives, and whose list it may change. */
function serve(list: CommentView[] = [old]) {
	const sent: Record<string, unknown>[] = [];
	let reply: (response: Response | Promise<never>) => void = () => {};
	const asked = vi.fn();
	vi.stubGlobal('fetch', async (_url: string, init?: RequestInit) => {
		asked();
		if (init?.method !== 'POST') return Response.json(list);
		sent.push(JSON.parse(init.body as string) as Record<string, unknown>);
		return new Promise<Response>((resolve) => (reply = resolve));
	});
	return {
		sent,
		asked,
		reply: (response: Response | Promise<never>) => act(async () => reply(response)),
	};
}
const mine = { ...old, id: '2', author: 'Ada', content: 'Lovely post' };
const contents = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

test('what has been hidden since the build vanishes, and what is new appears', async () => {
	serve([{ ...old, id: '3', content: 'Quite new' }]);
	render(<Comments postId="p1" initial={[old]} />);
	expect(await screen.findByText('Quite new')).toBeDefined();
	expect(screen.queryByText('First of all')).toBeNull();
	expect(screen.getByRole('heading', { name: '1 comment' })).toBeDefined();
});

test('a comment is shown while it is being posted, and says so', async () => {
	const { sent, reply } = serve();
	await fillAndPost();
	expect(contents()[0]).toMatch(/^Ada.*Posting….*Lovely post$/);
	expect(screen.getAllByRole('listitem')[0]!.getAttribute('aria-busy')).toBe('true');
	expect(screen.getByRole('button', { name: 'Posting…' }).getAttribute('aria-disabled')).toBe(
		'true',
	);
	expect(sent).toMatchObject([
		{ postId: 'p1', author: 'Ada', email: 'ada@example.com', content: 'Lovely post' },
	]);
	expect(sent[0]!['elapsedMs']).toBeGreaterThanOrEqual(0);
	expect(sent[0]).not.toHaveProperty('startedAt');
	await reply(Response.json(mine, { status: 201 }));
	expect(contents()).toHaveLength(2);
	expect(screen.getAllByRole('listitem')[0]!.getAttribute('aria-busy')).toBe('false');
	expect(screen.queryByText('Posting…')).toBeNull();
});

test('a comment that could not be posted is taken back, and stays in the form', async () => {
	const { reply } = serve();
	const field = await fillAndPost();
	expect(contents()).toHaveLength(2);
	await reply(Promise.reject(new TypeError('no network')));
	expect(contents()).toEqual([expect.stringContaining('First of all')]);
	expect(screen.getByRole('alert').textContent).toContain('Unable to connect');
	expect(field.value).toBe('Lovely post');
	expect(screen.queryByText('Comment posted!')).toBeNull();
});

test('what is not right is never shown as posted', async () => {
	const { asked } = serve();
	render(<Comments postId="p1" initial={[old]} />);
	await userEvent.type(screen.getByLabelText('Name'), 'Ada');
	await userEvent.type(screen.getByLabelText('Email'), 'ada@');
	await userEvent.type(screen.getByLabelText('Comment'), 'Lovely post');
	await userEvent.click(screen.getByRole('button', { name: 'Post comment' }));
	expect(contents()).toHaveLength(1);
	expect(asked).toHaveBeenCalledOnce();
});

test('a list that was asked for before a comment was posted does not take it away', async () => {
	let list: (response: Response) => void = () => {};
	vi.stubGlobal('fetch', async (_url: string, init?: RequestInit) =>
		init?.method === 'POST'
			? Response.json(mine, { status: 201 })
			: new Promise<Response>((resolve) => (list = resolve)),
	);
	await fillAndPost();
	await waitFor(() => expect(posted()).toBeDefined());
	await act(async () => list(Response.json([old])));
	expect(contents()).toEqual([
		expect.stringContaining('Lovely post'),
		expect.stringContaining('First of all'),
	]);
});

test('a comment that waits for the admin is not shown, and its author is told', async () => {
	const { reply } = serve();
	const field = await fillAndPost();
	await reply(Response.json({ ...mine, waits: true }, { status: 201 }));
	expect(contents()).toHaveLength(1);
	expect(screen.getByText(/Thanks! Your comment is awaiting review./).getAttribute('role')).toBe(
		'status',
	);
	expect(field.value).toBe('');
});

test('the button says that it is off until all three fields hold something, and still explains when pressed', async () => {
	const { asked } = serve();
	render(<Comments postId="p1" initial={[old]} />);
	const button = screen.getByRole('button', { name: 'Post comment' });
	const isOff = () => button.getAttribute('aria-disabled') === 'true';
	expect(isOff()).toBe(true);
	await userEvent.type(screen.getByLabelText('Name'), 'Ada');
	await userEvent.type(screen.getByLabelText('Email'), 'ada@example.com');
	await userEvent.type(screen.getByLabelText('Comment'), '   ');
	expect(isOff()).toBe(true);
	await userEvent.click(button);
	expect(screen.getByRole('alert').textContent).toBe('Please fill in your comment');
	expect(asked).toHaveBeenCalledOnce();
	await userEvent.type(screen.getByLabelText('Comment'), 'x');
	expect(isOff()).toBe(false);
});

test('what was typed is still there after a reload, until it is posted', async () => {
	const { reply } = serve();
	render(<Comments postId="p1" initial={[]} />);
	await userEvent.type(screen.getByLabelText('Comment'), 'Half a thought');
	cleanup();
	render(<Comments postId="other" initial={[]} />);
	expect(screen.getByLabelText<HTMLTextAreaElement>('Comment').value).toBe('');
	cleanup();
	render(<Comments postId="p1" initial={[]} />);
	expect(screen.getByLabelText<HTMLTextAreaElement>('Comment').value).toBe('Half a thought');
	cleanup();
	sessionStorage.clear();
	await fillAndPost();
	await reply(Response.json(mine, { status: 201 }));
	expect(sessionStorage).toHaveLength(0);
});

test('a browser that keeps nothing takes comments all the same', async () => {
	vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
		throw new DOMException('full', 'QuotaExceededError');
	});
	vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
		throw new DOMException('off', 'SecurityError');
	});
	const { reply } = serve();
	await fillAndPost();
	await reply(Response.json(mine, { status: 201 }));
	expect(contents()).toHaveLength(2);
});

test('times are told as people tell them and exactly; the prebuilt page, read at any time, has the date', async () => {
	serve();
	const html = renderToString(<Comments postId="p1" initial={[old]} />);
	expect(html).toContain('>January 2, 2026</time>');
	vi.setSystemTime(new Date('2026-01-02T05:04:05.000Z'));
	render(<Comments postId="p1" initial={[old]} />);
	const time = await waitFor(() => screen.getByText('2 hours ago'));
	expect(time.getAttribute('datetime')).toBe(old.createdAt);
	expect(time.title).toBe('January 2, 2026 at 3:04 AM');
	expect(time.closest('a')?.getAttribute('href')).toBe('#comment-1');
});

test('prebuilt, each comment can be answered without a script: a radio button of the form', () => {
	const reply = { ...old, id: '2', parentId: '1', author: 'Ada', content: 'An answer' };
	const html = renderToString(<Comments postId="p1" initial={[reply, old]} />);
	const page = new DOMParser().parseFromString(html, 'text/html');
	const form = page.querySelector('form')!;
	const radios = [...page.querySelectorAll<HTMLInputElement>('input[name=parentId]')];
	expect(radios.map(({ value, type }) => [value, type])).toEqual([
		['1', 'radio'],
		['1', 'radio'],
		['', 'radio'],
	]);
	expect(radios.every((radio) => radio.form === form)).toBe(true);
	expect(page.querySelector('#comment-1 #comment-2')?.textContent).toContain('An answer');
});

test('a reply says whom it answers, goes below it, and the next comment is none', async () => {
	const sent: unknown[] = [];
	vi.stubGlobal('fetch', async (_url: string, init?: RequestInit) => {
		if (init?.method !== 'POST') return Response.json([old]);
		sent.push(JSON.parse(init.body as string));
		return Response.json({ ...old, id: '2', parentId: '1', author: 'Ada', content: 'Lovely post' });
	});
	render(<Comments postId="p1" initial={[old]} />);
	await userEvent.click(await screen.findByRole('button', { name: 'Reply to Grace' }));
	expect(screen.getByRole('heading', { name: 'Reply to Grace' })).toBeTruthy();
	expect(document.activeElement).toBe(screen.getByLabelText('Name'));
	await userEvent.keyboard('Ada');
	await userEvent.type(screen.getByLabelText('Email'), 'ada@example.com');
	await userEvent.type(screen.getByLabelText('Comment'), 'Lovely post');
	await userEvent.click(screen.getByRole('button', { name: 'Post comment' }));
	const replies = await screen.findByRole('list', { name: 'Replies to Grace' });
	await waitFor(() => expect(replies.textContent).toContain('Lovely post'));
	expect(sent).toMatchObject([{ parentId: '1' }]);
	expect(screen.getByRole('heading', { name: 'Leave a comment' })).toBeTruthy();
	expect(await screen.findByRole('button', { name: 'Edit' })).toBeTruthy();
});

test('what was typed into an edit stays when the time for it ends, and says so', async () => {
	vi.useFakeTimers({ shouldAdvanceTime: true });
	try {
		const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
		rememberOwn(old);
		vi.stubGlobal('fetch', async () => Response.json([old]));
		render(<Comments postId="p1" initial={[old]} />);
		await user.click(await screen.findByRole('button', { name: 'Edit' }));
		const field = screen.getByLabelText('Your comment');
		await user.clear(field);
		await user.type(field, 'Typed at leisure');
		await act(() => vi.advanceTimersByTimeAsync(16 * MINUTE));
		expect(screen.getByLabelText('Your comment')).toHaveProperty('value', 'Typed at leisure');
		expect(screen.getByText(/^15 minutes have passed/)).toBeTruthy();
		for (const name of ['Edit', 'Delete', 'Save'])
			expect(screen.queryByRole('button', { name })).toBeNull();
		await user.click(screen.getByRole('button', { name: 'Close' }));
		expect(screen.queryByLabelText('Your comment')).toBeNull();
	} finally {
		vi.useRealTimers();
	}
});

test('older comments are asked for from where the last one stands, and the count is of all', async () => {
	const many = Array.from({ length: 250 }, (_, index): CommentView => {
		const time = new Date(Date.UTC(2026, 0, 2) - index * MINUTE);
		return { ...old, id: `c${index}`, content: `No. ${index}`, createdAt: time.toISOString() };
	});
	const asked: string[] = [];
	let isDown = false;
	vi.stubGlobal('fetch', async (url: string) => {
		if (isDown) return Response.error();
		const { searchParams } = new URL(url, 'https://blog.test');
		asked.push(searchParams.get('before') ?? '');
		const after = many.findIndex(({ id }) => asked.at(-1)!.endsWith(`/${id}`)) + 1;
		return Response.json(many.slice(after, after + Number(searchParams.get('limit'))));
	});
	const html = renderToString(<Comments postId="p1" initial={many.slice(0, 100)} total={250} />);
	expect(html).toContain('250 comments');
	expect(html).toContain(
		`href="/blog/p1/comments?before=${encodeURIComponent(`${many[99]!.createdAt}/c99`)}"`,
	);
	render(<Comments postId="p1" initial={many.slice(0, 100)} total={250} />);
	await waitFor(() => expect(asked).toEqual(['']));
	isDown = true;
	await userEvent.click(screen.getByRole('link', { name: 'Show older comments' }));
	expect((await screen.findByRole('alert')).textContent).toContain('please try again');
	isDown = false;
	await userEvent.click(screen.getByRole('link', { name: 'Show older comments' }));
	await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(200));
	expect(document.activeElement?.closest('li')?.id).toBe('comment-c100');
	await userEvent.click(screen.getByRole('link', { name: 'Show older comments' }));
	await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(250));
	expect(screen.queryByRole('link', { name: 'Show older comments' })).toBeNull();
	expect(screen.getByRole('heading', { name: '250 comments' })).toBeTruthy();
	expect(asked.map((place) => place.split('/')[1])).toEqual([undefined, 'c99', 'c199']);
});

test('who commented is filled in next time, and forgotten on request', async () => {
	answer(() =>
		Response.json({ ...old, id: '9', author: 'Ada', content: 'Lovely post', waits: false }),
	);
	await fillAndPost();
	await waitFor(() =>
		expect($commenter.get()).toEqual({ author: 'Ada', email: 'ada@example.com' }),
	);
	cleanup();
	sessionStorage.clear();
	render(<Comments postId="p2" initial={[old]} />);
	const [name, email, words] = ['Name', 'Email', 'Comment'].map((label) =>
		screen.getByLabelText<HTMLInputElement>(label),
	);
	expect([name!.value, email!.value]).toEqual(['Ada', 'ada@example.com']);
	// The words are all that is missing.
	await userEvent.click(screen.getByRole('button', { name: 'Reply to Grace' }));
	expect(document.activeElement).toBe(words);
	await userEvent.type(words!, 'I see');
	expect(screen.getByRole('button', { name: 'Post comment' }).getAttribute('aria-disabled')).toBe(
		'false',
	);
	await userEvent.click(screen.getByRole('button', { name: 'Forget them' }));
	expect($commenter.get()).toEqual({});
	expect([name!.value, email!.value, words!.value]).toEqual(['', '', 'I see']);
	expect(screen.queryByRole('button', { name: 'Forget them' })).toBeNull();
	expect(document.activeElement).toBe(name);
});
