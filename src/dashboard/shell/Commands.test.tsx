// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $address } from '#src/dashboard/kit/address.store.ts';
import { Commands } from './Commands.tsx';
import '#tests/support/dialogs.ts';

const onClose = vi.fn();
beforeEach(() => {
	onClose.mockClear();
	vi.stubGlobal('fetch', async (url: string) => {
		const isSearch = new URL(url, 'http://x').searchParams.get('q') === 'quorums';
		const title = isSearch ? 'Quorums' : 'Changed last';
		return Response.json({ rows: [{ id: title, title, state: 'draft' }], total: 1 });
	});
});
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const open = async () => {
	render(<Commands open onClose={onClose} onLeave={() => {}} />);
	await screen.findByText('Changed last');
	return screen.getByRole('combobox', { hidden: true });
};

test('Enter opens no post that was found for other words', async () => {
	const field = await open();
	fireEvent.change(field, { target: { value: 'quorums' } });
	fireEvent.keyDown(field, { key: 'Enter' });
	expect(onClose).not.toHaveBeenCalled();
	await screen.findByText('Quorums');
	fireEvent.keyDown(field, { key: 'Enter' });
	expect(onClose).toHaveBeenCalledOnce();
});

test('Enter of an input method runs nothing', async () => {
	const field = await open();
	fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
	expect(onClose).not.toHaveBeenCalled();
});

test('a setting is found by other words for it, and its field is opened on the page of its part', async () => {
	const field = await open();
	expect(screen.queryByText('Audit log')).toBeNull();
	for (const [words, name, label, query] of [
		['webauthn', 'settings', 'Passkeys', { part: 'Sign-in', field: 'Passkeys' }],
		['smtp', 'settings', 'Mail', { part: 'What is set up', field: 'Mail' }],
		['reply-to', 'site', 'Address for readers', { part: 'Mail', field: 'Address for readers' }],
		['logo', 'site', 'Logo', { part: 'Looks', field: 'Logo' }],
		['rollback', 'settings', 'Earlier builds', { part: 'Earlier builds' }],
	] as const) {
		fireEvent.change(field, { target: { value: words } });
		await screen.findByText(label);
		fireEvent.keyDown(field, { key: 'Enter' });
		expect(onClose).toHaveBeenCalled();
		expect($address.get()).toMatchObject({ screen: name, queries: { [name]: query } });
	}
});
