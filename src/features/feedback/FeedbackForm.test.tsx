// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderToString } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import { answer, sent } from '#tests/support/answer.ts';
import { FeedbackForm } from './FeedbackForm.tsx';
import { FEEDBACK_THANKS } from './feedback.ts';

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});
const send = () => userEvent.click(screen.getByRole('button', { name: 'Send' }));

test('a choice and words are sent together, once, and thanked for', async () => {
	answer(() => Response.json({ success: true }, { status: 201 }));
	render(<FeedbackForm postId="p1" />);
	await userEvent.click(screen.getByRole('radio', { name: 'No' }));
	expect(sent).toEqual([]);
	await userEvent.type(screen.getByRole('textbox', { name: /What is missing/ }), 'What is W?');
	await send();
	expect(await screen.findByText(FEEDBACK_THANKS)).toBe(document.activeElement);
	expect(sent).toMatchObject([
		['/api/feedback', { postId: 'p1', answer: 'no', words: 'What is W?' }],
	]);
});

test('nothing is sent where nothing is said, and what was typed stays after a refusal', async () => {
	answer(() =>
		Response.json({ error: { code: 'unavailable', message: 'Later' } }, { status: 503 }),
	);
	render(<FeedbackForm postId="p1" />);
	await send();
	expect(await screen.findByText('Choose yes or no, or write what is missing')).toBeDefined();
	expect(sent).toEqual([]);
	await userEvent.click(screen.getByRole('radio', { name: 'Yes' }));
	const words = screen.getByRole<HTMLTextAreaElement>('textbox', { name: /What is missing/ });
	await userEvent.type(words, 'A figure');
	await send();
	expect(await screen.findByRole('alert')).toBeDefined();
	expect([
		words.value,
		screen.getByRole<HTMLInputElement>('radio', { name: 'Yes' }).checked,
	]).toEqual(['A figure', true]);
});

test('without scripts it is a form that posts the choice, the words and the article', () => {
	const place = document.createElement('div');
	place.innerHTML = renderToString(<FeedbackForm postId="p1" />);
	document.body.append(place);
	const form = place.querySelector('form')!;
	place.querySelector<HTMLInputElement>('[value="yes"]')!.checked = true;
	place.querySelector('textarea')!.value = 'More';
	expect([form.method, form.getAttribute('action')]).toEqual(['post', '/api/feedback']);
	expect(Object.fromEntries(new FormData(form))).toEqual({
		...{ postId: 'p1', answer: 'yes', words: 'More', website: '' },
	});
	place.remove();
});
