// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $toasts } from '#src/components/ui/toast.store.ts';
import { SignIn } from '#src/dashboard/shell/SignIn.tsx';
import { $commenter } from '#src/features/comments/own.store.ts';
import { Comments } from '#src/features/comments/Comments.tsx';
import { SPAM_MESSAGE } from '#src/features/comments/comment.ts';
import { ContactForm } from '#src/features/contact/ContactForm.tsx';
import { PopularPosts } from '#src/features/counts/PopularPosts.tsx';
import { BlogList } from '#src/features/posts/BlogList.tsx';
import { SearchBox } from '#src/features/search/SearchBox.tsx';
import { MESSAGES } from '#src/lib/errors.ts';

// Titles and texts of the error catalog (product.md sections 5 and 8) that comments, search and lists show.

beforeEach(() => {
	history.replaceState(null, '', '/blog');
	$toasts.set([]);
	sessionStorage.clear();
	$commenter.set({});
});
afterEach(cleanup);

const refusal = (status: number, code: string, message: string, fields?: Record<string, string>) =>
	Response.json({ error: { code, message, fields } }, { status });
const offline = () => Promise.reject(new TypeError('Failed to fetch'));
const timeout = () =>
	Promise.reject(Object.assign(new Error('too slow'), { name: 'TimeoutError' }));
const TOO_MANY = 'Please wait a few minutes before posting another comment.';
const FAILED = 'Failed to post comment. Please try again.';

type Typed = { author?: string; email?: string; content?: string };
type Case = [
	trigger: string,
	typed: Typed,
	answer: () => Response | Promise<Response>,
	title: string,
	description: string | undefined,
	inline: string,
];
const never = () => {
	throw new Error('nothing is sent');
};
const MISSING = 'Please fill in all fields';
const CASES: Case[] = [
	['no name', { author: '' }, never, 'Missing information', MISSING, 'Please fill in your name'],
	[
		'a name of spaces',
		{ author: '  ' },
		never,
		'Missing information',
		MISSING,
		'Please fill in your name',
	],
	[
		'no email',
		{ email: '' },
		never,
		'Missing information',
		MISSING,
		'Please fill in your email address',
	],
	[
		'no text',
		{ content: '' },
		never,
		'Missing information',
		MISSING,
		'Please fill in your comment',
	],
	[
		'what is no email',
		{ email: 'ada@' },
		never,
		'Invalid email',
		undefined,
		'Please enter a valid email address',
	],
	[
		'too short a text',
		{ content: 'ab' },
		never,
		'Comment blocked',
		undefined,
		'Write 3 characters or more',
	],
	[
		'what looks like spam',
		{ content: 'buy now' },
		() => refusal(400, 'validation', MESSAGES.validation, { content: SPAM_MESSAGE }),
		'Comment blocked',
		undefined,
		'Comment content is not appropriate or appears to be spam',
	],
	[
		'the fourth in ten minutes',
		{},
		() => refusal(429, 'rate_limited', TOO_MANY),
		'Too many comments',
		undefined,
		TOO_MANY,
	],
	[
		'too much from one address',
		{},
		() => refusal(429, 'rate_limited', MESSAGES.rate_limited),
		'Too many comments',
		undefined,
		'Too many requests. Please wait a moment before trying again.',
	],
	[
		'no network',
		{},
		offline,
		'Error',
		FAILED,
		'Unable to connect to the server. Please check your internet connection and try again.',
	],
	[
		'no answer in time',
		{},
		timeout,
		'Error',
		FAILED,
		'The server took too long to answer. Please try again.',
	],
	[
		'a failure of the server',
		{},
		() => refusal(500, 'server', MESSAGES.server),
		'Error',
		FAILED,
		'Something went wrong on our side. Please try again in a moment.',
	],
	[
		'a database that is out of reach',
		{},
		() => refusal(503, 'unavailable', MESSAGES.unavailable),
		'Error',
		FAILED,
		'We cannot reach our records just now. Please try again in a few seconds.',
	],
	[
		'an article that is gone',
		{},
		() => refusal(404, 'not_found', 'This article does not exist any more.'),
		'Error',
		FAILED,
		'This article does not exist any more.',
	],
	[
		'a proxy that answers for us',
		{},
		() => new Response('Bad gateway', { status: 502 }),
		'Error',
		FAILED,
		'502: Bad gateway',
	],
	[
		'an answer that is no JSON',
		{},
		() => new Response('<html>', { status: 201 }),
		'Error',
		FAILED,
		'Something unexpected happened. Please try again.',
	],
];

