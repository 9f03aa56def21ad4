// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { cleanStores } from 'nanostores';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $toasts } from '#src/components/ui/toast.store.ts';
import { NewsletterButton } from './NewsletterButton.tsx';
import { SignupForm } from './SignupForm.tsx';
import { $subscribed, setSubscribed } from './subscribed.store.ts';

let sent: unknown[] = [];

beforeEach(() => {
	sent = [];
	answer(() => Response.json({ success: true, message: 'Successfully subscribed to newsletter!' }));
});
// Otherwise it lets go of the window a second later, when there is none.
afterAll(() => cleanStores($subscribed));
afterEach(() => {
	cleanup();
	setSubscribed(false);
	$toasts.set([]);
});

function answer(post: () => Response): void {
	vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => {
		sent.push(JSON.parse(body));
		return post();
	});
}
const said = () => $toasts.get().map(({ title, description }) => [title, description]);
const reveal = () => userEvent.click(screen.getByRole('button', { name: 'Get the newsletter' }));
async function subscribe(email: string) {
	if (email) await userEvent.type(screen.getByLabelText('Email address'), email);
	await userEvent.click(screen.getByRole('button', { name: 'Subscribe' }));
}

test('the button reveals the field by its first click, and the field has the focus', async () => {
	render(<NewsletterButton />);
	expect(screen.queryByLabelText('Email address')).toBeNull();
	await reveal();
	expect(document.activeElement).toBe(screen.getByLabelText('Email address'));
	expect(screen.queryByRole('button', { name: 'Get the newsletter' })).toBeNull();
	expect(sent).toEqual([]);
});

test('shown by default, the field is there and does not take the focus', () => {
	render(<NewsletterButton open />);
	expect(screen.getByLabelText('Email address')).toBeDefined();
	expect(document.activeElement).toBe(document.body);
});

test('an empty field is told, and nothing is sent', async () => {
	render(<NewsletterButton open />);
	await subscribe('');
	expect(said()).toEqual([['Email required', 'Please enter your email address.']]);
	expect(sent).toEqual([]);
	expect($subscribed.get()).toBe(false);
});

test('subscribing by the button says so in its place, under its own source', async () => {
	render(<NewsletterButton />);
	await reveal();
	await subscribe('Ada@Example.com');
	const sentence = await screen.findByText("You're subscribed!");
	expect(document.activeElement?.contains(sentence)).toBe(true);
	expect(screen.getByLabelText<HTMLInputElement>('Email address').value).toBe('');
	expect(sent).toMatchObject([{ email: 'Ada@Example.com', source: 'Newsletter Button' }]);
	expect(said()).toEqual([['Success!', "You've been subscribed to our newsletter."]]);
	expect($subscribed.get()).toBe(true);
});

test('while it is sent the button says so, and a second click sends nothing', async () => {
	let arrive = (_response: Response) => {};
	vi.stubGlobal('fetch', (_url: string, { body }: { body: string }) => {
		sent.push(JSON.parse(body));
		return new Promise<Response>((resolve) => (arrive = resolve));
	});
	render(<NewsletterButton open />);
	await subscribe('ada@example.com');
	const button = screen.getByRole('button', { name: 'Subscribing...' });
	expect(button.getAttribute('aria-disabled')).toBe('true');
	await userEvent.click(button);
	expect(sent).toHaveLength(1);
	await act(async () => arrive(Response.json({ success: true, message: '' })));
	expect(screen.getByText("You're subscribed!")).toBeDefined();
});

test('a refusal keeps what was typed and says why', async () => {
	answer(() =>
		Response.json(
			{ error: { code: 'unavailable', message: 'The list is closed.' } },
			{ status: 503 },
		),
	);
	render(<NewsletterButton open />);
	await subscribe('ada@example.com');
	expect((await screen.findByRole('alert')).textContent).toBe('The list is closed.');
	expect(said()).toEqual([['Error', 'The list is closed.']]);
	expect(screen.getByLabelText<HTMLInputElement>('Email address').value).toBe('ada@example.com');
	expect($subscribed.get()).toBe(false);
});

test('one form tells the others on the page', async () => {
	render(<SignupForm />);
	render(<NewsletterButton />);
	await subscribe('ada@example.com');
	expect(
		await screen.findByText("You're subscribed! Check your inbox for AI insights."),
	).toBeDefined();
	expect(screen.getByText("You're subscribed!")).toBeDefined();
	expect(said().map(([title]) => title)).toEqual(['Successfully subscribed!']);
});

test('a subscribed visitor is told, and may still subscribe another address', async () => {
	setSubscribed(true);
	render(<SignupForm />);
	expect(screen.getByText("You're Already Subscribed!")).toBeDefined();
	await userEvent.click(screen.getByRole('button', { name: 'Use another address' }));
	expect(document.activeElement).toBe(screen.getByLabelText('Email address'));
	await subscribe('second@example.com');
	expect(
		await screen.findByText("You're subscribed! Check your inbox for AI insights."),
	).toBeDefined();
	expect(sent).toMatchObject([{ email: 'second@example.com', source: 'Newsletter Signup Form' }]);
});

test.each([
	['signup form', <SignupForm key="1" />, "You're Already Subscribed!"],
	['button', <NewsletterButton key="2" />, "You're subscribed!"],
])(
	'the %s is built for who is not subscribed, and hydrates without a mismatch for who is',
	async (_name, island, sentence) => {
		const place = document.body.appendChild(document.createElement('div'));
		place.innerHTML = renderToString(island);
		expect(place.textContent).not.toContain(sentence);
		setSubscribed(true);
		const mismatches: unknown[] = [];
		const root = await act(async () =>
			hydrateRoot(place, island, { onRecoverableError: (error) => mismatches.push(error) }),
		);
		expect(place.textContent).toContain(sentence);
		expect(mismatches).toEqual([]);
		act(() => root.unmount());
		place.remove();
	},
);

test('without JavaScript the button leads to the newsletter page, and the form is a plain POST', () => {
	expect(renderToString(<NewsletterButton />)).toMatch(
		/<form action="\/newsletter"><button type="submit"/,
	);
	expect(renderToString(<NewsletterButton open />)).toContain(
		'action="/api/subscribers" method="post"',
	);
});
