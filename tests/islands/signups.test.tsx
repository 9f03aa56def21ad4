// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $toasts } from '#src/components/ui/toast.store.ts';
import { EmailCourseForm } from '#src/features/course/EmailCourseForm.tsx';
import { UpgradeForm } from '#src/features/downloads/UpgradeForm.tsx';
import { NewsletterButton } from '#src/features/newsletter/NewsletterButton.tsx';
import { SignupForm } from '#src/features/newsletter/SignupForm.tsx';
import { SIGNUP_DONE, signupSuccess } from '#src/features/newsletter/subscriber.ts';
import { $subscribed, setSubscribed } from '#src/features/newsletter/subscribed.store.ts';
import { FloatingSignup } from '#src/features/promotion/FloatingSignup.tsx';
import { $overlay } from '#src/features/promotion/overlays.store.ts';
import { SignupOverlay } from '#src/features/promotion/SignupOverlay.tsx';
import { TEXTS, USUAL_TIMES, withTimes } from '#src/texts.ts';
import { answer, sent } from '#tests/support/answer.ts';
import '#tests/support/dialogs.ts';

// Titles and texts of the error catalog (product.md section 8) that the ways in show, and what each sends.

type Says = [title: string, description: string];
type Way = {
	island: ReactElement;
	opens?: () => void;
	button: string;
	busy: string;
	path: string;
	source?: string;
	/** Exactly what is sent, where that is not the fields as they are. */
	payload?: object;
	success: Says;
	/** The server says why. */
	refused: Says;
	/** It answers what nobody can read. */
	failed: Says;
	/** Nothing was typed; null where nothing happens then. */
	empty: Says | null;
};

const REASON = 'The list is closed.';
const EMAIL: Says = ['Email required', 'Please enter your email address.'];
const popup = (name: 'modal' | 'exit') => ({
	island: <SignupOverlay name={name} title="Groundtruth Weekly" text="A letter." />,
	opens: () => act(() => $overlay.set(name)),
});
const SUBSCRIBED: Says = ['Success!', "You've been subscribed to our newsletter."];
const letter = {
	button: 'Subscribe',
	busy: 'Subscribing...',
	path: '/api/subscribers',
	success: SUBSCRIBED,
	refused: ['Error', REASON] as Says,
	failed: ['Error', 'Failed to subscribe. Please try again.'] as Says,
	empty: EMAIL,
};

const WAYS: Record<string, Way> = {
	'the signup form': {
		...letter,
		island: <SignupForm />,
		source: 'Newsletter Signup Form',
		success: [
			'Successfully subscribed!',
			'Welcome! The latest AI insights are on their way to your inbox.',
		],
		refused: ['Subscription failed', REASON],
		failed: ['Subscription failed', 'Please try again later.'],
	},
	'the newsletter button': {
		...letter,
		island: <NewsletterButton open />,
		source: 'Newsletter Button',
	},
	'the modal of an article': {
		...letter,
		...popup('modal'),
		source: 'Newsletter Modal',
		refused: ['Subscription failed', REASON],
		failed: ['Subscription failed', "We couldn't subscribe you at this time. Please try again."],
	},
	'the exit popup': { ...letter, ...popup('exit'), source: 'Exit Popup' },
	'the floating widget': {
		...letter,
		island: <FloatingSignup newsletter="Groundtruth Weekly" />,
		path: '/api/mailerlite/subscribe',
		// The mail list's payload (product.md section 3).
		payload: {
			email: 'ada@example.com',
			fields: { name: '', last_name: '', company: 'Floating Newsletter' },
			status: 'active',
			groups: [],
			website: '',
			elapsedMs: expect.any(Number),
		},
		failed: ['Error', 'Failed to subscribe to newsletter'],
		empty: null,
	},
	'the course form': {
		island: <EmailCourseForm />,
		button: 'Start the course',
		busy: 'Enrolling...',
		path: '/api/email-course/enroll',
		success: ['Welcome to the course! 🎓', 'Check your inbox for Day 1 lesson'],
		refused: ['Error', REASON],
		failed: ['Error', 'Failed to enroll. Please try again.'],
		empty: null,
	},
	'the download form': {
		island: <UpgradeForm />,
		button: 'Send me the link',
		busy: 'Sending...',
		path: '/api/content-upgrade',
		success: ['Success! 🎉', 'Check your email for the download link'],
		refused: ['Error', REASON],
		failed: ['Error', 'Failed to send download link. Please try again.'],
		empty: EMAIL,
	},
};
const ways = Object.entries(WAYS);

beforeEach(() => {
	vi.stubGlobal('matchMedia', () => ({ matches: false }));
});
afterEach(() => {
	cleanup();
	act(() => $overlay.set(null));
	setSubscribed(false);
	$toasts.set([]);
	sessionStorage.clear();
});

const said = () => $toasts.get().map(({ title, description }) => [title, description]);
const button = (name: string) => screen.getByRole('button', { name });
const field = () => screen.getByLabelText<HTMLInputElement>('Email address');

function show({ island, opens }: Way): void {
	render(island);
	opens?.();
}
async function submit(way: Way, email = 'ada@example.com'): Promise<void> {
	if (email) await userEvent.type(field(), email);
	await userEvent.click(button(way.button));
}

