// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { COURSE_PROMPT } from '#src/features/course/course.ts';
import { PREFERENCES_PROMPT, UNSUBSCRIBE_PROMPT } from './preferences.ts';
import { DATA_REQUESTED, dataSection } from '#src/features/privacy/privacy.ts';
import { $subscribed, setSubscribed } from './subscribed.store.ts';
import { answer, sent } from '#tests/support/answer.ts';
import { LinkScreen } from './LinkScreen.tsx';
import { BROKEN_LINK, type Screen } from '#src/core/screen.ts';

const left: Screen = {
	title: 'You are unsubscribed',
	subscribed: false,
	sections: [{ text: "You won't get more emails.", choices: [{ value: 'undo', label: 'Undo' }] }],
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
	render(<LinkScreen path="/unsubscribe" first={UNSUBSCRIBE_PROMPT} />);
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
	render(<LinkScreen path="/course" first={COURSE_PROMPT} ask />);
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
	render(<LinkScreen path="/course" first={COURSE_PROMPT} ask />);
	const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(new Date(when));
	expect(await screen.findByText(`The next one comes on ${day}.`)).toBeDefined();
});

test.each([
	['/course', COURSE_PROMPT, true],
	['/preferences', PREFERENCES_PROMPT, true],
	['/unsubscribe', UNSUBSCRIBE_PROMPT, false],
] as const)(
	'%s without a link accuses nobody: it says where it comes from, and emails a new one',
	async (path, first, ask) => {
		answer(() => Response.json({ success: true, message: '' }, { status: 201 }));
		history.replaceState(null, '', path);
		render(
			<LinkScreen path={path} first={first} ask={ask}>
				<a href="/newsletter#course">Enroll</a>
			</LinkScreen>,
		);
		expect(screen.getByRole('heading', { level: 1, name: first.title })).toBeDefined();
		expect(screen.getByText('This page opens from a link in one of our emails.')).toBeDefined();
		expect(screen.queryByRole('alert')).toBeNull();
		expect(screen.getByRole('link', { name: 'Enroll' })).toBeDefined();
		// No button but the one that does something here.
		expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
			'Email me the link',
		]);
		expect(sent).toEqual([]);
		await userEvent.type(screen.getByLabelText('Email address'), 'ada@example.com');
		await userEvent.click(screen.getByRole('button', { name: 'Email me the link' }));
		expect(await screen.findByText(DATA_REQUESTED)).toBeDefined();
		expect(sent).toMatchObject([['/api/personal-data', { email: 'ada@example.com' }]]);
	},
);

test('a link that is cut short says so, and offers a new one', async () => {
	answer(() =>
		Response.json(
			{ error: { code: 'validation', message: 'No', fields: { token: BROKEN_LINK } } },
			{ status: 400 },
		),
	);
	render(<LinkScreen path="/course" first={COURSE_PROMPT} ask />);
	expect(await screen.findByText(BROKEN_LINK)).toBeDefined();
	expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
		'Email me the link',
	]);
});

test('with its link the page offers no other', () => {
	render(<LinkScreen path="/unsubscribe" first={UNSUBSCRIBE_PROMPT} />);
	expect(screen.queryByLabelText('Email address')).toBeNull();
	expect(screen.getByRole('button', { name: 'Unsubscribe' }).className).toContain('button-primary');
});

test('a file is saved by the browser itself, and the page stays as it is', async () => {
	const first: Screen = { title: 'Email preferences', sections: [dataSection(true)] };
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
	expect(screen.getByRole('heading', { name: 'Email preferences' })).toBeDefined();
});

test('a failure says so and leaves the button', async () => {
	answer(() =>
		Response.json({ error: { code: 'validation', message: 'Not complete.' } }, { status: 400 }),
	);
	render(<LinkScreen path="/unsubscribe" first={UNSUBSCRIBE_PROMPT} />);
	await userEvent.click(screen.getByRole('button', { name: 'Unsubscribe' }));
	expect((await screen.findByRole('alert')).textContent).toBe('Not complete.');
	expect(screen.getByRole('button', { name: 'Unsubscribe' })).toBeDefined();
});

test('without JavaScript each button posts the page to its own address, and a new link can be asked for', () => {
	const html = renderToString(<LinkScreen path="/unsubscribe" first={UNSUBSCRIBE_PROMPT} />);
	const [own, other, ...more] = html.match(/<form[^>]*>/g)!;
	expect(own).toContain('method="post"');
	expect(own).not.toContain('action=');
	expect(other).toContain('action="/api/personal-data"');
	expect(more).toEqual([]);
	// Nobody knows yet whether there is a link.
	expect(html).toMatch(/button-quiet" name="choice">Unsubscribe</);
});
