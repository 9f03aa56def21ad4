// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { Message } from '#src/features/contact/messages.ts';
import { ReplyForm } from './ReplyForm.tsx';

afterEach(cleanup);

test('what is typed while an answer is sent stays', async () => {
	const { promise, resolve } = Promise.withResolvers<Message>();
	const message = { id: 'm1', name: 'Ada', email: 'ada@example.com' } as Message;
	render(<ReplyForm message={message} busy={false} send={() => promise} />);
	const field = screen.getByLabelText<HTMLTextAreaElement>('Answer to Ada');
	fireEvent.change(field, { target: { value: 'Yes.' } });
	fireEvent.click(screen.getByRole('button', { name: 'Send answer' }));
	fireEvent.change(field, { target: { value: 'Yes. And' } });
	await act(async () => resolve(message));
	expect(field.value).toBe('Yes. And');
});
