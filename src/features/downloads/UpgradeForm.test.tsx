// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $toasts } from '#src/components/ui/toast.store.ts';
import { answer, sent } from '#tests/support/answer.ts';
import { UpgradeForm } from './UpgradeForm.tsx';

const said = () => $toasts.get().map(({ title, description }) => [title, description]);

beforeEach(() => {
	answer(() => Response.json({ success: true, message: '' }, { status: 201 }));
});
afterEach(() => {
	cleanup();
	$toasts.set([]);
});
const send = () => userEvent.click(screen.getByRole('button', { name: 'Send me the link' }));

test('the guide is offered first, and the success shows the address', async () => {
	render(<UpgradeForm postId="p1" />);
	await userEvent.type(screen.getByLabelText('Email address'), ' ada@example.com ');
	await send();
	expect((await screen.findByText('ada@example.com')).closest('div')?.textContent).toContain(
		'Check your email for the download link',
	);
	expect(said()).toEqual([['Success! 🎉', 'Check your email for the download link']]);
	expect(sent).toMatchObject([
		['/api/content-upgrade', { email: 'ada@example.com', upgradeType: 'guide', postId: 'p1' }],
	]);
});

test('another download can be chosen, also after the first', async () => {
	render(<UpgradeForm />);
	await userEvent.type(screen.getByLabelText('Email address'), 'ada@example.com');
	await send();
	await userEvent.click(await screen.findByRole('button', { name: /Another download/ }));
	await userEvent.selectOptions(screen.getByLabelText('What to send'), 'template');
	await userEvent.type(screen.getByLabelText('Email address'), 'ada@example.com');
	await send();
	await screen.findByText('ada@example.com');
	expect(sent).toMatchObject([
		[expect.anything(), {}],
		[expect.anything(), { upgradeType: 'template' }],
	]);
	expect(sent[1]).not.toHaveProperty('postId');
});

test('an empty address is told, and nothing is sent', async () => {
	render(<UpgradeForm />);
	await send();
	expect(screen.getByRole('alert').textContent).toBe('Please enter your email address.');
	expect(sent).toEqual([]);
});

test('a failure keeps what was typed and says so', async () => {
	vi.stubGlobal('fetch', () => Promise.resolve('no response'));
	render(<UpgradeForm />);
	await userEvent.type(screen.getByLabelText('Email address'), 'ada@example.com');
	await send();
	expect(said()).toEqual([['Error', 'Failed to send download link. Please try again.']]);
	expect(screen.getByLabelText<HTMLInputElement>('Email address').value).toBe('ada@example.com');
});

test('without JavaScript it is a plain POST with all four downloads', () => {
	const html = renderToString(<UpgradeForm postId="p1" />);
	expect(html).toContain('action="/api/content-upgrade" method="post"');
	expect(html.match(/<option/g)).toHaveLength(4);
});
