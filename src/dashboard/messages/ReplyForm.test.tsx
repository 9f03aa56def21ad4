// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
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

test('one press sends an answer and archives the message', async () => {
	const send = vi.fn(async () => undefined);
	const message = { id: 'm2', name: 'Ada', email: 'ada@example.com', state: 'read' } as Message;
	const { rerender } = render(<ReplyForm message={message} busy={false} send={send} />);
	fireEvent.change(screen.getByLabelText('Answer to Ada'), { target: { value: 'Yes.' } });
	await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Send and archive' })));
	expect(send).toHaveBeenCalledExactlyOnceWith('Yes.', 'Answer sent, archived');
	rerender(<ReplyForm message={{ ...message, state: 'archived' }} busy={false} send={send} />);
	expect(screen.queryByRole('button', { name: 'Send and archive' })).toBeNull();
});
