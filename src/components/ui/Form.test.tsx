// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import * as z from 'zod/mini';
import { afterEach, expect, test, vi } from 'vitest';
import { endpoint } from '#src/lib/endpoint.ts';
import { MESSAGES } from '#src/lib/errors.ts';
import { MIN_FILL_MS, type FormSpec } from '#src/lib/form.ts';
import { Form } from './Form.tsx';

const say = endpoint()('POST /api/say', z.looseObject({ words: z.string() }));
const form: FormSpec = {
	title: 'Say',
	submit: 'Send',
	thanks: '/thanks',
	fields: [{ name: 'words', label: 'Words', type: 'text' }],
};

afterEach(() => {
	cleanup();
	vi.restoreAllMocks();
	vi.unstubAllGlobals();
});

test('what was sent goes, and what was typed while it was sent stays', async () => {
	vi.spyOn(performance, 'now').mockReturnValue(MIN_FILL_MS);
	let answer = () => {};
	vi.stubGlobal('fetch', async () => {
		await new Promise<void>((resolve) => (answer = resolve));
		return Response.json({});
	});
	const onSuccess = vi.fn();
	render(<Form endpoint={say} form={form} busy="Sending" onSuccess={() => onSuccess()} />);
	const field = screen.getByLabelText<HTMLInputElement>('Words');
	const send = async () => {
		fireEvent.submit(field.form!);
		await screen.findByText('Sending');
	};
	fireEvent.change(field, { target: { value: 'One' } });
	await send();
	fireEvent.change(field, { target: { value: 'One, two' } });
	answer();
	await screen.findByText('Send');
	expect(field.value).toBe('One, two');
	await send();
	answer();
	await vi.waitFor(() => expect(field.value).toBe(''));
	expect(onSuccess).toHaveBeenCalledTimes(2);
});

test.each([
	[{ success: false, message: 'The list is full.' }, 'The list is full.'],
	[{ success: false }, MESSAGES.unknown],
])('an answer that says %o is a failure', async (answer, shown) => {
	vi.spyOn(performance, 'now').mockReturnValue(MIN_FILL_MS);
	vi.stubGlobal('fetch', async () => Response.json(answer));
	const onSuccess = vi.fn();
	render(<Form endpoint={say} form={form} busy="Sending" onSuccess={onSuccess} />);
	const field = screen.getByLabelText<HTMLInputElement>('Words');
	fireEvent.change(field, { target: { value: 'One' } });
	fireEvent.submit(field.form!);
	expect((await screen.findByRole('alert')).textContent).toBe(shown);
	expect(field.value).toBe('One');
	expect(onSuccess).not.toHaveBeenCalled();
});
