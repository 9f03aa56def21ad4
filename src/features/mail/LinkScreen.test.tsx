// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ASK_COURSE } from '#src/features/course/course.ts';
import { LEAVE } from '#src/features/newsletter/preferences.ts';
import { YOUR_DATA } from '#src/features/privacy/privacy.ts';
import { $subscribed, setSubscribed } from '#src/features/newsletter/subscribed.store.ts';
import { answer, sent } from '#tests/support/answer.ts';
import { LinkScreen } from './LinkScreen.tsx';
import type { Screen } from './screen.ts';

const left: Screen = {
	title: 'You are unsubscribed',
	subscribed: false,
	sections: [{ text: 'No more mail comes.', choices: [{ value: 'undo', label: 'Undo' }] }],
};

beforeEach(() => {
	history.replaceState(null, '', '/unsubscribe?token=abc');
	answer(() => Response.json(left));
});
afterEach(() => {
	cleanup();
	setSubscribed(false);
});

test('opening the unsubscribe page asks for nothing; its one click does, and can be undone', async () => {
	setSubscribed(true);
	render(<LinkScreen path="/unsubscribe" first={LEAVE} />);
	expect(sent).toEqual([]);
	await userEvent.click(screen.getByRole('button', { name: 'Unsubscribe' }));
	expect(await screen.findByRole('heading', { name: 'You are unsubscribed' })).toBeDefined();
	expect($subscribed.get()).toBe(false);
	await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
	expect(sent).toEqual([
		['/unsubscribe', { token: 'abc' }],
		['/unsubscribe', { token: 'abc', choice: 'undo' }],
	]);
});

test('the progress page asks at once how things stand, and shows its steps', async () => {
	answer(() =>
		Response.json({
			title: 'Your course',
			sections: [
				{
					text: '1 lesson of 7 sent.',
					steps: [
						{ label: 'Day 1: A', state: 'done', note: 'sent' },
						{ label: 'Day 2: B', state: 'next', note: 'next' },
					],
					choices: [],
				},
			],
		} satisfies Screen),
	);
	render(<LinkScreen path="/course" first={ASK_COURSE} ask />);
	expect(await screen.findByText('1 lesson of 7 sent.')).toBeDefined();
	expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
		'Day 1: Asent',
		'Day 2: Bnext',
	]);
	expect(sent).toEqual([['/course', { token: 'abc' }]]);
});

test('a day is named as it is where the reader is', async () => {
	const when = '2026-03-02T04:00:00.000Z';
	const text = 'The next one comes on March 2, 2026.';
	answer(() =>
		Response.json({
			title: 'Your course',
			sections: [{ text, when, choices: [] }],
		} satisfies Screen),
	);
	render(<LinkScreen path="/course" first={ASK_COURSE} ask />);
	const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(new Date(when));
	expect(await screen.findByText(`The next one comes on ${day}.`)).toBeDefined();
});

test('without its link the page asks for nothing and says what is missing', () => {
	history.replaceState(null, '', '/course');
	render(<LinkScreen path="/course" first={ASK_COURSE} ask />);
	expect(screen.getByRole('alert').textContent).toContain('the link was not complete');
	expect(sent).toEqual([]);
});

test('a file is saved by the browser itself, and the page stays as it is', async () => {
	const first: Screen = { title: 'What you get from us', sections: [YOUR_DATA] };
	render(<LinkScreen path="/preferences" first={first} />);
	const posted: (string | undefined)[] = [];
	const note = (event: SubmitEvent) => {
		if (event.defaultPrevented) return;
		posted.push((event.submitter as HTMLButtonElement).value);
		event.preventDefault();
	};
	document.addEventListener('submit', note);
	await userEvent.click(screen.getByRole('button', { name: 'Download what is held about me' }));
	document.removeEventListener('submit', note);
	expect(posted).toEqual(['data-download']);
	expect(sent).toEqual([]);
	expect(screen.getByRole('heading', { name: 'What you get from us' })).toBeDefined();
});

test('a failure says so and leaves the button', async () => {
	answer(() =>
		Response.json({ error: { code: 'validation', message: 'Not complete.' } }, { status: 400 }),
	);
	render(<LinkScreen path="/unsubscribe" first={LEAVE} />);
	await userEvent.click(screen.getByRole('button', { name: 'Unsubscribe' }));
	expect((await screen.findByRole('alert')).textContent).toBe('Not complete.');
	expect(screen.getByRole('button', { name: 'Unsubscribe' })).toBeDefined();
});

test('without JavaScript each button posts the page to its own address', () => {
	const html = renderToString(<LinkScreen path="/unsubscribe" first={LEAVE} />);
	expect(html).toContain('method="post"');
	expect(html).not.toContain('action=');
});