test.each(CASES)('a comment and %s', async (_, typed, answer, title, description, inline) => {
	vi.stubGlobal('fetch', async (_url: string, init?: RequestInit) =>
		init?.method === 'POST' ? answer() : Response.json([]),
	);
	render(<Comments postId="p1" initial={[]} />);
	const whole = { author: 'Ada', email: 'ada@example.com', content: 'Lovely post', ...typed };
	for (const [name, value] of Object.entries(whole)) {
		const control = document.querySelector<HTMLInputElement>(`[name=${name}]`)!;
		if (value) await userEvent.type(control, value);
	}
	await userEvent.click(screen.getByRole('button', { name: 'Post comment' }));
	await waitFor(() => expect($toasts.get()).toMatchObject([{ title, destructive: true }]));
	// The reason stands in the form: a toast that repeats it would be heard twice.
	expect($toasts.get()[0]!.description).toBe(description);
	expect(description).not.toBe(inline);
	expect(screen.getAllByRole('alert')[0]!.textContent).toBe(inline);
	for (const [name, value] of Object.entries(whole))
		expect(document.querySelector<HTMLInputElement>(`[name=${name}]`)!.value).toBe(value);
	expect(screen.queryByRole('listitem')).toBeNull();
	expect(screen.queryByText('Comment posted!')).toBeNull();
});

test('a message with empty fields names each, and says so once in general', async () => {
	vi.stubGlobal('fetch', never);
	render(<ContactForm topics={['Correction']} sentText="Thank you." />);
	await userEvent.click(screen.getByRole('button', { name: 'Send message' }));
	expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
		'Please fill in your name',
		'Please fill in your email address',
		'Please fill in your message',
	]);
	expect($toasts.get()).toMatchObject([
		{ title: 'Missing information', description: MISSING, destructive: true },
	]);
	expect(document.activeElement).toBe(screen.getByLabelText('Name'));
});

test('a message that is refused for another reason is told in the form alone', async () => {
	vi.stubGlobal('fetch', never);
	render(<ContactForm topics={['Correction']} sentText="Thank you." />);
	await userEvent.type(screen.getByLabelText('Name'), 'Ada');
	await userEvent.type(screen.getByLabelText('Email'), 'ada@');
	await userEvent.type(screen.getByLabelText('Message'), 'Words');
	await userEvent.click(screen.getByRole('button', { name: 'Send message' }));
	expect(screen.getByRole('alert').textContent).toBe('Please enter a valid email address');
	expect($toasts.get()).toEqual([]);
});

test('a wrong password is told once', async () => {
	vi.stubGlobal('fetch', async () => refusal(401, 'unauthorized', 'Invalid credentials'));
	render(<SignIn />);
	await userEvent.type(screen.getByLabelText('Email'), 'admin@example.com');
	await userEvent.type(screen.getByLabelText('Password'), 'wrong');
	await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
	expect((await screen.findByRole('alert')).textContent).toBe('Login failedInvalid credentials');
	expect($toasts.get()).toEqual([]);
});

test.each([
	['is posted', {}, { title: 'Comment posted!' }],
	['waits', { waits: true }, { title: 'Thanks! Your comment is awaiting review.' }],
])('a comment that %s', async (_, answer, notice) => {
	vi.stubGlobal('fetch', async (_url: string, init?: RequestInit) =>
		Response.json(
			init?.method === 'POST'
				? { id: '1', author: 'Ada', content: 'Hi there', createdAt: '2026-01-01', ...answer }
				: [],
		),
	);
	render(<Comments postId="p1" initial={[]} />);
	await userEvent.type(screen.getByLabelText('Name'), 'Ada');
	await userEvent.type(screen.getByLabelText('Email'), 'ada@example.com');
	await userEvent.type(screen.getByLabelText('Comment'), 'Hi there');
	await userEvent.click(screen.getByRole('button', { name: 'Post comment' }));
	await waitFor(() => expect($toasts.get()).toMatchObject([{ ...notice, destructive: false }]));
});

test.each([
	[
		'less than 3 characters',
		'ab',
		() => Response.json([]),
		'Type at least 3 characters to search.',
	],
	['nothing found', 'qqq', () => Response.json([]), 'No articles found for “qqq”'],
	['no network', 'network', offline, MESSAGES.network],
	['no answer in time', 'timeout', timeout, MESSAGES.timeout],
	[
		'too many requests',
		'limit',
		() => refusal(429, 'rate_limited', MESSAGES.rate_limited),
		MESSAGES.rate_limited,
	],
	['a failure', 'failure', () => refusal(500, 'server', MESSAGES.server), MESSAGES.server],
	[
		'too long a query',
		'long',
		() => refusal(400, 'validation', MESSAGES.validation, { q: 'Use 200 characters or fewer' }),
		'Use 200 characters or fewer',
	],
] as const)('a search and %s', async (_, query, answer, text) => {
	vi.stubGlobal('fetch', async (url: string) =>
		url.startsWith('/api/search') ? answer() : Response.json([]),
	);
	render(<SearchBox search={{ query, category: '', kind: '' }} onSearch={() => {}} />);
	await waitFor(() => expect(document.body.textContent).toContain(text));
});

test.each([
	['the blog', <BlogList total={1} categories={[]} />, 'Error loading posts'],
	[
		'the blog',
		<BlogList total={1} categories={[]} />,
		"We couldn't load the blog posts. Please try refreshing the page or check back later.",
	],
	['trending', <PopularPosts kind="trending" />, 'Unable to load blog posts'],
	['the most shared', <PopularPosts kind="mostShared" />, 'Unable to load blog posts'],
])('%s without a network', async (_, island, text) => {
	history.replaceState(null, '', '/blog?sort=trending');
	vi.stubGlobal('fetch', offline);
	render(island);
	expect(await screen.findByText(text)).toBeDefined();
});
