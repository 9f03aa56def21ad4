// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { $toasts } from '#src/components/ui/toast.store.ts';
import { answer, sent } from '#tests/support/answer.ts';
import { EmailCourseForm } from './EmailCourseForm.tsx';

const said = () => $toasts.get().map(({ title, description }) => [title, description]);

beforeEach(() => {
	answer(() => Response.json({ success: true, message: '' }, { status: 201 }));
});
afterEach(() => {
	cleanup();
	$toasts.set([]);
});
const send = () => userEvent.click(screen.getByRole('button', { name: 'Start the course' }));

test('an empty field does nothing when it is sent', async () => {
	render(<EmailCourseForm />);
	await send();
	expect(sent).toEqual([]);
	expect(said()).toEqual([]);
	expect(screen.queryByRole('alert')).toBeNull();
});

test('enrolling says so in the place of the form, and where to look', async () => {
	render(<EmailCourseForm />);
	await userEvent.type(screen.getByLabelText('Email address'), 'ada@example.com');
	await send();
	const sentence = await screen.findByText("You're enrolled!");
	expect(screen.getByText('Check your email for Day 1')).toBeDefined();
	expect(document.activeElement?.contains(sentence)).toBe(true);
	expect(screen.queryByRole('button')).toBeNull();
	expect(said()).toEqual([['Welcome to the course! 🎓', 'Check your inbox for Day 1 lesson']]);
	expect(sent).toMatchObject([['/api/email-course/enroll', { email: 'ada@example.com' }]]);
});

test('a failure keeps what was typed and says so', async () => {
	answer(() => Response.json({ error: { code: 'server', message: 'x' } }, { status: 500 }));
	render(<EmailCourseForm />);
	await userEvent.type(screen.getByLabelText('Email address'), 'ada@example.com');
	await send();
	expect(await screen.findByRole('alert')).toBeDefined();
	expect(said()).toEqual([['Error', 'Failed to enroll. Please try again.']]);
	expect(screen.getByLabelText<HTMLInputElement>('Email address').value).toBe('ada@example.com');
});

test('without JavaScript it is a plain POST', () => {
	const html = renderToString(<EmailCourseForm />);
	expect(html).toContain('action="/api/email-course/enroll" method="post"');
	expect(html).not.toMatch(/\sdisabled/);
});