test.each(ways)('%s: success', async (_, way) => {
	answer(() => Response.json({ success: true, message: '' }, { status: 201 }));
	show(way);
	await submit(way);
	await waitFor(() => expect(said()).toEqual([way.success]));
	const source = way.source ? { source: way.source } : {};
	expect(sent).toMatchObject([[way.path, { email: 'ada@example.com', ...source }]]);
	if (way.payload) expect(sent).toEqual([[way.path, way.payload]]);
});

test.each(ways)('%s: where the site asks by email first, it says that', async (_, way) => {
	const message = 'Check your inbox: an email asks you to confirm.';
	answer(() => Response.json({ success: true, unconfirmed: true, message }, { status: 201 }));
	show(way);
	await submit(way);
	await waitFor(() => expect(said()).toEqual([['One more step', message]]));
	// What this browser remembers of a signup keeps popups away; nothing has begun yet.
	expect($subscribed.get()).toBe(false);
	expect(document.body.textContent).not.toMatch(/subscribed!|enrolled!/i);
});

test.each(ways)('%s: a refusal says why, and what was typed stays', async (_, way) => {
	answer(() =>
		Response.json({ error: { code: 'rate_limited', message: REASON } }, { status: 429 }),
	);
	show(way);
	await submit(way);
	await waitFor(() => expect(said()).toEqual([way.refused]));
	expect($toasts.get()[0]!.destructive).toBe(true);
	expect(field().value).toBe('ada@example.com');
});

test.each(ways)('%s: a failure without a reason', async (_, way) => {
	answer(() => new Response('<html>', { status: 201 }));
	show(way);
	await submit(way);
	await waitFor(() => expect(said()).toEqual([way.failed]));
	expect(field().value).toBe('ada@example.com');
});

test.each(ways)('%s: nothing typed, nothing sent', async (_, way) => {
	answer(() => Response.json({ success: true, message: '' }));
	show(way);
	await submit(way, '');
	expect(said()).toEqual(way.empty ? [way.empty] : []);
	expect(sent).toEqual([]);
});

test.each(ways)(
	'%s: while it is sent its button says so, and sends nothing more',
	async (_, way) => {
		let arrive = (_response: Response) => {};
		let calls = 0;
		vi.stubGlobal('fetch', () => {
			calls++;
			return new Promise<Response>((resolve) => (arrive = resolve));
		});
		show(way);
		await submit(way);
		expect(button(way.busy).getAttribute('aria-disabled')).toBe('true');
		await userEvent.click(button(way.busy));
		expect(calls).toBe(1);
		await act(async () => arrive(Response.json({ success: true, message: '' })));
		expect(said()).toEqual([way.success]);
	},
);

test.each(ways)(
	'%s: sent as soon as the page is there, it waits with its progress, and then sends itself',
	async (_, way) => {
		answer(() => Response.json({ success: true, message: '' }, { status: 201 }));
		let open = 100;
		vi.spyOn(performance, 'now').mockImplementation(() => open);
		show(way);
		await submit(way);
		const bar = await screen.findByRole<HTMLProgressElement>('progressbar');
		expect([bar.value, bar.max]).toEqual([100, 2000]);
		expect(button(way.busy).getAttribute('aria-disabled')).toBe('true');
		await userEvent.click(button(way.busy));
		expect(sent).toEqual([]);
		expect(said()).toEqual([]);
		open = 1900;
		await waitFor(() => expect(bar.value).toBe(1900));
		expect(sent).toEqual([]);
		open = 2001;
		await waitFor(() => expect(said()).toEqual([way.success]));
		expect(sent).toMatchObject([[way.path, { email: 'ada@example.com', elapsedMs: 2001 }]]);
		expect(screen.queryByRole('progressbar')).toBeNull();
	},
);

test('what is not right is said at once, however soon it is sent', async () => {
	answer(() => Response.json({}));
	vi.spyOn(performance, 'now').mockImplementation(() => 100);
	const way = WAYS['the signup form']!;
	show(way);
	await submit(way, 'ada@');
	expect(
		screen.getByText('Please enter a valid email address', { selector: '.field-error' }),
	).toBeDefined();
	expect(screen.queryByRole('progressbar')).toBeNull();
});

test.each([
	['the floating widget', 'Network error. Please try again.'],
	[
		'the newsletter button',
		'Unable to connect to the server. Please check your internet connection and try again.',
	],
])('%s: without a network', async (name, description) => {
	vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
	const way = WAYS[name]!;
	show(way);
	await submit(way);
	await waitFor(() => expect(said()).toEqual([['Error', description]]));
	expect(field().value).toBe('ada@example.com');
});

test('what scripts say without being told is the usual text of the site', () => {
	const { container } = render(<FloatingSignup newsletter="Groundtruth Weekly" />);
	expect(container.textContent).toContain(withTimes(TEXTS.invitationShort.sample, USUAL_TIMES));
	expect(signupSuccess.description).toBe(TEXTS.subscribedToast.sample);
	expect(SIGNUP_DONE).toBe(TEXTS.subscribed.sample);
});
