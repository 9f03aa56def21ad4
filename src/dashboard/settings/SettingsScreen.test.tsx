// @vitest-environment jsdom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $toasts } from '#src/components/ui/toast.store.ts';
import { $places } from '#src/dashboard/kit/places.store.ts';
import { $address, setQuery } from '#src/dashboard/kit/address.store.ts';
import { $unsavedCopies } from '#src/dashboard/kit/unsaved.store.ts';
import { siteFacts } from '#src/core/settings/facts.ts';
import { parseEnv } from '#src/lib/env.ts';
import { DEFAULTS, type StoredSettings } from '#src/core/settings/setting.ts';
import { SETTINGS } from './parts.ts';
import { SettingsScreen } from './SettingsScreen.tsx';

let settings: StoredSettings;
let refusal: Response | undefined;
const NOTHING: Record<string, unknown> = {
	'/api/admin/sessions': [],
	'/api/admin/facts': siteFacts(parseEnv({})),
	'/api/admin/programs': [],
	'/api/admin/networks': (['bluesky', 'mastodon'] as const).map((network) => ({
		...{ network, account: null, failure: null, posts: [] },
	})),
	'/api/admin/errors': [],
	'/api/admin/second-factor': { appSince: null, passkeys: [], codesLeft: 0 },
	'/api/admin/rollback': { builds: [], isHeld: false, isElsewhere: false },
	'/api/admin/audit': { rows: [], total: 0, page: 1, pageSize: 50 },
};

beforeEach(() => {
	$address.set({ screen: 'settings', queries: {} });
	$places.set(() => import('#src/dashboard/shell/places.ts'));
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
	vi.unstubAllGlobals();
	$toasts.set([]);
	$unsavedCopies.set({});
	$address.set({ screen: 'settings', queries: {} });
	history.replaceState(null, '', '?tab=settings');
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

test('a field is found by other words for it, what was typed elsewhere stays, and what is elsewhere is found too', async () => {
	render(<SettingsScreen />);
	const field = await list();
	await userEvent.type(field, ', crypto');
	const parts = screen.getByRole('navigation', { name: 'Parts of the settings' });
	const links = () => within(parts).queryAllByRole('link');
	expect(links().map(({ textContent }) => textContent)).toEqual(SETTINGS.map(({ name }) => name));
	const search = screen.getByRole('searchbox', { name: 'Search settings' });
	await userEvent.type(search, 'rollback');
	await waitFor(() => expect(links()).toHaveLength(1));
	expect(links()[0]!.textContent).toBe('Earlier builds Settings');
	await userEvent.clear(search);
	await userEvent.type(search, 'mute{Enter}');
	expect(search).toHaveProperty('value', '');
	await waitFor(() =>
		expect(document.activeElement).toBe(screen.getByLabelText('Blocked addresses and names')),
	);
	expect(location.search).toBe('?tab=settings&part=New+comments');
	expect(links()).toHaveLength(SETTINGS.length);
	await userEvent.click(within(parts).getByRole('link', { name: 'Password' }));
	expect(location.search).toBe('?tab=settings&part=Password');
	expect(field.closest('[hidden]')).not.toBeNull();
	await userEvent.type(search, 'qwertz');
	expect(await screen.findByText('Nothing has these words.')).toBeDefined();
	await userEvent.clear(search);
	await userEvent.type(search, 'tagline');
	await waitFor(() => expect(links()).toHaveLength(1));
	await userEvent.keyboard('{ArrowDown}');
	expect(document.activeElement).toBe(links()[0]);
	await userEvent.keyboard('{ArrowUp}');
	expect(document.activeElement).toBe(search);
	await userEvent.keyboard('{ArrowDown}{Enter}');
	expect(location.search).toBe('?tab=site&part=Name&field=Tagline');
	expect(field.value).toMatch(/, crypto$/);
});

test('a heading below the fields of another leads to what is below it', async () => {
	vi.stubGlobal('PublicKeyCredential', class {});
	setQuery('settings', { part: 'Sign-in', field: 'Authenticator app' });
	render(<SettingsScreen />);
	const app = await screen.findByRole('button', { name: 'Set up an authenticator app' });
	expect(screen.getByLabelText('Name of this device')).toBeDefined();
	await waitFor(() => expect(document.activeElement).toBe(app));
});

test('what is typed and not saved is kept on the device, and offered again', async () => {
	const { unmount } = render(<SettingsScreen />);
	await userEvent.type(await list(), ', crypto');
	unmount();
	// Another tab has another key.
	$unsavedCopies.set(
		Object.fromEntries(Object.values($unsavedCopies.get()).map((copy) => ['another', copy])),
	);
	render(<SettingsScreen />);
	expect((await list()).value).not.toMatch(/crypto/);
	await userEvent.click(screen.getByRole('button', { name: 'Go on with it' }));
	expect((await list()).value).toMatch(/, crypto$/);
	await save();
	await waitFor(() => expect(settings.refusedWords.at(-1)).toBe(' crypto'));
	await waitFor(() => expect($unsavedCopies.get()).toEqual({}));
});

test.each(SETTINGS.flatMap(({ name, fields }) => fields.map(({ label }) => [name, label])))(
	'%s has what the search calls “%s”',
	async (part, field) => {
		setQuery('settings', { part, field });
		render(<SettingsScreen />);
		await waitFor(() => expect($address.get().queries['settings']).toEqual({ part }), {
			timeout: 5000,
		});
		expect(document.activeElement).not.toBe(document.body);
	},
);

test('words of search are rows: found, added, changed, removed, and told what is wrong with them', async () => {
	setQuery('settings', { part: 'Words that search knows' });
	render(<SettingsScreen />);
	const same = await screen.findByRole('group', { name: 'Names for the same thing' });
	const rows = () => within(same).getAllByRole('listitem');
	expect(rows()).toHaveLength(10);
	await userEvent.type(screen.getByRole('searchbox', { name: 'Find a word' }), 'vram{Enter}');
	expect(rows()).toHaveLength(1);
	const others = within(same).getByLabelText('Other names');
	await userEvent.type(others, ', video RAM');
	await userEvent.click(within(same).getByRole('button', { name: 'Add a row' }));
	const word = within(rows()[0]!).getByLabelText('Word');
	await userEvent.type(word, 'ZQX = filter');
	expect((word as HTMLInputElement).value).toBe('ZQX  filter');
	await userEvent.click(screen.getByRole('button', { name: 'Save words' }));
	expect(within(rows()[0]!).getByRole('alert').textContent).toBe(
		'A name is missing, or has no letter or digit.',
	);
	await userEvent.type(within(rows()[0]!).getByLabelText('Other names'), 'Kalman filter');
	await userEvent.click(within(same).getByRole('button', { name: 'Remove ANN' }));
	await userEvent.click(screen.getByRole('button', { name: 'Save words' }));
	await waitFor(() => expect(settings.abbreviations).toContain('\nZQX  filter = Kalman filter\n'));
	expect(settings.abbreviations).toContain('\nVRAM = GPU memory, video memory, video RAM\n');
	expect(settings.abbreviations).not.toContain('\nANN =');
	expect(settings.abbreviations).toMatch(/^# Names for the same thing/);
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
