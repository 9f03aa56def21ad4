// @vitest-environment jsdom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $toasts } from '#src/components/ui/toast.store.ts';
import { DEFAULTS, type StoredSettings } from '#src/core/settings/setting.ts';
import { SETTINGS } from './parts.ts';
import { SettingsScreen } from './SettingsScreen.tsx';

let settings: StoredSettings;
let refusal: Response | undefined;
const NOTHING: Record<string, unknown> = {
	'/api/admin/sessions': [],
	'/api/admin/facts': [],
	'/api/admin/programs': [],
	'/api/admin/networks': [],
	'/api/admin/errors': [],
	'/api/admin/second-factor': { appSince: null, passkeys: [], codesLeft: 0 },
	'/api/admin/rollback': { builds: [], isHeld: false, isElsewhere: false },
	'/api/admin/audit': { rows: [], total: 0, page: 1, pageSize: 50 },
};

beforeEach(() => {
	settings = { ...DEFAULTS, version: 1 };
	refusal = undefined;
	vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
		if (!url.startsWith('/api/admin/settings')) return Response.json(NOTHING[url.split('?')[0]!]);
		if (init?.method !== 'PUT') return Response.json(settings);
		if (refusal) return refusal;
		const { version, ...changes } = JSON.parse(init.body as string) as StoredSettings;
		if (version !== settings.version) {
			const error = { code: 'conflict', message: 'Changed.' };
			return Response.json({ error, stored: settings }, { status: 409 });
		}
		settings = { ...settings, ...changes, version: version + 1 };
		return Response.json(settings);
	});
});
afterEach(() => {
	cleanup();
	$toasts.set([]);
});

const list = () => screen.findByLabelText<HTMLTextAreaElement>('Refused words');
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save the list' }));

test('the words that comments may not hold are edited as a list', async () => {
	render(<SettingsScreen />);
	const field = await list();
	expect(field.value).toBe('buy, sell, cheap, free, discount, viagra, casino');
	await userEvent.clear(field);
	await userEvent.type(field, 'crypto,  click here\n\n, buy');
	await save();
	await waitFor(() => expect(settings.refusedWords).toEqual(['crypto', '  click here', ' buy']));
	expect($toasts.get()).toMatchObject([{ title: 'Saved' }]);
	await userEvent.click(screen.getByRole('button', { name: 'Fill in the usual words' }));
	expect(field.value).toBe('buy, sell, cheap, free, discount, viagra, casino');
	await userEvent.clear(field);
	await save();
	await waitFor(() => expect(settings.refusedWords).toEqual([]));
});

test('a list that is refused stays as it was typed, and says why', async () => {
	render(<SettingsScreen />);
	const field = await list();
	await userEvent.clear(field);
	await userEvent.type(field, 'crypto, ...');
	await save();
	expect((await screen.findByRole('alert')).textContent).toBe('A word has a letter or a digit');
	refusal = Response.json({ error: { code: 'server', message: 'Not now.' } }, { status: 500 });
	await userEvent.clear(field);
	await userEvent.type(field, 'crypto');
	await save();
	await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Not now.'));
	expect(field.value).toBe('crypto');
	expect(settings).toEqual({ ...DEFAULTS, version: 1 });
});

test('a part is found by other words for it, what was typed elsewhere stays, and nothing found says where else to look', async () => {
	render(<SettingsScreen />);
	const field = await list();
	await userEvent.type(field, ', crypto');
	const parts = screen.getByRole('navigation', { name: 'Parts of the settings' });
	const shown = () =>
		within(parts)
			.getAllByRole('button')
			.map(({ textContent }) => textContent);
	expect(shown()).toHaveLength(SETTINGS.length);
	const search = screen.getByRole('searchbox', { name: 'Search settings' });
	await userEvent.type(search, 'wordpress{Enter}');
	expect(shown()).toEqual(['Import and export']);
	expect(field.closest('[hidden]')).not.toBeNull();
	await userEvent.clear(search);
	await userEvent.type(search, 'tagline{Enter}');
	expect(screen.getByText(/^No setting has these words/)).toBeDefined();
	await userEvent.clear(search);
	await userEvent.type(search, '{Enter}');
	expect(shown()).toHaveLength(SETTINGS.length);
	expect(field.value).toMatch(/, crypto$/);
});

test('the setting that holds first comments says whom it trusts', async () => {
	render(<SettingsScreen />);
	const choice = await screen.findByRole('radio', { name: /Hold first-time authors/ });
	expect(choice.closest('label')!.textContent).toContain('An address alone proves nothing');
});

test('what another window saved meanwhile is merged, or asked about where both changed the same', async () => {
	render(<SettingsScreen />);
	const field = await list();
	await userEvent.type(field, ', crypto');
	settings = { ...settings, refusedWords: ['buy', 'lottery'], comments: 'hold-first', version: 7 };
	await save();
	await waitFor(() => expect(settings.refusedWords).toEqual(['buy', 'lottery', 'crypto']));
	await waitFor(() => expect(field.value).toBe('buy, lottery, crypto'));
	expect(settings.comments).toBe('hold-first');

	await waitFor(() =>
		expect(screen.getByRole<HTMLInputElement>('radio', { name: /Hold first/ }).checked).toBe(true),
	);
	settings = { ...settings, comments: 'publish', version: 20 };
	await userEvent.click(screen.getByRole('radio', { name: /Hold all/ }));
	await screen.findByRole('region', { name: 'Compare' });
	expect(settings.comments).toBe('publish');
	await userEvent.click(screen.getByRole('button', { name: 'Go on with this' }));
	await waitFor(() => expect(settings.comments).toBe('hold-all'));
	expect(screen.queryByRole('region', { name: 'Compare' })).toBeNull();
});
